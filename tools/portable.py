"""Run every notebook as other processors would round it, and with other seeds: `make portable`.

    python -m tools.portable [PAGE...] [--mode MODE] [--seeds N] [--jobs N] [--fresh]

In each numeric mode a page is compared with what it stores, as `make notebooks` does. A page that
makes a claim about training (`claim(`) also runs under shifts of its seeds, where nothing but its
checks must hold; tools/seed_shift.py says what is shifted. Every claim's value is collected.

Results are kept in _build/portable, a file for each run, and a run is repeated only if the page,
the code that it uses, a version or the processor changed: an interrupted call goes on where it
stopped.
Exit status 1 when a page fails anywhere. Tables: tools/portable_table.py.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from xml.etree import ElementTree

import nbformat

from book.helpers.claims import RECORD
from tools.portable_table import tables
from tools.processor import processor, processors

sys.path.append(str(Path(__file__).resolve().parents[1] / "book" / "_ext"))
from execution.page_key import page_key

ROOT = Path(__file__).resolve().parent.parent
MODES = {
    "native": {},
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    },
    "none": {
        "ATEN_CPU_CAPABILITY": "default",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    },
    "compatible": {"MKL_CBWR": "COMPATIBLE"},
    "two-threads": {"OMP_NUM_THREADS": "2"},
}
SEEDS = 10
COLOUR = re.compile(r"(?:\x1b|#x1B)\[[0-9;]*m")  # as a traceback has it, and as XML writes it
LIMIT = 1800  # seconds of one run; the modes without vector instructions are slow


def seed_modes(count: int) -> list[str]:
    return [f"seed+{shift}" for shift in range(1, count + 1)]


def makes_claims(path: Path) -> bool:
    """Whether the page says something of what it trained."""
    return "claim(" in path.read_text(encoding="utf-8")


def key(path: Path, mode: str, root: Path) -> str:
    """What a run depends on; prose is not in it, nor, under other seeds, the outputs."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [] if mode.startswith("seed") else [cell.outputs for cell in code]
    parts = [[(c.source, c.metadata.get("tags")) for c in code], outputs, MODES.get(mode), mode]
    parts += [page_key(root, notebook), processor(), LIMIT]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def run(path: Path, mode: str, root: Path = ROOT) -> dict:
    """One run of one page: its seconds, what failed, and its claims."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        environment = {**os.environ, "OMP_NUM_THREADS": "1", **MODES.get(mode, {})}
        environment |= {RECORD: str(place / "claims"), "IPYTHONDIR": str(place / "ipython")}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        startup = place / "ipython" / "profile_default" / "startup"
        startup.mkdir(parents=True)
        compare = "--nbval"
        if mode.startswith("seed"):
            shutil.copy(ROOT / "tools" / "seed_shift.py", startup / "00-seed_shift.py")
            environment["COURSE_SEED_SHIFT"] = mode.partition("+")[2]
            compare = "--nbval-lax"
        command = [sys.executable, "-m", "pytest", "-p", "nbval.plugin", compare, "-q"]
        command += ["-p", "no:cacheprovider", "--color=no"]
        command += [f"--junitxml={place / 'result.xml'}", str(path)]
        start = time.monotonic()
        try:
            done = subprocess.run(
                command, cwd=root, env=environment, capture_output=True, text=True, timeout=LIMIT
            )
            failures = failed(place / "result.xml", done)
        except subprocess.TimeoutExpired:
            failures = [f"was stopped after {LIMIT} seconds"]
        claims = []
        if (place / "claims").exists():
            lines = (place / "claims").read_text(encoding="utf-8").splitlines()
            claims = [json.loads(line) for line in lines]
        seconds = time.monotonic() - start
    return {"seconds": seconds, "failures": failures, "claims": claims}


def failed(result: Path, done: subprocess.CompletedProcess) -> list[str]:
    """The cells that failed, a line each: an exception's last line, or that outputs differ."""
    if not result.exists():
        return [
            f"pytest ended with status {done.returncode}: {(done.stderr or done.stdout)[-300:]}"
        ]
    found = []
    for case in ElementTree.parse(result).iter("testcase"):
        for failure in case.findall("failure") + case.findall("error"):
            text = COLOUR.sub("", failure.text or "")
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            differ = any("Cell outputs differ" in line for line in lines)
            what = "prints something else" if differ else lines[-1] if lines else "failed"
            found.append(f"{case.get('name')}: {what}")
    if not found and done.returncode:
        found = [f"pytest ended with status {done.returncode}: {done.stdout[-300:]}"]
    return found


def plan(root: Path, wanted: list[str], modes: list[str], seeds: int) -> list[tuple[Path, str]]:
    """Every (page, mode) that the call is about."""
    pages = [*sorted(root.glob("book/*.ipynb")), *sorted(root.glob("solutions/*.ipynb"))]
    if wanted:
        pages = [path for path in pages if {path.stem, name_of(path)} & set(wanted)]
    found = []
    for path in pages:
        mine = [*MODES, *(seed_modes(seeds) if makes_claims(path) else [])]
        found += [(path, mode) for mode in mine if wanted_mode(mode, modes)]
    return found


def wanted_mode(mode: str, modes: list[str]) -> bool:
    return not modes or mode in modes or mode.partition("+")[0] in modes


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def file_of(place: Path, path: Path, mode: str) -> Path:
    return place / f"{path.parent.name}-{path.stem}-{mode}.json"


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="such as softmax or solutions/01_softmax; all")
    parser.add_argument("--mode", action="append", help=f"{', '.join(MODES)}, seed (all) or seed+3")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=processors())
    parser.add_argument("--fresh", action="store_true", help="repeat what is known")
    given = parser.parse_args(arguments)
    runs = plan(root, given.pages, given.mode or [], given.seeds)
    if not runs:
        print(f"No such page or mode. Modes: {', '.join(MODES)}, seed, seed+1 and so on.")
        return 2
    place = root / "_build" / "portable"
    place.mkdir(parents=True, exist_ok=True)
    results, todo = {}, []
    for path, mode in runs:
        file, now = file_of(place, path, mode), key(path, mode, root)
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        if known.get("key") == now and not given.fresh:
            results[name_of(path), mode] = known
        else:
            todo.append((path, mode, now))
    print(f"{len(todo)} runs to do, {len(results)} known, {given.jobs} at a time", flush=True)
    with ThreadPoolExecutor(given.jobs) as pool:
        running = {
            pool.submit(run, path, mode, root): (path, mode, now) for path, mode, now in todo
        }
        for count, future in enumerate(as_completed(running), 1):
            path, mode, now = running[future]
            result = {"key": now, "page": name_of(path), "mode": mode, **future.result()}
            results[name_of(path), mode] = result
            text = json.dumps(result, indent=1, ensure_ascii=False)
            file_of(place, path, mode).write_text(text, encoding="utf-8")
            word = "  FAILED: " + result["failures"][0] if result["failures"] else ""
            took = f"[{count}/{len(todo)}] {result['seconds']:6.1f} s"
            print(f"{took}  {mode:12}{name_of(path)}{word}", flush=True)
    text = f"Processor: {processor()}\n\n{tables(results)}"
    (place / "table.md").write_text(text, encoding="utf-8")
    print(f"\n{text}")
    return int(any(result["failures"] for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())

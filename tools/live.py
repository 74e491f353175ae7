"""Fetch what Python in the page is made of, into .venv/live: Pyodide and NumPy for WebAssembly, and
the editor of its cells.

    python tools/live.py

Both are packages of a fixed version, held to their SHA-256. Pyodide comes from npm; the NumPy wheel
from a folder named by LIVE_WHEELS, from Pyodide's own distribution, or from an npm package that
carries it. Where neither can be had, this says so, and the book is built without the buttons.
`live_compile.js` then compiles what a start imports, in Pyodide itself, under the Node.js of npm.
The editor, CodeMirror, comes from npm in the versions of live_codemirror/package-lock.json, and
esbuild makes one script of it; without it the cells are the browser's own text fields.

Runs on a bare Python: standard library only.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterable
from pathlib import Path

PLACE = Path(".venv/live")
COMPILE = Path(__file__).with_name("live_compile.js")
EDITOR = Path(__file__).with_name("live_codemirror")
PYODIDE = "pyodide@0.29.5"
PYODIDE_SHA = "6749b10ee515a1458ecea36d860c8ce2a48366e85b3f92d749ad1840e4aff181"
RUNTIME = ("pyodide.asm.js", "pyodide.asm.wasm", "pyodide.js", "python_stdlib.zip")
DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v0.29.5/full/"
# One release of NumPy, built twice: Pyodide's lock file names the first.
WHEELS = {
    "numpy-2.2.5-cp313-cp313-pyemscripten_2025_0_wasm32.whl": (
        "800c98edc0c864dfa49f07005680c699b4b42b84eae1f8cb19d35b3634e7f05c"
    ),
    "numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl": (
        "125230b4c3ecd08803e5c43f1162e017c0718d9f253146225a705a952b9c16c2"
    ),
}
# Of this package the NumPy wheel alone is taken, which is NumPy's own, with its licence inside.
CARRIER = "@bentopdf/pymupdf-wasm@0.11.16"
# What a reader's cell never imports: compilers' input, type stubs, tests.
LEFT_OUT = ("numpy/f2py/", "numpy/_core/include/", "numpy/distutils/")
SUFFIXES = (".pyi", ".h", ".a", ".c", ".pxd")
NOTICE = """Python in these pages

Pyodide 0.29.5, Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/), unchanged; its source
is https://github.com/pyodide/pyodide at 0.29.5. It contains CPython 3.13, under the Python Software
Foundation License (https://docs.python.org/3.13/license.html), of whose library some modules are
compiled and some left out.

NumPy 2.2.5, without its tests, headers and type stubs; its licence follows.

"""


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pack(package: str, place: Path) -> Path:
    """The archive that npm has of a package. Raises OSError where there is none."""
    npm = shutil.which("npm")
    if npm is None:
        raise OSError("npm is missing (Debian: apt-get install npm)")
    place.mkdir()
    done = subprocess.run(
        [npm, "pack", "--silent", "--fetch-retries=1", package],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    found = list(place.glob("*.tgz"))
    if done.returncode or not found:
        raise OSError(f"npm has no {package}: {(done.stderr.strip() or 'no answer')[-200:]}")
    return found[0]


def runtime(place: Path) -> dict[str, bytes]:
    """Pyodide's own files by name. Raises OSError."""
    archive = pack(PYODIDE, place / "pyodide")
    if sha256(archive) != PYODIDE_SHA:
        raise OSError(f"{PYODIDE} is not the archive whose SHA-256 stands in tools/live.py")
    with tarfile.open(archive) as files:
        return {name: files.extractfile(f"package/{name}").read() for name in RUNTIME}


def wheel(place: Path) -> Path:
    """The NumPy wheel: from LIVE_WHEELS, the distribution or the carrier. Raises OSError."""
    if folder := os.environ.get("LIVE_WHEELS"):
        found = [path for name in WHEELS if (path := Path(folder, name)).exists()]
        if not found:
            raise OSError(f"the folder {folder} (LIVE_WHEELS) holds none of {', '.join(WHEELS)}")
        path = found[0]
    else:
        path = downloaded(place) or carried(place)
    if sha256(path) != WHEELS[path.name]:
        raise OSError(f"{path.name} is not the wheel whose SHA-256 stands in tools/live.py")
    return path


def downloaded(place: Path) -> Path | None:
    """The wheel from Pyodide's distribution, or None where it cannot be reached."""
    name = next(iter(WHEELS))
    try:
        with urllib.request.urlopen(DISTRIBUTION + name, timeout=20) as answer:
            (place / name).write_bytes(answer.read())
    except OSError:
        return None
    return place / name


def carried(place: Path) -> Path:
    """The wheel out of the npm package that carries it. Raises OSError."""
    with tarfile.open(pack(CARRIER, place / "carrier")) as files:
        for member in files.getmembers():
            if (name := Path(member.name).name) in WHEELS:
                (place / name).write_bytes(files.extractfile(member).read())
                return place / name
    raise OSError(f"{CARRIER} holds none of {', '.join(WHEELS)}")


def trimmed(wheel: Path, target: Path) -> str:
    """Write what cells import of the wheel, uncompressed: it is packed later. Its licence."""
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(target, "w") as part:
        for name in sorted(whole.namelist()):
            if not (name.startswith(LEFT_OUT) or "/tests/" in name or name.endswith(SUFFIXES)):
                part.writestr(zipfile.ZipInfo(name), whole.read(name))  # no date: same bytes
        licence = next(n for n in whole.namelist() if n.endswith("dist-info/LICENSE.txt"))
        return whole.read(licence).decode()


def compiled(place: Path) -> None:
    """Compile what a start imports of `python_stdlib.zip` and `numpy.zip`. Raises OSError."""
    node = shutil.which("node")
    if node is None:
        raise OSError("node is missing (Debian: apt-get install nodejs)")
    done = subprocess.run([node, COMPILE, place], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"node could not compile Python's modules: {done.stderr.strip()[-200:]}")


def ran(what: str, *words: str | Path, cwd: Path) -> None:
    """Run a program of Node.js or npm. Raises OSError where it is missing or fails."""
    program = shutil.which(str(words[0]))
    if program is None:
        raise OSError(f"{words[0]} is missing (Debian: apt-get install npm)")
    done = subprocess.run(
        [program, *words[1:]], cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise OSError(f"{what}: {(done.stderr.strip() or 'no answer')[-200:]}")


def editor_stamp() -> str:
    """Of what the editor is made: another one takes the place of an older."""
    return hashlib.sha256(b"".join(p.read_bytes() for p in sorted(EDITOR.iterdir()))).hexdigest()


def editor() -> None:
    """Write codemirror.js to PLACE, then codemirror.txt with its licences. Raises OSError."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(shutil.copytree(EDITOR, Path(folder) / "editor"))
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
        ran("npm has not the editor's packages", "npm", "ci", "--silent", *quiet, cwd=place)
        esbuild = "node_modules/esbuild-wasm/bin/esbuild"
        form = ("--bundle", "--minify", "--format=iife", "--global-name=CodeMirror")
        files = ("--target=es2020", "--metafile=made.json", "--outfile=codemirror.js")
        failed = "esbuild could not join the editor's modules"
        ran(failed, "node", esbuild, "names.js", *form, *files, cwd=place)
        used = json.loads((place / "made.json").read_text(encoding="utf-8"))["inputs"]
        (PLACE / "codemirror.js").write_bytes((place / "codemirror.js").read_bytes())
        text = f"{editor_licences(place, used)}\nMade of {editor_stamp()}.\n"
        (PLACE / "codemirror.txt").write_text(text, encoding="utf-8", newline="\n")


def editor_licences(place: Path, used: Iterable[str]) -> str:
    """The packages that modules come from, and below those of one licence its text."""
    found = {
        match[0] for name in used if (match := re.match(r"node_modules/(@[^/]+/)?[^/]+", name))
    }
    texts = {}
    for folder in sorted(found):
        about = json.loads((place / folder / "package.json").read_text(encoding="utf-8"))
        licence = next(path for path in (place / folder).iterdir() if path.stem == "LICENSE")
        named = texts.setdefault(licence.read_text(encoding="utf-8"), [])
        named.append(f"{about['name']} {about['version']}")
    parts = [f"{', '.join(named)}\n\n{text}" for text, named in texts.items()]
    return "The editor of the pages' cells\n\n" + "\n".join(parts)


def has_editor() -> bool:
    written = PLACE / "codemirror.txt"
    return written.exists() and editor_stamp() in written.read_text(encoding="utf-8")


def fetch() -> None:
    """Write every part to PLACE, the notice last: where it stands, all of them do."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        files, numpy = runtime(place), wheel(place)
        shutil.rmtree(PLACE, ignore_errors=True)
        PLACE.mkdir(parents=True)
        for name, content in files.items():
            (PLACE / name).write_bytes(content)
        licence = trimmed(numpy, PLACE / "numpy.zip")
        compiled(PLACE)
        (PLACE / "LICENCES.txt").write_text(NOTICE + licence, encoding="utf-8", newline="\n")


def main() -> int:
    refused = 1 if os.environ.get("COURSE_CI") else 0
    if not (PLACE / "LICENCES.txt").exists():
        try:
            fetch()
        except OSError as error:
            print(f"The pages get no Run buttons: {error}. All else of the book is the same.")
            return refused
        print(f"Python for the pages is in {PLACE}.")
    if not has_editor():
        try:
            editor()
        except OSError as error:
            print(f"What a reader types into a page has no colours: {error}. It runs all the same.")
            return refused
        print(f"The editor for the pages' cells is in {PLACE}.")
    (PLACE / "LICENCES.txt").touch()  # make asks for no more
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Execute the book's notebooks side by side, into the cache that the build reads.

What fails is cached too, with what it showed until then, so that its page can be built; it is
listed in _build/failures.json, from which failures.py in book/_ext tells the reader, and runs again
in the next build. With COURSE_MODELS=no a page that loads a published model is not run, nor one
that plays recordings where there are none: it keeps the outputs of its file, and is listed in
_build/as_stored.json.
"""

import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import nbformat
import yaml
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from tools.contents import listed
from tools.processor import processors
from tools.warm import warm_kernels

sys.path.append(str(Path(__file__).resolve().parents[1] / "book" / "_ext"))
from execution.page_key import anywhere, cache_folder, keyed  # noqa: F401  tools.recorded asks here
from execution.used_code import imports, used  # noqa: F401  tools.touched asks here

PUBLISHED = re.compile(r"course_lib\.published")
VOICES = re.compile(r"course_lib\.published[^#]*\bvoices\b")
GUESS, GUESS_TRAINING = 10.0, 60.0  # seconds of a page that never ran here


class Run(NamedTuple):
    """How one page's execution ended; `failure` is a sentence, empty where there is none."""

    notebook: NotebookNode
    seconds: float
    failure: str
    as_stored: bool = False


def pages(root: Path) -> list[str]:
    """The pages that are notebooks, by their names in the contents."""
    return [name for name in listed(root) if (root / f"{name}.ipynb").exists()]


def executed(root: Path) -> list[str]:
    """The pages that are run: all but those that _config.yml leaves out, such as exercises."""
    settings = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["execute"]
    patterns = settings.get("exclude_patterns", [])
    names = pages(root)
    return [n for n in names if not any(PurePosixPath(n).match(pattern) for pattern in patterns)]


def without_models() -> bool:
    """Whether the book is built without the published models, for want of a network."""
    return os.environ.get("COURSE_MODELS") == "no"


def loads_model(root: Path, path: Path, what: re.Pattern = PUBLISHED) -> bool:
    """Whether a notebook loads a published model, itself or through the book's helpers.

    The exercises' last cells do not: without the files they print a sentence.
    """
    notebook = nbformat.read(path, as_version=4)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    helpers = [
        p for p in used(root, cells) if p.is_relative_to(root / "book") and p.suffix == ".py"
    ]
    texts = [*cells, *(helper.read_text(encoding="utf-8") for helper in helpers)]
    return any(what.search(text) for text in texts)


def stays_as_stored(root: Path, path: Path) -> bool:
    """Whether a notebook is not run: without models, or without the recordings that it plays.

    Not every machine has the packages of Debian that the recordings come in.
    """
    if without_models():
        return loads_model(root, path)
    return loads_model(root, path, VOICES) and not all(recordings_here().values())


def recordings_here() -> dict[str, bool]:
    """By language, whether the recordings are on this machine."""
    from course_lib.published.voices import VOICES as languages  # imports torch

    return {name: voice.file.kept.exists() for name, voice in languages.items()}


def stored_or_run(root: Path, name: str, limit: int, manager: type | None = None) -> Run:
    """The page as its file has it where what it needs is missing and not wanted; else run."""
    path = root / f"{name}.ipynb"
    if stays_as_stored(root, path):
        return Run(nbformat.read(path, as_version=4), 0.0, "", as_stored=True)
    return run(path, limit, manager)


def run(path: Path, limit: int, manager: type | None = None) -> Run:
    """Execute one page. A cell that raises does not keep those after it from running."""
    notebook = nbformat.read(path, as_version=4)
    start, at = time.monotonic(), 0

    def left(cell) -> int:
        return max(1, int(limit - (time.monotonic() - start)))

    def starts(cell, cell_index) -> None:
        nonlocal at
        at = cell_index

    client = NotebookClient(
        notebook,
        timeout_func=left,
        on_cell_start=starts,
        allow_errors=True,
        record_timing=False,
        shutdown_kernel="immediate",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
        **({"kernel_manager_class": manager} if manager else {}),
    )
    try:
        client.execute()
        failure = failed_cell(notebook)
    except CellTimeoutError:
        failure = f"{named(notebook, at)} was stopped: a page has {limit} seconds."
    except DeadKernelError:
        failure = f"{named(notebook, at)} ended its Python (the kernel died)."
    except Exception as error:  # whatever it is, the other pages are built
        failure = f"The notebook could not be run: {type(error).__name__}: {error}"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    return Run(notebook, time.monotonic() - start, failure)


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """What was printed in several pieces as one, or myst-nb would break a line in two.

    nbclient's `coalesce_streams` also looks for carriage returns, in the square of a line's length:
    a line of 3 MB would hold the build for ever, beyond any limit."""
    made = []
    for stream, pieces in groupby(outputs, key=lambda output: output.get("name", "")):
        first, *more = pieces
        if stream:  # only what was printed has a name, stdout or stderr
            first["text"] = "".join(piece["text"] for piece in (first, *more))
            more = []
        made += [first, *more]
    return made


def failed_cell(notebook: NotebookNode) -> str:
    """What is wrong with the outputs of a notebook that ran to its end; empty if nothing is."""
    code = [(i, cell) for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    for i, cell in code:
        for output in cell.outputs:
            if output.output_type == "error" and "raises-exception" not in tags(cell):
                return f"{named(notebook, i)} raised {output.ename}: {output.evalue}"
    if not any(cell.outputs for _, cell in code):
        return "No cell printed or showed anything."
    return ""


def tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def named(notebook: NotebookNode, index: int) -> str:
    """A cell as a person finds it: its number among the code cells, as after Run All, and id."""
    number = sum(cell.cell_type == "code" for cell in notebook.cells[: index + 1])
    return f"Cell [{number}] ({notebook.cells[index].get('id', 'no id')})"


def execute(root: Path, limit: int, jobs: int | None = None) -> dict[str, str]:
    """Execute what is not in the cache, the longest first; the failures, by page."""
    os.environ.setdefault("COURSE_MINE", "no")  # `check` keeps what students write, not ours
    os.environ.setdefault("COURSE_WAIT", "no")  # nobody waits: what is said hangs on no clock
    cache = get_cache(str(cache_folder(root / "_build")))  # where Sphinx looks, too
    known = root / "_build" / "seconds.json"
    seconds = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    names = executed(root)
    stale = [name for name in names if not is_cached(cache, root, name)]
    stale.sort(key=lambda name: -seconds.get(name, guess(root / f"{name}.ipynb")))
    jobs = jobs or processors()
    print(f"{len(stale)} of {len(names)} notebooks to execute, {jobs} at a time", flush=True)
    failures = {}
    with warm_kernels(len(stale) > jobs) as manager, ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(stored_or_run, root, name, limit, manager): name for name in stale}
        for count, future in enumerate(as_completed(running), 1):
            name, ended = running[future], future.result()
            data = {"execution_seconds": ended.seconds, "failure": ended.failure}
            data["as_stored"] = ended.as_stored
            notebook = keyed(root, ended.notebook)
            bundle = CacheBundleIn(notebook, str(root / f"{name}.ipynb"), data=data)
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            if not ended.as_stored:
                seconds[name] = round(ended.seconds, 1)
            if ended.failure:
                failures[name] = ended.failure
            word = "FAILED  " if ended.failure else "as stored  " if ended.as_stored else ""
            print(f"[{count}/{len(stale)}] {ended.seconds:6.1f} s  {word}{name}", flush=True)
    known.write_text(json.dumps(seconds, indent=1), encoding="utf-8")
    text = json.dumps(failures, indent=1, ensure_ascii=False)
    (root / "_build" / "failures.json").write_text(text, encoding="utf-8")
    stored = [name for name in names if stays_as_stored(root, root / f"{name}.ipynb")]
    text = json.dumps(stored, indent=1)
    (root / "_build" / "as_stored.json").write_text(text, encoding="utf-8")
    return failures


def is_cached(cache, root: Path, name: str) -> bool:
    """Whether the page ran to its end with these cells and the code that they use."""
    notebook = nbformat.read(root / f"{name}.ipynb", as_version=4)
    try:
        record = cache.match_cache_notebook(keyed(root, notebook))
    except KeyError:
        return False
    data = record.data or {}
    stored = data.get("as_stored") and not stays_as_stored(root, root / f"{name}.ipynb")
    return not data.get("failure") and not stored


def guess(path: Path) -> float:
    """How long a page may take that never ran here: one that makes claims trains."""
    return GUESS_TRAINING if "claim(" in path.read_text(encoding="utf-8") else GUESS

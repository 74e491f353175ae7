"""Run notebooks and keep them canonical, so that diffs are small and nbval has text to compare.

    python tools/notebooks.py run PATH...      execute, then write the canonical form
    python tools/notebooks.py check PATH...    say what is not canonical; exit 1 if anything is not
    python tools/notebooks.py fix PATH...      write the canonical form without executing

Canonical: nbformat 4.5; stable, unique cell ids; text outputs and no images; no volatile metadata;
`execution_count` 1 in every cell that ran (nbval compares nothing in a cell that has none).
"""

import argparse
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
# Notebook metadata that means something to the book or to an exercise; the rest is an editor's.
NOTEBOOK_KEYS = {"kernelspec", "language_info", "mystnb", "exercise"}
EDITORS_KEYS = {"execution", "ExecuteTime", "collapsed", "scrolled", "trusted", "vscode"}
# Images, widgets and HTML go: a figure that moves says in its text what it shows.
TEXTS = ("text/plain", "text/markdown", "text/latex")
ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")
PADDED = re.compile(r"≈ {2,}[-−]?\d")  # tests/nbval.cfg takes a number right after ≈ alone
CELL_ID = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
ANSWERS_BEFORE_RUN = "exercises"


def canonical(notebook: NotebookNode, *, cleared: bool = False) -> NotebookNode:
    """The notebook in canonical form, as a new object. `cleared` drops every output."""
    kept = {key: value for key, value in notebook.metadata.items() if key in NOTEBOOK_KEYS}
    kept["kernelspec"] = dict(KERNEL)
    kept["language_info"] = {"name": "python"}
    cells = [canonical_cell(cell, cleared) for cell in notebook.cells]
    for cell, name in zip(cells, unique_ids(notebook.cells), strict=True):
        cell["id"] = name
    return nbformat.from_dict(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": kept, "cells": cells}
    )


def canonical_cell(cell: NotebookNode, cleared: bool = False) -> dict:
    """One cell without what an editor or an execution left in it. Its id comes later."""
    metadata = {k: v for k, v in cell.get("metadata", {}).items() if k not in EDITORS_KEYS}
    plain = {"cell_type": cell.cell_type, "metadata": metadata, "source": cell.source.rstrip("\n")}
    if cell.cell_type != "code":
        if cell.get("attachments"):
            plain["attachments"] = cell.attachments
        return plain
    ran = not cleared and cell.get("execution_count") is not None
    plain["execution_count"] = 1 if ran else None
    plain["outputs"] = canonical_outputs(cell.outputs) if ran else []
    return plain


def canonical_outputs(outputs: list) -> list:
    """Text outputs as they are printed on any machine. nbval compares these on both sides."""
    kept: list[NotebookNode] = []
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            if kept and kept[-1].output_type == "stream" and kept[-1].name == output["name"]:
                kept[-1].text += output["text"]
            else:
                kept.append(node(kind, name=output["name"], text=output["text"]))
        elif kind == "error":
            # The traceback holds paths and colours; the exception's name and words are the text.
            kept.append(node(kind, ename=output["ename"], evalue=output["evalue"], traceback=[]))
        elif kind in ("display_data", "execute_result"):
            data = {k: v for k, v in output["data"].items() if k in TEXTS}
            if data:
                slim = node(kind, metadata=NotebookNode(), data=NotebookNode(data))
                if kind == "execute_result":
                    slim.execution_count = 1
                kept.append(slim)
    return kept


def printed(cell: NotebookNode) -> Iterator[str]:
    """What the outputs of a code cell say in text."""
    for output in cell.outputs:
        yield output.get("text") or output.get("data", {}).get("text/plain", "")


def node(kind: str, **fields) -> NotebookNode:
    """One output of the given kind."""
    return NotebookNode(output_type=kind, **fields)


def unique_ids(cells: list) -> Iterator[str]:
    """The id of each cell: the one it has if that is valid and not taken, else from its content."""
    own = [cell.get("id") or "" for cell in cells]
    first = {name: i for i, name in reversed(list(enumerate(own))) if CELL_ID.match(name)}
    taken = set(first)
    for i, cell in enumerate(cells):
        if first.get(own[i]) == i:
            yield own[i]
            continue
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        name, n = digest, 1
        while name in taken:
            n += 1
            name = f"{digest}-{n}"
        taken.add(name)
        yield name


def dumps(notebook: NotebookNode) -> str:
    """The notebook as it stands in git: validated, indented by one, ending in one newline."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def read(path: Path) -> NotebookNode:
    """The notebook at `path`. Does not invent ids: those come from `canonical`."""
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=nbformat.NO_CONVERT)


def is_exercise(path: Path) -> bool:
    """Whether the file is a student's notebook, which is committed without outputs."""
    return path.resolve().parent.name == ANSWERS_BEFORE_RUN


def problems(path: Path) -> list[str]:
    """What keeps the file at `path` from being canonical, as sentences; empty when it is."""
    try:
        text = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    except (UnicodeDecodeError, nbformat.reader.NotJSONError) as error:
        return [f"is not a notebook: {error}"]
    found, unrun = [], []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code" or is_exercise(path):
            continue
        tags = cell.metadata.get("tags", [])
        ran = cell.get("execution_count") is not None or not cell.source.strip()
        if not ran and "skip-execution" not in tags:
            unrun.append(str(number))
        if cell.source.rstrip().endswith(";"):
            # nbval runs cells without history, where IPython does not see the semicolon.
            found.append(f"cell {number} ends in a semicolon: end it with plt.show() instead")
        failed = any(output["output_type"] == "error" for output in cell.outputs)
        if any(ADDRESS.search(text) for text in printed(cell)):
            found.append(f"cell {number} stores an address in memory, another at each run")
        if any(PADDED.search(text) for text in printed(cell)):
            found.append(f"cell {number} pads a number after ≈, so nbval compares it")
        if failed and "raises-exception" not in tags:
            found.append(f"cell {number} stores an exception and lacks the tag raises-exception")
    if unrun:
        found.append(f"has cells that never ran ({', '.join(unrun)}): use `tools/notebooks.py run`")
    if text != dumps(canonical(notebook, cleared=is_exercise(path))):
        found.append("is not canonical: use `tools/notebooks.py fix`, or `run` if outputs changed")
    return found


def execute(path: Path, timeout: int) -> NotebookNode:
    """The notebook at `path`, executed in its own folder by this Python."""
    from nbclient import NotebookClient

    notebook = canonical(read(path), cleared=True)
    # The kernel spec says "python": ours must be the first one on PATH.
    os.environ.setdefault("COURSE_MINE", "no")  # `check` keeps what students write, not ours
    os.environ.setdefault("COURSE_WAIT", "no")  # nobody waits: what is said hangs on no clock
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    resources = {"metadata": {"path": str(path.resolve().parent)}}
    # What a kernel says of its transport frightens, and concerns a kernel on another machine.
    quiet = {"extra_arguments": ["--log-level=ERROR"]}
    NotebookClient(
        notebook, timeout=timeout, kernel_name="python3", resources=resources, **quiet
    ).execute()
    return canonical(notebook)


def notebooks_in(paths: list[Path]) -> Iterator[Path]:
    """Every notebook that the arguments name: files as they are, folders by what is in them."""
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.ipynb"))
            yield from (p for p in found if ".ipynb_checkpoints" not in p.parts)
        elif path.exists():
            yield path
        else:
            sys.exit(f"{path} does not exist; give notebooks or folders that hold them.")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["run", "check", "fix"])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one cell")
    given = parser.parse_args(arguments)
    bad = 0
    for path in notebooks_in(given.paths):
        if given.action == "check":
            found = problems(path)
            bad += bool(found)
            for sentence in found:
                print(f"{path}: {sentence}")
            continue
        if given.action == "run":
            notebook = execute(path, given.timeout)
        else:
            notebook = canonical(read(path), cleared=is_exercise(path))
        path.write_text(dumps(notebook), encoding="utf-8", newline="\n")
        print(f"{path}: written")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

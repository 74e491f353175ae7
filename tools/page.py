"""A new chapter: its notebook with all parts that a chapter has, and its line in _toc.yml.

    make page NAME=my_idea [AFTER=softmax]

It runs as it is. Each place to fill begins with [WRITE: and a test names those that are left.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import nbformat

from course_lib.checker.escape import render
from course_lib.scaffold import cells_of
from tools.address import read as read_address
from tools.colab import snippet
from tools.contents import chapters
from tools.notebooks import canonical, dumps

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = Path(__file__).with_suffix(".j2")
NEXT = """book/{name}.ipynb: written
_toc.yml: a line added after {after}

Fill the places that begin with [WRITE: then
  python tools/notebooks.py run book/{name}.ipynb
  pytest tests/book -k "{name} or minutes"
  make book"""


def new_page(root: Path, name: str, after: str) -> str:
    """Write the chapter and its line; what to do next. Raises ValueError for a name that cannot
    be one, and for a chapter to follow that there is not."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(
            f"{name!r} cannot be the name of a page: it is written in small letters, digits and _, "
            "such as NAME=sparse_attention."
        )
    path = root / "book" / f"{name}.ipynb"
    if path.exists() or path.with_suffix(".md").exists():
        raise ValueError(f"There is a page {name!r} already; choose another NAME.")
    known = chapters(root)
    before = f"book/{after}" if after else known[-1]
    if before not in known:
        raise ValueError(f"AFTER={after} is no chapter of _toc.yml, such as AFTER=softmax.")
    contents = (root / "_toc.yml").read_text(encoding="utf-8")
    line = re.search(rf"^( *- file: ){before}$", contents, re.M)
    changed = f"{contents[: line.end()]}\n{line[1]}book/{name}{contents[line.end() :]}"
    path.write_text(notebook(root, name), encoding="utf-8", newline="\n")
    (root / "_toc.yml").write_text(changed, encoding="utf-8", newline="\n")
    return NEXT.format(name=name, after=before)


def notebook(root: Path, name: str) -> str:
    """The page's file: the template, and the cell that every notebook has in second place."""
    cells = cells_of(render(TEMPLATE, title=name.replace("_", " ").capitalize()))
    source = snippet(read_address(root).archive())
    own = nbformat.v4.new_code_cell(source, id="colab", metadata={"tags": ["remove-cell"]})
    cells.insert(1, own)
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    return dumps(canonical(nbformat.reads(json.dumps(whole), as_version=4)))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name")
    parser.add_argument("--after", default="", help="the chapter before it; the last if left out")
    given = parser.parse_args(arguments)
    try:
        print(new_page(ROOT, given.name, given.after))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

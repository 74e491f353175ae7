"""A file of the input: where it lies, when it was written, how to read it, or why that is not done.

A path in a table of the class is that of the input and then that in the input, also through a zip:
`class.zip/ada/01_softmax.ipynb`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from course_lib.checker.notebook import NOTEBOOK

EMPTY = "the folder is empty"
HIDDEN = "the folder holds only what is hidden: Jupyter's checkpoints, or a file still in a cloud"
Parts = tuple[str, ...]
Reader = Callable[[], tuple[bytes | None, str]]  # a file's bytes and its SHA-256
DEEPEST = 8  # folders below the input that are looked into
IGNORED = re.compile(r"^(\.|__\w+__$|__MACOSX$)")


@dataclass(frozen=True)
class File:
    """One file. What cannot be read, and a folder with nothing in it, has the name "" and says in
    `problem` what it is."""

    parts: Parts
    date: str = ""  # ISO 8601; without an offset where an archive's clock says no zone
    read: Reader | None = field(default=None, repr=False, compare=False)
    problem: str = ""

    @property
    def path(self) -> str:
        return "/".join(self.parts)


def is_notebook(name: str) -> bool:
    """Whether a file's name says that it is a notebook, whatever a browser has added."""
    return bool(NOTEBOOK.search(name))

"""Read a notebook as data: bounded in size, depth and encoding, and never run.

What is kept are the cells of code, in order, with the task that each one's metadata names. What of
them runs for a task, `run.program` says.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from course_lib.checker.run.statements import named_in_text
from course_lib.checker.what_it_is import instead_of_json, instead_of_text, without_outputs

MAX_BYTES = 20 << 20
MAX_HASHED = 256 << 20
MAX_BRACKETS = 300_000  # `[` and `{`: a small file of them would fill the memory when parsed
MAX_COMMAS = 3_000_000
MAX_CELLS = 5_000
MAX_SOURCE = 200_000  # characters of one answer
MAX_HELPERS = 200_000  # characters of all cells that are no answer
NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.I)  # Safari adds .txt
# What browsers and platforms add to a name that is taken: `-1`, ` (1)`, `-Copy1`.
VERSION = re.compile(r"(?: ?\((\d{1,9})\)|-(\d{1,9})|-Copy(\d{1,9}))$")


NO_CELL = "The notebook has no answer cell for this task."
NO_CODE = (
    "Its answer stands in a cell of kind {0}, which does not run: click into it, choose Code in "
    "the list above the notebook, and hand it in again."
)


class Unreadable(ValueError):
    """This is no notebook; the message says why, for the student."""


@dataclass(frozen=True)
class Notebook:
    """The cells of code of a submission, in order, each with the task that its metadata names."""

    cells: tuple[tuple[str | None, str], ...] = ()
    texts: dict[str, str] = field(default_factory=dict)  # tasks whose answer is no code: its kind

    def why_none(self, task: str) -> str:
        """The sentence for a task without an answer."""
        return NO_CODE.format(self.texts[task]) if task in self.texts else NO_CELL


def read_file(name: str, folder: int | None = None) -> tuple[bytes | None, str]:
    """The bytes of a regular file and their SHA-256, the bytes None when there are too many.
    Follows no link and waits for no pipe. Raises Unreadable."""
    flags = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        fd = os.open(name, flags | getattr(os, "O_NONBLOCK", 0), dir_fd=folder)
    except OSError as error:
        raise Unreadable(f"It cannot be opened ({error.strerror}).") from None
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("It is not a regular file.")
        if status.st_size > MAX_HASHED:
            return None, ""
        with open(fd, "rb", closefd=False) as file:
            if status.st_size > MAX_BYTES:
                return None, hashlib.file_digest(file, "sha256").hexdigest()
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Unreadable(f"It cannot be read ({error.strerror}).") from None
    finally:
        os.close(fd)
    return (data if len(data) <= MAX_BYTES else None), hashlib.sha256(data).hexdigest()


def parse_notebook(data: bytes | None, tasks: Collection[str]) -> Notebook:
    """The cells of code of a notebook's bytes. Raises Unreadable, and nothing else."""
    found = read_cells(data)
    cells = [parts for cell in found if (parts := code_of(cell))]
    return Notebook(_select(cells, tasks), _texts(found, tasks))


def read_cells(data: bytes | None) -> list[Any]:
    """Whatever a notebook's bytes list as its cells, outputs left out where they are many. Raises
    Unreadable, and nothing else."""
    if data is None or len(data) > MAX_BYTES:
        raise Unreadable(
            f"It is larger than {MAX_BYTES >> 20} MB; clear its outputs (in Jupyter: Edit, Clear "
            "Outputs of All Cells), save it and hand it in again."
        )
    data = without_outputs(data) if _holds_too_much(data) else data
    if _holds_too_much(data):
        raise Unreadable("It holds too many lists or objects, outputs left out: hand in the code.")
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable(instead_of_text(data) or "It is not UTF-8 text.") from None
    except (ValueError, RecursionError, MemoryError):
        raise Unreadable(instead_of_json(data) or "It is not valid JSON.") from None
    cells = content.get("cells") if type(content) is dict else None
    if type(cells) is not list:
        raise Unreadable("It has no list of cells, so it is no notebook of format 4.")
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"It has more than {MAX_CELLS} cells.")
    return cells


def _holds_too_much(data: bytes) -> bool:
    brackets = data.count(b"[") + data.count(b"{")
    return brackets > MAX_BRACKETS or data.count(b",") > MAX_COMMAS


def code_of(cell: Any) -> tuple[str | None, str] | None:
    """(task or None, source) of a code cell; None for any other."""
    source = source_of(cell, "code")
    if source is None or len(source) > MAX_SOURCE:
        return None
    return _task(cell.get("metadata")), source


def source_of(cell: Any, kind: str) -> str | None:
    """The text of a cell of that kind; None where it is of another, or has none."""
    if type(cell) is not dict or cell.get("cell_type") != kind:
        return None
    source = cell.get("source", "")
    if type(source) is list and all(type(line) is str for line in source):
        source = "".join(source)
    return source if type(source) is str else None


def _task(metadata: Any) -> str | None:
    """The task that a cell's metadata names, ours (`task`) or nbgrader's (`grade_id`)."""
    if type(metadata) is not dict:
        return None
    nbgrader = metadata.get("nbgrader")
    grade_id = nbgrader.get("grade_id") if type(nbgrader) is dict else None
    named = metadata.get("task", grade_id)
    return named if type(named) is str else None


def _texts(cells: list[Any], tasks: Collection[str]) -> dict[str, str]:
    """The tasks whose answer stands in a cell of another kind, by a key pressed too much."""
    found = {}
    for cell in cells:
        for kind in ("markdown", "raw"):
            text = source_of(cell, kind)
            if text is not None and len(text) <= MAX_SOURCE:
                named = {_task(cell.get("metadata"))} | named_in_text(text)
                found |= {task: kind for task in tasks if task in named}
    return found


def _select(
    cells: list[tuple[str | None, str]], tasks: Collection[str]
) -> tuple[tuple[str | None, str], ...]:
    names, room = set(tasks), MAX_HELPERS
    kept: list[tuple[str | None, str]] = []
    for task, source in cells:
        task = task if task in names else None
        if task is None and not names & named_in_text(source):
            if len(source) > room:
                continue
            room -= len(source)
        kept.append((task, source))
    return tuple(kept)


def split_version(stem: str) -> tuple[str, tuple[int, ...]]:
    """A stem without its counters, and the counters, the first one added first."""
    counters: list[int] = []
    while match := VERSION.search(stem):
        stem = stem[: match.start()]
        counters.insert(0, int(next(filter(None, match.groups()))))
    return stem, tuple(counters)


def last_exercise(stem: str, exercises: Collection[str]) -> tuple[str, str, tuple[int, ...]]:
    """(what stands before the exercise, exercise, counters) of a stem."""
    plain, counters = split_version(stem)
    fitting = [e for e in exercises if plain == e or plain.endswith("_" + e)]
    exercise = max(fitting, key=len, default="")
    return plain[: len(plain) - len(exercise)].removesuffix("_"), exercise, counters

"""Read a notebook as data: bounded in size, depth and encoding, and never run.

What is kept are the cells that the course's task list names, other cells that define something, and
all import statements.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from course_lib.grading.inside.answers import HELPER, defined_names

MAX_BYTES = 20 << 20
MAX_HASHED = 256 << 20
MAX_BRACKETS = 300_000  # `[` and `{`: a small file of them would fill the memory when parsed
MAX_COMMAS = 3_000_000
MAX_CELLS = 5_000
MAX_SOURCE = 200_000  # characters of one answer
MAX_IMPORTS = 500
MAX_HELPERS = 200_000  # characters of all other cells that define something
# An import statement at the left margin, perhaps with its names in parentheses or a line going on.
IMPORT = re.compile(r"^(?:import|from)\b(?:[^\n\\(]|\\\n){1,500}(?:\([^()]{1,2000}\))?", re.M)


class Unreadable(ValueError):
    """This is no notebook; the message says why, for the student."""


@dataclass(frozen=True)
class Notebook:
    """The parts of a submission that may run: answers and other cells that define something, in
    order, and import statements."""

    answers: tuple[tuple[str | None, str], ...] = ()
    imports: tuple[str, ...] = ()


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
    """The named cells of a notebook's bytes. Raises Unreadable, and nothing else, for any bytes."""
    return _select([parts for cell in read_cells(data) if (parts := _code(cell))], tasks)


def read_cells(data: bytes | None) -> list[Any]:
    """Whatever a notebook's bytes list as its cells. Raises Unreadable, and nothing else."""
    if data is None or len(data) > MAX_BYTES:
        raise Unreadable(f"It is larger than {MAX_BYTES >> 20} MB; clear its outputs first.")
    brackets = data.count(b"[") + data.count(b"{")
    if brackets > MAX_BRACKETS or data.count(b",") > MAX_COMMAS:
        raise Unreadable("It holds too many lists or objects.")
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable("It is not UTF-8 text.") from None
    except (ValueError, RecursionError, MemoryError):
        raise Unreadable("It is not valid JSON.") from None
    cells = content.get("cells") if type(content) is dict else None
    if type(cells) is not list:
        raise Unreadable("It has no list of cells, so it is no notebook of format 4.")
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"It has more than {MAX_CELLS} cells.")
    return cells


def _code(cell: Any) -> tuple[str | None, str] | None:
    """(task or None, source) of a code cell; None for any other."""
    if type(cell) is not dict or cell.get("cell_type") != "code":
        return None
    source = cell.get("source", "")
    if type(source) is list and all(type(line) is str for line in source):
        source = "".join(source)
    if type(source) is not str or len(source) > MAX_SOURCE:
        return None
    return _task(cell.get("metadata")), source


def _task(metadata: Any) -> str | None:
    """The task that a cell's metadata names, ours (`task`) or nbgrader's (`grade_id`)."""
    if type(metadata) is not dict:
        return None
    nbgrader = metadata.get("nbgrader")
    grade_id = nbgrader.get("grade_id") if type(nbgrader) is dict else None
    named = metadata.get("task", grade_id)
    return named if type(named) is str else None


def _select(cells: list[tuple[str | None, str]], tasks: Collection[str]) -> Notebook:
    names = set(tasks)
    answers: list[tuple[str | None, str]] = []
    room = MAX_HELPERS
    for task, source in cells:
        defined = defined_names(source)
        if task in names or names & defined:
            answers.append((task if task in names else None, source))
        elif defined and len(source) <= room:
            room -= len(source)
            answers.append((HELPER, source))
    imports = dict.fromkeys(text for _, source in cells for text in IMPORT.findall(source))
    return Notebook(tuple(answers), tuple(imports)[:MAX_IMPORTS])

"""Read what a student wrote in words: text out of markdown cells, as data."""

from typing import Any

from course_lib.checker.escape import printable
from course_lib.checker.notebook import read_cells, source_of

MAX_ANSWERS = 40  # of one notebook
MAX_TEXT = 20_000  # characters of one answer
EMPTY = "*Your answer here.*"


def written_answers(data: bytes | None) -> dict[str, str]:
    """The written answers of a notebook's bytes: what stands below the question of each markdown
    cell that is tagged `written`, by the name that its metadata gives.

    Plain text of at most 20,000 characters, without control characters; "" where nothing has been
    written. Of two cells with one name the last counts, as with answers in code. A name may be
    anybody's: ask for those of the exercise. Raises Unreadable, and nothing else, for any bytes.
    """
    found: dict[str, str] = {}
    for cell in read_cells(data):
        name = _name(cell)
        if name is None or (name not in found and len(found) == MAX_ANSWERS):
            continue
        if (source := source_of(cell, "markdown")) is not None:
            found[name] = _plain(source)
    return found


def beside_the_place(data: bytes | None) -> set[str]:
    """The questions below which there is nothing, and whose next cell is a text without a heading:
    written in a new cell, where nobody looks for it."""
    found, empty = set(), None
    for cell in read_cells(data):
        if type(cell) is not dict or cell.get("cell_type") != "markdown":
            continue
        source = source_of(cell, "markdown") or ""
        if (name := _name(cell)) is not None:
            empty = None if _plain(source) else name
        elif empty and source.strip():
            found |= set() if source.lstrip().startswith("#") else {empty}
            empty = None
    return found


def _name(cell: Any) -> str | None:
    if type(cell) is not dict or cell.get("cell_type") != "markdown":
        return None
    metadata = cell.get("metadata")
    name = metadata.get("written") if type(metadata) is dict else None
    return name if type(name) is str and 0 < len(name) <= 80 else None


def _plain(source: str) -> str:
    """The student's text: without the question above it, without the words that hold the place."""
    text = below_question(source[: 2 * MAX_TEXT]).replace("\r\n", "\n")
    text = printable("" if text.strip() == EMPTY else text.strip())
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + " […]"


def question_lines(source: str) -> list[str]:
    """The lines at the top of a cell that begin with ">"."""
    lines = source.split("\n")
    end = next((i for i, line in enumerate(lines) if not line.startswith(">")), len(lines))
    return lines[:end]


def below_question(source: str) -> str:
    """All that stands below the question; a student who deletes the question loses nothing."""
    return "\n".join(source.split("\n")[len(question_lines(source)) :])


def emptied(source: str) -> str:
    """The question with the words that hold the student's place below it."""
    return "\n".join([*question_lines(source), "", EMPTY])

"""The table of a class: whose file is whose. `attn collect` writes it, a lecturer may edit it, and
`attn grade` takes it.

A line with student, exercise and path is graded; of several for one student and exercise the last.
Without an exercise the file is a stray one of that student's; without a path something is to be
decided first, as `why` says; without a student it is nobody's until a name is filled in.
"""

import datetime
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import unguarded
from course_lib.checker.notebook import Unreadable
from grader.submissions.files import Reader
from grader.submissions.lookup import Lookup, There, told_apart
from grader.submissions.moments import LATE
from grader.submissions.platforms import is_fit
from grader.submissions.table import as_csv, read_table

COLUMNS = ("student", "exercise", "path", "date", "why", "id", "look")
NEEDED = COLUMNS[:3]
BY_NAME = "by the name"
TWO = "another file lies at {0!r}: the one beside the table counts"


@dataclass(frozen=True)
class Line:
    """One line of the table, and how to read its file when its turn comes."""

    student: str
    exercise: str
    path: str = ""
    date: str = ""  # ISO 8601; without an offset where the platform says none
    why: str = ""  # it is this student's
    id: str = ""  # the platform's
    look: str = ""  # what a person should see of it before anything runs
    found: str = ""  # BY_NAME where a name alone says so; "ada → Ada" where more than letters do
    read: Reader | None = field(default=None, repr=False, compare=False)

    @property
    def note(self) -> str:
        """Why a person must decide before anything is read; "" where there is a file."""
        return "" if self.path else self.why or "The table names no file."


@dataclass
class Found:
    """What was handed in: the lines that are graded, and the stray files of each student."""

    submissions: list[Line] = field(default_factory=list)
    strays: dict[str, list[str]] = field(default_factory=dict)
    instead: dict[str, Line] = field(default_factory=dict)  # of each with stray files the first


def found_in(lines: Sequence[Line], every_try: bool = False) -> Found:
    """What a table's lines hold: of several for one student and exercise the last, or each."""
    rows: dict[tuple[str, ...], Line] = {}
    strays: dict[str, list[str]] = defaultdict(list)
    instead: dict[str, Line] = {}
    for line in lines:
        if line.student and line.exercise:
            who = (line.student, line.exercise)
            rows[(*who, line.path) if every_try else who] = line
        elif line.student:
            name = line.path.rpartition("/")[2]
            strays[line.student].append(name if line.read else line.why)
            instead.setdefault(line.student, line)
    return Found(list(rows.values()), dict(strays), instead)


def read_class(path: Path, exercises: Collection[str]) -> list[Line]:
    """The lines of a table. Paths are relative to the table's folder, else to where the command
    runs. Raises InputError, with the line, for what cannot be used."""
    lookup = Lookup()
    lines = []
    for number, fields in read_table(path, "The table of the class", NEEDED, COLUMNS)[1]:
        named = {key: value for key, value in fields.items() if key in COLUMNS}
        named |= {key: unguarded(named.get(key, "")) for key in NEEDED}
        problem = ""
        if named["student"] and not is_fit(named["student"]):
            problem = f"{named['student']!r} cannot be a student's name"
        elif named["exercise"] and named["exercise"] not in exercises:
            problem = (
                f"there is no exercise {named['exercise']!r}; there are {', '.join(exercises)}"
            )
        elif not _is_date(named.get("date", "")):
            problem = f"the date is {named['date']!r}; 2026-11-20T23:59:00+01:00 is needed, or late"
        if problem:
            raise InputError(f"The table of the class {str(path)!r}, line {number}: {problem}.")
        there, look = _opened(named["path"], path, lookup) if named["path"] else (None, "")
        if there and there.read:
            named |= {"path": there.path} | ({"look": look} if look else {})
        elif named["path"]:
            nothing = f"There is no file {named['path']!r}."
            named |= {"path": "", "why": there.problem if there else nothing}
        lines.append(Line(**named, read=there.read if there else None))
    return lines


def _is_date(text: str) -> bool:
    try:
        return text in ("", LATE) or bool(datetime.datetime.fromisoformat(text))
    except ValueError:
        return False


def _opened(text: str, table: Path, lookup: Lookup) -> tuple[There | None, str]:
    """The file of a line, and what a person should see of it: a path is relative to the table's
    folder, or to where the command runs."""
    here, beside = Path(), table.parent
    bases = [here] if beside.resolve() == here.resolve() else [beside, here]
    found = [there for base in bases if (there := lookup.find(base, text))]
    if len(found) < 2 or _are_one(*found):
        return next(iter(found), None), ""
    return found[0], TWO.format(found[1].path)


def _are_one(one: There, other: There) -> bool:
    """Whether two paths lead to the same bytes."""
    if os.path.abspath(one.path) == os.path.abspath(other.path):
        return True
    try:
        return bool(one.read and other.read and one.read()[1] == other.read()[1])
    except Unreadable:
        return False


def file_at(place: str) -> Reader | None:
    """Reads a file at a path as a gradebook has it; None where there is none."""
    there = Lookup().find(Path(), place) if place else None
    return there.read if there else None


def write_class(lines: Iterable[Line]) -> str:
    """The table as CSV, whose fields no spreadsheet runs."""
    lines = [*lines]
    paths = told_apart(line.path for line in lines)
    lines = [replace(line, path=paths[line.path]) for line in lines]
    return as_csv(COLUMNS, ([getattr(line, name) for name in COLUMNS] for line in lines))


def no_file() -> tuple[None, str]:
    raise Unreadable("There is no file.")

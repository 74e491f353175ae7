"""The table of a class: whose file is whose. `attn collect` writes it, a lecturer may edit it, and
`attn grade` takes it.

A line with student, exercise and path is graded; of several for one student and exercise the last.
Without an exercise the file is a stray one of that student's; without a path something is to be
decided first, as `why` says; without a student it is nobody's until a name is filled in.
"""

import datetime
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import unguarded
from course_lib.checker.notebook import Unreadable
from grader.submissions.archive import is_zip, named_entries, open_zip, zip_reader
from grader.submissions.files import Reader
from grader.submissions.folder import reader
from grader.submissions.platforms import is_fit
from grader.submissions.table import as_csv, read_table

COLUMNS = ("student", "exercise", "path", "date", "why", "id")
NEEDED = COLUMNS[:3]
LATE = "late"  # in place of a date: the platform says so, and not by how much
Archives = dict[Path, tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]]


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
    """The lines of a table. Paths are relative to where the command runs, else to the table's
    folder. Raises InputError, with the line, for what cannot be used."""
    archives: Archives = {}
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
        read = _opened(named["path"], path.parent, archives) if named["path"] else None
        if named["path"] and read is None:
            named |= {"path": "", "why": f"There is no file {named['path']!r}."}
        lines.append(Line(**named, read=read))
    return lines


def _is_date(text: str) -> bool:
    try:
        return text in ("", LATE) or bool(datetime.datetime.fromisoformat(text))
    except ValueError:
        return False


def _opened(place: str, beside: Path, archives: Archives) -> Reader | None:
    """Reads a file of the table, also one in a zip; None where there is none. A table's text is
    NFC, and the names of files need not be."""
    for form in (place, unicodedata.normalize("NFD", place)):
        for path in (Path(form), beside / form):
            for zipped in path.parents:
                if is_zip(zipped) and zipped.is_file():
                    if zipped not in archives:
                        archive = open_zip(zipped)
                        archives[zipped] = archive, named_entries(archive)
                    archive, entries = archives[zipped]
                    if entry := entries.get(path.relative_to(zipped).as_posix()):
                        return zip_reader(archive, entry)
            if path.exists() or path.is_symlink():
                return reader(path.parent, path.name)
    return None


def file_at(place: str) -> Reader | None:
    """Reads a file at a path as the table has it; None where there is none."""
    return _opened(place, Path(), {}) if place else None


def write_class(lines: Iterable[Line]) -> str:
    """The table as CSV, whose fields no spreadsheet runs."""
    return as_csv(COLUMNS, ([getattr(line, name) for name in COLUMNS] for line in lines))


def no_file() -> tuple[None, str]:
    raise Unreadable("There is no file.")

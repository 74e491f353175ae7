"""Find the submissions in a folder or in a learning platform's zip, without trusting a name.

Layouts: `<student>/<exercise>.ipynb`; `<student>_<exercise>.ipynb`; Canvas's
`<name>[_LATE]_<user id>_<submission id>_<exercise>[-n].ipynb`; Moodle's
`<name>_<id>_assignsubmission_file[_]/<exercise>.ipynb`. A student is the folder's or file's name.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.grading.notebook import Unreadable, read_file

SUFFIX = ".ipynb"
CANVAS = re.compile(r"^([^_]+)(?:_LATE)?_(\d+)_(\d+)_(.+)$", re.S)
MOODLE = re.compile(r"^(.+)_(\d+)_assignsubmission_file_?(.*)$", re.S)
RESUBMITTED = re.compile(r"(?: ?\(\d+\)|-\d+)$")
ORDINARY = re.compile(r"^(.+)_(\d\d_[a-z]\w*)$", re.S)
IGNORED = re.compile(r"^(\.|__MACOSX$)")

Reader = Callable[[], tuple[bytes | None, str]]  # a file's bytes and its SHA-256


class InputError(ValueError):
    """The input itself cannot be used; the message says what is needed."""


@dataclass(frozen=True)
class Submission:
    """One student's file for one exercise, and how to read it when its turn comes."""

    student: str
    exercise: str
    read: Reader = field(repr=False, compare=False)
    lms_id: str = ""


@dataclass
class Found:
    """What lies in the input: submissions, students who handed in nothing, and what was refused."""

    submissions: list[Submission] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def add(self, submission: Submission) -> None:
        self.submissions.append(submission)


def parse_name(stem: str, exercises: Collection[str]) -> tuple[str, str, str]:
    """(student, exercise, platform's id) from a flat file's stem; the exercise is "" if none."""
    if match := CANVAS.match(stem):
        return match[1], _exercise(match[4], exercises), match[2]
    if match := MOODLE.match(stem):
        return match[1], _exercise(match[3], exercises), match[2]
    for exercise in exercises:
        if stem.endswith("_" + exercise) and len(stem) > len(exercise) + 1:
            return stem[: -len(exercise) - 1], exercise, ""
    if match := ORDINARY.match(stem):
        return match[1], match[2], ""
    return stem, "", ""


def parse_folder(name: str) -> tuple[str, str]:
    """(student, platform's id) from a student folder's name."""
    match = MOODLE.match(name)
    return (match[1], match[2]) if match else (name, "")


def _exercise(stem: str, exercises: Collection[str]) -> str:
    plain = RESUBMITTED.sub("", stem)
    return plain if plain in exercises else stem


def find_submissions(root: Path, exercises: Collection[str], out: Path | None = None) -> Found:
    """Every submission beneath a folder; the gradebook `out` may lie in it and is no student's.
    Raises InputError when it is no folder."""
    if not root.is_dir():
        raise InputError(f"There is no folder {str(root)!r}. Give the folder of submissions.")
    found = Found()
    try:
        entries = sorted(os.scandir(root), key=lambda entry: entry.name)
    except OSError as error:
        raise InputError(f"The folder {str(root)!r} cannot be read: {error.strerror}.") from None
    for entry in entries:
        if IGNORED.match(entry.name) or (out and out.resolve() == root.resolve() / entry.name):
            continue
        if not _is_text(entry.name):
            found.refused.append(f"{entry.name!a}: its name is not UTF-8")
        elif entry.name.endswith(SUFFIX):
            _add_flat(found, root, entry.name, exercises)
        elif entry.is_symlink():
            found.refused.append(f"{entry.name}: links are not followed")
        elif entry.is_dir(follow_symlinks=False):
            _add_student(found, root / entry.name, exercises)
    return found


def _add_flat(found: Found, root: Path, name: str, exercises: Collection[str]) -> None:
    student, exercise, lms_id = parse_flat(found, name, exercises)
    found.add(Submission(student, exercise, _reader(root, name, is_root=True), lms_id))


def parse_flat(found: Found, name: str, exercises: Collection[str]) -> tuple[str, str, str]:
    """`parse_name` for a file; a name without an exercise keeps its row and is reported."""
    stem = name.removesuffix(SUFFIX)
    student, exercise, lms_id = parse_name(stem, exercises)
    if not exercise:
        found.refused.append(f"{name}: no exercise of the course stands in its name")
        return stem, stem, ""
    return student, exercise, lms_id


def _add_student(found: Found, folder: Path, exercises: Collection[str]) -> None:
    student, lms_id = parse_folder(folder.name)
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        found.refused.append(f"{folder.name}: the folder cannot be read ({error.strerror})")
        names = []
    count = len(found.submissions)
    for name in names:
        if IGNORED.match(name) or not name.endswith(SUFFIX):
            continue
        if not _is_text(name):
            found.refused.append(f"{folder.name}/{name!a}: its name is not UTF-8")
            continue
        exercise = _exercise(name.removesuffix(SUFFIX), exercises if lms_id else ())
        found.add(Submission(student, exercise, _reader(folder, name), lms_id))
    if len(found.submissions) == count:
        found.empty.append(student)


def _reader(
    folder: Path, name: str, is_root: bool = False
) -> Callable[[], tuple[bytes | None, str]]:
    def read() -> tuple[bytes | None, str]:
        """Opened through the folder itself, so that a link put in its place is not followed."""
        flags = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
        flags |= 0 if is_root else getattr(os, "O_NOFOLLOW", 0)
        try:
            place = os.open(folder, flags)
        except OSError as error:
            raise Unreadable(f"Its folder cannot be opened ({error.strerror}).") from None
        try:
            return read_file(name, place)
        finally:
            os.close(place)

    return read


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def by_row(found: Found) -> Iterator[Submission]:
    """One submission for each (student, exercise); of several the last, the others are refused."""
    rows: dict[tuple[str, str], Submission] = {}
    for submission in found.submissions:
        key = (submission.student, submission.exercise)
        if key in rows:
            found.refused.append(f"{key[0]}: handed in {key[1]} twice; the last one counts")
        rows[key] = submission
    yield from rows.values()

"""Find the submissions in a folder or in a learning platform's zip, without trusting a name.

Layouts: `<student>/<exercise>.ipynb`; `<student>_<exercise>.ipynb`; Canvas's
`<name>[_LATE]_<user id>_<submission id>_<exercise>[-n].ipynb`; Moodle's
`<name>_<id>_assignsubmission_file[_]/<exercise>.ipynb`. A student is the folder's or file's name.
"""

import os
from collections.abc import Callable, Collection
from pathlib import Path

from course_lib.grading.errors import InputError
from course_lib.grading.submissions.found import Found, Submission
from course_lib.grading.submissions.names import (
    IGNORED,
    SUFFIX,
    exercise_of,
    parse_flat,
    parse_folder,
)
from course_lib.grading.submissions.notebook import Unreadable, read_file


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
        exercise = exercise_of(name.removesuffix(SUFFIX), exercises if lms_id else ())
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

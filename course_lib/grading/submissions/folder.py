"""Find the submissions in a folder, without trusting a name and without following a link."""

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from course_lib.grading.errors import InputError
from course_lib.grading.submissions.found import File, Found, Parts, Reader, Submission, sort_out
from course_lib.grading.submissions.names import IGNORED, SUFFIX, parse_folder
from course_lib.grading.submissions.notebook import Unreadable, read_file

DEEPEST = 4  # submitted/<student>/<exercise>/<exercise>.ipynb


def find_submissions(root: Path, exercises: Collection[str], out: Path | None = None) -> Found:
    """Every submission beneath a folder; the gradebook `out` may lie in it and is no student's.
    Raises InputError when it is no folder."""
    if not root.is_dir():
        raise InputError(f"There is no folder {str(root)!r}. Give the folder of submissions.")
    if (root / "nbgrader_config.py").is_file() and (root / "submitted").is_dir():
        root = root / "submitted"
    refused: list[str] = []
    closed: dict[Parts, str] = {}
    files: list[File] = []
    folders: list[Parts] = []
    for parts, file in _walk(root, (), refused, closed, out.resolve() if out else None):
        files.append(file) if file else folders.append(parts)
    found = sort_out(files, folders, exercises, root.resolve().name)
    found.refused[:0] = refused
    _add_closed(found, closed, exercises)
    return found


def _add_closed(found: Found, closed: dict[Parts, str], exercises: Collection[str]) -> None:
    """Nobody knows what lies in a folder that cannot be read: no score, a row that says so."""
    seen = sorted({one.exercise for one in found.submissions})
    for parts, reason in closed.items():
        owner = parse_folder(parts[-1], exercises)
        if owner in found.empty:
            place, why = "/".join(parts), f"The folder cannot be read ({reason})."
            found.submissions += [
                Submission(owner.student, one, _unknown, owner.lms_id, owner, (), place, why)
                for one in seen
            ]


def _unknown() -> tuple[None, str]:
    return None, ""


def _walk(
    root: Path,
    parts: Parts,
    refused: list[str],
    closed: dict[Parts, str],
    out: Path | None,
) -> Iterator[tuple[Parts, File | None]]:
    """(parts, file) of each notebook, (parts, None) of each folder."""
    here = root.joinpath(*parts)
    try:
        entries = sorted(os.scandir(here), key=lambda entry: entry.name)
    except OSError as error:
        if not parts:
            sentence = f"The folder {str(root)!r} cannot be read: {error.strerror}."
            raise InputError(sentence) from None
        refused.append(f"{'/'.join(parts)}: the folder cannot be read ({error.strerror})")
        closed[parts] = error.strerror
        return
    for entry in entries:
        path = (*parts, entry.name)
        if IGNORED.match(entry.name):
            continue
        if not _is_text(entry.name):
            refused.append(f"{'/'.join(path)!a}: its name is not UTF-8")
        elif entry.name.endswith(SUFFIX):
            yield path, File(path, _date(entry), _reader(here, entry.name, not parts))
        elif entry.is_symlink():
            refused.append(f"{'/'.join(path)}: links are not followed")
        elif entry.is_dir(follow_symlinks=False) and here.resolve() / entry.name != out:
            yield path, None
            if len(path) < DEEPEST:
                yield from _walk(root, path, refused, closed, out)


def _date(entry: os.DirEntry) -> float:
    try:
        return entry.stat(follow_symlinks=False).st_mtime
    except OSError:
        return 0.0


def _reader(folder: Path, name: str, is_root: bool = False) -> Reader:
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

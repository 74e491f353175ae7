"""Every file below a folder, without trusting a name and without following a link."""

import datetime
import os
from collections.abc import Iterator
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import Unreadable, read_file
from grader.submissions.files import (
    DEEPEST,
    EMPTY,
    HIDDEN,
    IGNORED,
    File,
    Parts,
    Reader,
    is_notebook,
)


def files_in_folder(root: Path, out: Path | None = None) -> list[File]:
    """Every file below a folder; the gradebook `out` may lie in it and is no student's. Raises
    InputError when it is no folder."""
    if not root.is_dir():
        raise InputError(f"There is no folder {str(root)!r}. Give the folder of submissions.")
    try:
        return list(_walk(root, (), out.resolve() if out else None))
    except PermissionError as error:
        sentence = f"The folder {str(root)!r} cannot be read: {error.strerror}."
        raise InputError(sentence) from None


def _walk(root: Path, parts: Parts, out: Path | None) -> Iterator[File]:
    here = root.joinpath(*parts)
    nothing, hidden = True, ""
    try:
        entries = sorted(os.scandir(here), key=lambda entry: entry.name)
    except OSError as error:
        if not parts:
            raise
        reason = f"the folder cannot be read ({error.strerror})"
        yield File((*parts, ""), problem=reason)
        return
    for entry in entries:
        path = (*parts, entry.name)
        if IGNORED.match(entry.name):
            hidden = hidden or (entry.name if entry.name.startswith(".") else "")
            continue
        nothing = False
        if not _is_text(entry.name):
            shown = entry.name.encode(errors="surrogateescape").decode(errors="replace")
            yield File((*parts, shown, ""), problem="its name is not UTF-8")
        elif entry.is_symlink() and not is_notebook(entry.name):
            yield File((*path, ""), problem="links are not followed")
        elif not entry.is_dir(follow_symlinks=False) or is_notebook(entry.name):
            yield File(path, _date(entry), reader(here, entry.name, not parts))
        elif here.resolve() / entry.name == out:
            continue
        elif len(path) > DEEPEST:
            yield File((*path, ""), problem=f"it lies more than {DEEPEST} folders deep")
        else:
            yield from _walk(root, path, out)
    if nothing and parts:
        yield File((*parts, hidden), problem=HIDDEN if hidden else EMPTY)


def _date(entry: os.DirEntry) -> str:
    try:
        written = entry.stat(follow_symlinks=False).st_mtime
        date = datetime.datetime.fromtimestamp(written, datetime.UTC)
    except (OSError, ValueError, OverflowError):
        return ""
    return date.isoformat(timespec="seconds")


def reader(folder: Path, name: str, may_be_link: bool = False) -> Reader:
    """Reads a file, and follows neither a link to it nor one that was put in its folder's place;
    the input itself may be a link."""

    def read() -> tuple[bytes | None, str]:
        flags = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
        flags |= 0 if may_be_link else getattr(os, "O_NOFOLLOW", 0)
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

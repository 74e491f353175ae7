"""Every file below a folder, without trusting a name and without following a link."""

import datetime
import os
from collections.abc import Iterator, Sequence
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
            yield File(path, _date(entry), reader(root, path))
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


def reader(root: Path, parts: Sequence[str]) -> Reader:
    """Reads a file below a folder, and follows no link on the way: neither in the file's place nor
    in that of a folder, also where it was put there later. The folder itself may be a link."""

    def read() -> tuple[bytes | None, str]:
        flags = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
        place = None
        try:
            place = os.open(root, flags)
            for part in parts[:-1]:
                inner = os.open(part, flags | getattr(os, "O_NOFOLLOW", 0), dir_fd=place)
                os.close(place)
                place = inner
            return read_file(parts[-1], place)
        except OSError as error:
            raise Unreadable(f"Its folder cannot be opened ({error.strerror}).") from None
        finally:
            if place is not None:
                os.close(place)

    return read


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True

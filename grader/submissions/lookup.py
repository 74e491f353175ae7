"""Where a path of a table leads: part by part below where it starts, also into an archive, and
through no link.

A table's text is not quite a name on the disk: forms of a letter are composed there, what cannot be
seen or printed is replaced, blanks around it are gone. So each part is compared as a table has it.
Names that a table could not tell apart are written letter by letter (`spelled`).
"""

import os
import re
import unicodedata
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from course_lib.checker.escape import one_line
from grader.submissions.archive import is_zip, named_entries, open_zip, zip_reader
from grader.submissions.files import Reader
from grader.submissions.folder import reader

LINK = "{0!r} is a link, and links are not followed: write the path that it leads to."
SEVERAL = "Several files are called so; write one of them as {0}."


@dataclass(frozen=True)
class There:
    """What lies at a path; `problem` says why it is not read."""

    path: str
    read: Reader | None = field(default=None, compare=False)
    problem: str = ""


def as_written(name: str) -> str:
    """A name as a table has it."""
    return unicodedata.normalize("NFC", one_line(name)).strip()


def spelled(path: str) -> str:
    """A path in which every letter beyond ASCII is a number."""
    return "".join(c if c.isascii() and c.isprintable() else f"<U+{ord(c):04X}>" for c in path)


def told_apart(paths: Iterable[str]) -> dict[str, str]:
    """How a table has each path: as it is, or spelled where it would be another's, too."""
    paths = [*dict.fromkeys(paths)]
    same = Counter(map(as_written, paths))
    return {path: path if same[as_written(path)] == 1 else spelled(path) for path in paths}


class Lookup:
    """Finds files at paths; what it has read of folders and archives is kept."""

    def __init__(self) -> None:
        self._archive = cache(_archive)
        self._names = cache(self._read_names)

    def find(self, base: Path, text: str) -> There | None:
        """What lies at a path; None where there is nothing."""
        whole = PurePosixPath(text)
        start = Path(whole.anchor) if whole.is_absolute() else base
        parts = whole.parts[1:] if whole.is_absolute() else whole.parts
        if not parts or "\0" in text:
            return None
        outer = next(self._exact(start, parts), None)
        if outer is not None:
            return self._there(start, parts, outer)
        several = [*self._alike(start, parts, ())]
        if len(several) > 1:
            listed = " or ".join(sorted(spelled("/".join(parts)) for parts, _ in several))
            return There(text, problem=SEVERAL.format(listed))
        return self._there(start, *several[0]) if several else None

    def _exact(self, start: Path, parts: Sequence[str]) -> Iterator[int]:
        """How many of the parts lie outside of an archive, where there is this very path."""
        for outer in range(1, len(parts)):
            place = start.joinpath(*parts[:outer])
            if is_zip(place) and place.is_file() and "/".join(parts[outer:]) in self._names(place):
                yield outer
        if os.path.lexists(start.joinpath(*parts)):
            yield len(parts)

    def _alike(
        self, here: Path, parts: Sequence[str], done: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """The paths that a table has so, each with how many of its parts lie outside."""
        if not parts:
            yield done, len(done)
        elif is_zip(here) and here.is_file():
            for name in self._like(here, "/".join(parts)):
                yield (*done, *name.split("/")), len(done)
        else:
            names = [".."] if parts[0] == ".." else self._like(here, parts[0])
            for name in names:
                yield from self._alike(here / name, parts[1:], (*done, name))

    def _like(self, place: Path, written: str) -> list[str]:
        forms: dict[str, list[str]] = defaultdict(list)
        for name in self._names(place):
            forms[as_written(name)].append(name)
            if spelled(name) != as_written(name):
                forms[spelled(name)].append(name)
        return forms.get(as_written(written), [])

    def _read_names(self, place: Path) -> frozenset[str]:
        """The names in a folder or an archive; none where it is neither, or is not to be read."""
        if is_zip(place) and place.is_file():
            return frozenset(self._archive(place)[1])
        try:
            return frozenset(os.listdir(place))
        except OSError:
            return frozenset()

    def _there(self, start: Path, parts: Sequence[str], outer: int) -> There:
        path = start.joinpath(*parts).as_posix()
        folders = parts[: outer if outer < len(parts) else outer - 1]
        for end in range(1, len(folders) + 1):
            place = start.joinpath(*folders[:end])
            if place.is_symlink():
                return There(path, problem=LINK.format(place.as_posix()))
        if outer == len(parts):
            return There(path, reader(start, parts))
        archive, entries = self._archive(start.joinpath(*parts[:outer]))
        return There(path, zip_reader(archive, entries["/".join(parts[outer:])]))


def _archive(place: Path) -> tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]:
    archive = open_zip(place)
    return archive, named_entries(archive, re.compile(".*")) | named_entries(archive)


def without_links(place: Path) -> Path:
    """The same place by a path that has no link in it."""
    real, here = Path(os.path.realpath(place)), Path(os.path.realpath("."))
    if real == Path(os.path.abspath(place)):
        return place
    return real.relative_to(here) if real.is_relative_to(here) else real

"""Find the submissions in a learning platform's zip. Nothing is ever unpacked to the disk: entries
are read one at a time into memory, within bounds, so no name in the archive can point anywhere."""

import datetime
import hashlib
import stat
import zipfile
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath

from course_lib.grading.errors import InputError
from course_lib.grading.submissions.found import File, Found, Parts, Reader, sort_out
from course_lib.grading.submissions.names import IGNORED, SUFFIX, is_fit
from course_lib.grading.submissions.notebook import MAX_BYTES, Unreadable

MAX_DIRECTORY = 64 << 20  # bytes of the archive's own directory: 100 to 200 for each entry
MAX_ENTRIES = 100_000
MAX_TOTAL = 8 << 30  # bytes of all notebooks together, unpacked
DEEPEST = 4  # folders of a path that may be somebody's
END_RECORD = b"PK\x05\x06"
OVERHEAD = 1 << 20  # bytes by which packing may make a file larger, with much room
# What platforms write. The other methods take seconds for a file of MAX_BYTES.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip"


def find_in_zip(path: Path, exercises: Collection[str]) -> Found:
    """Every submission in a zip. Raises InputError when the archive cannot be used."""
    _check_directory(path)
    try:
        archive = zipfile.ZipFile(path)
        entries = archive.infolist()
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        raise InputError(f"{str(path)!r} is no archive that can be read: {error}.") from None
    if len(entries) > MAX_ENTRIES:
        raise InputError(f"{str(path)!r} holds more than {MAX_ENTRIES} entries.")
    refused: list[str] = []
    notebooks = [entry for entry in entries if _is_wanted(entry, refused)]
    if sum(min(entry.file_size, MAX_BYTES + 1) for entry in notebooks) > MAX_TOTAL:
        raise InputError(f"{str(path)!r} unpacks to more than {MAX_TOTAL >> 30} GB of notebooks.")
    files = [
        File(PurePosixPath(entry.filename).parts, _date(entry), _reader(archive, entry))
        for entry in notebooks
    ]
    found = sort_out(files, _folders(entries), exercises)
    found.refused[:0] = refused
    return found


def _folders(entries: Sequence[zipfile.ZipInfo]) -> list[Parts]:
    """Every folder, also of files that are no notebooks: its owner handed in something else."""
    places = dict[Parts, None]()
    for entry in entries:
        parts = PurePosixPath(entry.filename).parts
        depth = min(len(parts) - (not entry.is_dir()), DEEPEST)
        if not _leads_out(entry.filename) and not any(map(IGNORED.match, parts)):
            places |= dict.fromkeys(parts[:end] for end in range(1, depth + 1))
    return list(places)


def _leads_out(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return ".." in parts or name.startswith("/") or not all(map(is_fit, parts))


def _date(entry: zipfile.ZipInfo) -> float:
    try:
        return datetime.datetime(*entry.date_time).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _check_directory(path: Path) -> None:
    """Refuse an archive whose directory alone would fill the memory when read."""
    try:
        size = path.stat().st_size
        with open(path, "rb") as file:
            file.seek(max(0, size - (1 << 16) - 22))
            tail = file.read()
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}.") from None
    at = tail.rfind(END_RECORD)
    if at < 0 or len(tail) < at + 22:
        raise InputError(f"{str(path)!r} is no zip archive, or it is broken.")
    directory = int.from_bytes(tail[at + 12 : at + 16], "little")
    if directory == 0xFFFFFFFF or directory > MAX_DIRECTORY:
        raise InputError(f"{str(path)!r} has too many entries for a class.")


def _is_wanted(entry: zipfile.ZipInfo, refused: list[str]) -> bool:
    """Whether an entry is a notebook. What leads out of the archive is reported."""
    name = entry.filename
    parts = PurePosixPath(name).parts
    leads_out = _leads_out(name)
    if leads_out and not entry.is_dir():
        refused.append(f"{name}: its path leads out of the archive or is no plain name")
    ignored = any(IGNORED.match(part) for part in parts)
    return not (entry.is_dir() or leads_out or ignored) and name.endswith(SUFFIX)


def _reader(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Reader:
    def read() -> tuple[bytes | None, str]:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise Unreadable("It is a link or a special file.")
        if entry.flag_bits & 1:
            raise Unreadable("It is encrypted.")
        if entry.compress_type not in METHODS:
            method = zipfile.compressor_names.get(entry.compress_type, entry.compress_type)
            raise Unreadable(f"It is packed by {method}; pack it again as an ordinary zip.")
        if max(entry.file_size, entry.compress_size - OVERHEAD) > MAX_BYTES:
            return None, ""
        try:
            with archive.open(entry) as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError, RuntimeError, NotImplementedError, EOFError) as error:
            raise Unreadable(f"It cannot be unpacked ({type(error).__name__}).") from None
        except (zipfile.BadZipFile, zlib.error):
            raise Unreadable("It is broken inside the archive.") from None
        return data, hashlib.sha256(data).hexdigest()

    return read

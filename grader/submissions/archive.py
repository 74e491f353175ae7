"""Every file in a learning platform's zip. Nothing is ever unpacked to the disk: entries
are read one at a time into memory, within bounds, so no name in the archive can point anywhere."""

import datetime
import hashlib
import re
import stat
import zipfile
import zlib
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import MAX_BYTES, Unreadable
from grader.submissions.files import DEEPEST, EMPTY, HIDDEN, IGNORED, File, Reader, is_notebook

MAX_DIRECTORY = 64 << 20  # bytes of the archive's own directory: 100 to 200 for each entry
MAX_ENTRIES = 100_000
MAX_TOTAL = 8 << 30  # bytes of all notebooks together, unpacked
UTF8 = 0x800  # the flag of an entry whose name is UTF-8
END_RECORD = b"PK\x05\x06"
OVERHEAD = 1 << 20  # bytes by which packing may make a file larger, with much room
# What platforms write. The other methods take seconds for a file of MAX_BYTES.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
PACKERS = {9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd", 95: "xz", 98: "ppmd"}


def is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip"


def files_in_zip(path: Path, flat: re.Pattern | None = None) -> list[File]:
    """Every file in a zip. Raises InputError when the archive cannot be used.

    Args:
        path: of the zip.
        flat: the form of a name on a platform that writes no folders.
    """
    archive = open_zip(path)
    entries = named_entries(archive, flat)
    notebooks = [entry for name, entry in entries.items() if is_notebook(name)]
    if sum(min(entry.file_size, MAX_BYTES + 1) for entry in notebooks) > MAX_TOTAL:
        raise InputError(f"{str(path)!r} unpacks to more than {MAX_TOTAL >> 30} GB of notebooks.")
    files = [_file(archive, n, entry) for n, entry in entries.items() if not _is_ignored(n)]
    held = {f.parts[:end] for f in files if f.problem != EMPTY for end in range(1, len(f.parts))}
    hidden: dict[tuple[str, ...], File] = {}  # by the folder that holds nothing else
    for name in filter(_is_ignored, entries):
        if (before := _before_hidden(name)) and before not in held:
            hidden.setdefault(before, File(tuple(name.split("/")), problem=HIDDEN))
    held |= hidden.keys()
    files = [file for file in files if file.problem != EMPTY or file.parts[:-1] not in held]
    return files + list(hidden.values())


def named_entries(
    archive: zipfile.ZipFile, flat: re.Pattern | None = None
) -> dict[str, zipfile.ZipInfo]:
    """The entries by the name that was meant; of one name the last counts.

    Without the flag for UTF-8 a name's bytes are in no known alphabet. macOS writes UTF-8 there all
    the same, and hardly a name in another one is valid UTF-8. PowerShell writes backslashes between
    folders; behind a name that a platform has written whole, a backslash is a letter that a student
    chose, unless the archive was made on Windows.
    """
    entries = [(_in_utf8(entry), entry) for entry in archive.infolist()]
    only_back = all("\\" in name and "/" not in name for name, _ in entries)
    if flat:
        only_back &= not any(flat.fullmatch(name.partition("\\")[0]) for name, _ in entries)
    return {
        name.replace("\\", "/") if only_back or _is_of_windows(name, entry) else name: entry
        for name, entry in entries
    }


def _in_utf8(entry: zipfile.ZipInfo) -> str:
    if entry.flag_bits & UTF8:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def _is_of_windows(name: str, entry: zipfile.ZipInfo) -> bool:
    return entry.create_system == 0 and "\\" in name and "/" not in name


def _before_hidden(name: str) -> tuple[str, ...]:
    """The folders before the part that is hidden; none where it is the system's own."""
    parts = name.split("/")
    hidden = next(n for n, part in enumerate(parts) if IGNORED.match(part) and part != "..")
    ours = parts[hidden].startswith(".") and not {"..", ".", ""} & set(parts[:hidden])
    return tuple(parts[:hidden]) if ours else ()


def open_zip(path: Path) -> zipfile.ZipFile:
    """The archive. Raises InputError when it cannot be used."""
    _check_directory(path)
    try:
        archive = zipfile.ZipFile(path)
        entries = archive.infolist()
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        raise InputError(f"{str(path)!r} is no archive that can be read: {error}.") from None
    if len(entries) > MAX_ENTRIES:
        raise InputError(f"{str(path)!r} holds more than {MAX_ENTRIES} entries.")
    return archive


def _file(archive: zipfile.ZipFile, name: str, entry: zipfile.ZipInfo) -> File:
    parts = tuple(name.split("/"))
    if {"..", "."} & set(parts) or "" in parts[:-1]:
        return File(("", *parts), problem="its path leads out of the archive")
    if name.endswith("/"):
        return File(parts, problem=EMPTY)
    if len(parts) > DEEPEST:
        return File((*parts[:DEEPEST], ""), problem=f"it lies more than {DEEPEST} folders deep")
    return File(parts, _date(entry), zip_reader(archive, entry))


def _is_ignored(name: str) -> bool:
    return any(IGNORED.match(part) for part in name.split("/") if part != "..")


def _date(entry: zipfile.ZipInfo) -> str:
    try:
        return datetime.datetime(*entry.date_time).isoformat()
    except ValueError:
        return ""


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


def zip_reader(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Reader:
    def read() -> tuple[bytes | None, str]:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise Unreadable("It is a link or a special file.")
        if entry.flag_bits & 1:
            raise Unreadable("It is encrypted.")
        if entry.compress_type not in METHODS:
            method = PACKERS.get(entry.compress_type, f"method {entry.compress_type}")
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

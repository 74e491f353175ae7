"""Read a table that a person or a platform wrote: a CSV file, split at commas or at semicolons."""

import codecs
import csv
import io
import unicodedata
from pathlib import Path

from course_lib.checker.errors import InputError

MAX_BYTES = 20 << 20
SAVE = 'In a spreadsheet, save it as "CSV UTF-8".'


def read_table(path: Path, what: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The header of a table, and (line number, fields) of each line that is not empty.

    Fields are NFC, without spaces around them. A spreadsheet that takes the comma for a decimal
    sign splits at semicolons: a header that has these alone says so.

    Args:
        path: the file.
        what: what it is, for the message, such as "The roster".

    Raises:
        InputError: it cannot be read, is too large, or is no CSV file in UTF-8.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{what} {str(path)!r} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{what} {str(path)!r} is larger than {MAX_BYTES >> 20} MB.")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[:2].count(0) == 1:
        raise InputError(f"{what} {str(path)!r} is written in UTF-16; UTF-8 is needed. {SAVE}")
    try:
        text = unicodedata.normalize("NFC", data.decode("utf-8-sig"))
        header = text.partition("\n")[0]
        delimiter = ";" if ";" in header and "," not in header else ","
        if "\t" in header.strip() and delimiter not in header:
            raise InputError(
                f"{what} {str(path)!r} is split at tabs; commas or semicolons are needed. {SAVE}"
            )
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        lines = [(reader.line_num, [field.strip() for field in fields]) for fields in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{what} {str(path)!r} is not a UTF-8 CSV file: {error}. {SAVE}") from None
    lines = [(number, fields) for number, fields in lines if any(fields)]
    return (lines[0][1], lines[1:]) if lines else ([], [])

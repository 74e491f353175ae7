"""Tables that a person or a platform wrote, and those that are written for a spreadsheet: CSV."""

import codecs
import csv
import io
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from course_lib.checker import escape
from course_lib.checker.errors import InputError

MAX_BYTES = 20 << 20
SAVE = 'In a spreadsheet, save it as "CSV UTF-8".'
Lines = list[tuple[int, dict[str, str]]]


def read_table(
    path: Path, what: str, needed: Sequence[str] = (), columns: Sequence[str] = ()
) -> tuple[list[str], Lines]:
    """The header of a table in lower case, and (line number, fields by column) of each line that is
    not empty.

    Fields are NFC, without spaces around them. A spreadsheet that takes the comma for a decimal
    sign splits at semicolons: a header that has these alone says so.

    Args:
        path: the file.
        what: what it is, for the message, such as "The roster".
        needed: columns without which it is no such table.
        columns: all that it may have, for the message.

    Raises:
        InputError: it cannot be read, is too large, is no CSV file in UTF-8, lacks a column, or has
            a line with more fields than columns.
    """
    what = f"{what} {str(path)!r}"
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{what} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{what} is larger than {MAX_BYTES >> 20} MB.")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[:2].count(0) == 1:
        raise InputError(f"{what} is written in UTF-16; UTF-8 is needed. {SAVE}")
    try:
        text = _whole(data)
        first, delimiter = text.lstrip("\r\n").partition("\n")[0], _delimiter(text)
        if "\t" in first.strip() and delimiter not in first:
            raise InputError(f"{what} is split at tabs; commas or semicolons are needed. {SAVE}")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        lines = [(reader.line_num, [field.strip() for field in fields]) for fields in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{what} is not a UTF-8 CSV file: {error}. {SAVE}") from None
    (_, header), *lines = [line for line in lines if any(line[1])] or [(1, [])]
    header = [name.casefold() for name in header]
    if lacking := [name for name in needed if name not in header]:
        raise InputError(
            f"{what} has no column {', '.join(lacking)} in line 1. Its columns are "
            f"{', '.join(columns or needed)}."
        )
    for number, fields in lines:
        if any(fields[len(header) :]):  # a number such as 1,5 without quotes is two fields
            raise InputError(
                f"{what} has {len(fields)} fields in line {number} and {len(header)} columns. Put "
                "quotes around what has a comma."
            )
    nothing = [""] * len(header)  # a line may end early
    return header, [(n, dict(zip(header, fields + nothing, strict=False))) for n, fields in lines]


def headings_of(path: Path) -> list[str]:
    """The first line of a table that `read_table` took, as it is written."""
    text = _whole(path.read_bytes())
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    return next(([field.strip() for field in row] for row in rows if any(row)), [])


def _whole(data: bytes) -> str:
    """The text, without the line by which a spreadsheet is told at what lines are split."""
    text = unicodedata.normalize("NFC", data.decode("utf-8-sig"))
    return re.sub(r"\Asep=[;,](?=\r?\n)", "", text)


def _delimiter(text: str) -> str:
    """A spreadsheet that takes the comma for a decimal sign splits at semicolons."""
    first = text.lstrip().partition("\n")[0]
    return ";" if ";" in first and "," not in first else ","


def decimal(text: str) -> float:
    """A number with a point or a comma; NaN where it is none."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return math.nan


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A CSV table whose fields a spreadsheet cannot run, whatever it takes for a separator."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows([escape.field(value) for value in row] for row in rows)
    return out.getvalue()

"""Make a stranger's text harmless for the places that show it: a terminal, HTML, a spreadsheet."""

import re
from html import escape

# C0 and C1 controls except tab and newline, lone surrogates, and marks that reverse the reading
# direction or hide text.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def printable(text: str) -> str:
    """The text with every control character replaced by the sign for an unknown character."""
    return UNPRINTABLE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """For the terminal: printable, and on one line."""
    return printable(text).replace("\n", " ").replace("\t", " ")


def html(text: object) -> str:
    """For an HTML page: printable and escaped."""
    return escape(printable(str(text)))


def field(value: object) -> str:
    """For a CSV field: on one line, and never the beginning of a spreadsheet formula."""
    text = "" if value is None else one_line(str(value))
    if isinstance(value, int | float):
        return text
    return "'" + text if text.startswith(FORMULA) else text

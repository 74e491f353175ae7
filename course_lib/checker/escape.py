"""Make a stranger's text harmless for the places that show it: a terminal, HTML, a spreadsheet, a
file's name."""

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

# C0 and C1 controls except tab and newline, lone surrogates, and marks that reverse the reading
# direction or hide text. Joiners (U+200C, U+200D) are letters of names.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
# What begins a spreadsheet's formula, also as East Asian keyboards write it. A text is guarded
# where it begins so, and behind a semicolon, at which half of Europe's spreadsheets split a line.
SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
RUNS = re.compile(rf"(?:^(?='*[{SIGNS}])|(?<=;)(?=[\"' ]*[{SIGNS}]))")
GUARDED = re.compile(rf"(?:^'(?='*[{SIGNS}])|(?<=;)'(?=[\"' ]*[{SIGNS}]))")


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
    """For a CSV field: on one line, and nowhere the beginning of a spreadsheet formula."""
    text = "" if value is None else one_line(str(value))
    return text if isinstance(value, int | float) else RUNS.sub("'", text)


def unguarded(field: str) -> str:
    """What a field was before `field` guarded it: `unguarded(field(text)) == text` for every line
    of text, and a text with an apostrophe of its own keeps it."""
    return GUARDED.sub("", field)


def safe_name(name: str) -> bool:
    """Whether a name can be one path component. Names out of an archive could be anything."""
    encoded = name.encode("utf-8", "replace")
    return name not in ("", ".", "..") and not {"/", "\0"} & set(name) and len(encoded) <= 240


def render(template: Path, **values: Any) -> str:
    """A Jinja2 template with its values, each made printable and, in HTML and XML, escaped. What a
    template is of stands in its name: `report.html.j2`. A value without a name is an error.

    Filters: `prose` for a sentence (what stands between backticks is code), `breakable` for a
    function's name (a narrow page may break it after an underscore).
    """
    markup = template.name.endswith((".html.j2", ".xml.j2"))
    return _environment(template.parent, markup).get_template(template.name).render(**values)


@cache
def _environment(folder: Path, markup: bool) -> Any:
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=markup,
        keep_trailing_newline=not markup,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) else printable(str(value)),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = lambda text: Markup(prose(text))
    environment.filters["breakable"] = lambda text: Markup(html(text).replace("_", "_<wbr>"))
    return environment


def prose(text: str) -> str:
    """A sentence as HTML: escaped, and what stands between backticks as code."""
    return re.sub("`([^`\n]+)`", r"<code>\1</code>", html(text))

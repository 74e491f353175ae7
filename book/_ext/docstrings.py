"""Docstrings of course_lib as the API page shows them.

A docstring is a sentence, an indented formula, paragraphs, and lines such as `mask: …` whose
continuation is indented. reStructuredText alone would make quotations of the formulas.
"""

import re
from itertools import groupby

NAMED = re.compile(r"([a-z_]\w*(?:, [a-z_]\w*)*): (.*)")
SECOND = re.compile(r"  (?=[a-z_]\w*: )")  # two spaces set a second name apart on one line
CODE = re.compile(r"`+([^`]+)`+")
SPECIAL = re.compile(r"([\\*_|])")


def plain(text: str) -> str:
    """Text in which nothing is markup."""
    return SPECIAL.sub(r"\\\1", text)


def inline(text: str) -> str:
    """A paragraph: what stands in backticks is code, and nothing else is markup."""
    pieces = CODE.split(text)
    return "".join(f"``{p}``" if i % 2 else plain(p) for i, p in enumerate(pieces))


def paragraphs(lines: list[str]) -> list[str]:
    """Lines without blank ones between them, as paragraphs: one for each name, the rest joined."""
    made, apart = [], True  # apart: the last paragraph is one of its own kind
    for line in lines:
        named = bool(NAMED.match(line)) or line.startswith(("Raises ", "Returns "))
        ended = not made or (apart and made[-1].endswith("."))
        if not line.startswith("    ") and (ended or named):
            made.append(line)
            apart = named
        else:
            made[-1] += " " + line.strip()
    return [part for text in made for part in SECOND.split(text)]


def to_rst(lines: list[str]) -> list[str]:
    """The docstring as reStructuredText."""
    made = []
    for blank, group in groupby(lines, lambda line: not line.strip()):
        chunk = list(group)
        if blank:
            continue
        if chunk[0].startswith("    "):
            made += ["::", "", *(f"   {line[4:]}" for line in chunk), ""]
            continue
        for text in paragraphs(chunk):
            named = NAMED.fullmatch(text)
            made += [f"- **{plain(named[1])}**: {inline(named[2])}" if named else inline(text), ""]
    return made


def convert(app, what, name, obj, options, lines):
    lines[:] = to_rst(lines)


def setup(app):
    app.connect("autodoc-process-docstring", convert)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Formulas in docstrings: an indented block is shown as it is typed. napoleon reads all the rest.

reStructuredText would make a quotation of it, without its line ends and columns.
"""

import re

SECTION = re.compile(r"[A-Z][a-z]+:$")  # Args, Returns, Raises: what is indented below is theirs


def as_typed(lines: list[str]) -> list[str]:
    """The docstring's lines with `::` before each indented block that is no section's."""
    made, head, inside = [], "", False
    for line in lines:
        indented = line.startswith("    ")
        if line.strip() and not indented:
            head, inside = line, False
        elif indented and not inside and made and not made[-1].strip() and not SECTION.match(head):
            made += ["::", ""]
            inside = True
        made.append(line)
    return made


def convert(app, what, name, obj, options, lines):
    lines[:] = as_typed(lines)


def setup(app):
    # Before napoleon, which knows no formulas.
    app.connect("autodoc-process-docstring", convert, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

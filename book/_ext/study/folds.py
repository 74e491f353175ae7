"""Folded code says what is in it: a figure's code, imports, or the names that it defines.

myst-nb gives every fold of a book the same title, and a reader opens three to find one.
"""

import re

from docutils import nodes
from sphinx.locale import _

DEFINED = re.compile(r"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)
ASSIGNED = re.compile(r"^(\w+(?:, \w+)*) = ", re.MULTILINE)
NAMES = 4  # as many as fit a line


def title(source: str, figure: bool, prints: bool, whole: bool = False) -> str:
    """What a folded cell holds, in a few words; `whole` is one whose output is folded as well."""
    if whole:
        return _("Code and what it prints")
    if figure:
        return _("Code of this figure")
    names = DEFINED.findall(source)
    if names:
        more = " …" if len(names) > NAMES else ""
        return _("Code: %s") % (", ".join(names[:NAMES]) + more)
    if source.startswith(("import ", "from ")):
        return _("Code: imports")
    assigned = ASSIGNED.search(source)
    return _("Code: %s") % assigned[1] if assigned and not prints else _("Code of this output")


def name_folds(app, doctree):
    """Give each cell whose code is folded its own title, before myst-nb writes it."""
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") != "cell_code" or cell.get("hide_mode") not in ("input", "all"):
            continue
        figure = "figure" in cell["cell_metadata"].get("mystnb", {})
        prints = cell.children[-1].get("nb_element") == "cell_code_output"
        whole = cell["hide_mode"] == "all"
        cell["prompt_show"] = title(cell.children[0].astext().lstrip(), figure, prints, whole)
        cell["prompt_hide"] = cell["prompt_show"]


def setup(app):
    app.connect("doctree-read", name_folds)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

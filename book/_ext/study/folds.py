"""Folded code says what is in it, and a predicted result waits behind *Show the result*.

myst-nb gives every fold of a book the same title, and a reader opens three to find one. What a cell
with the tag `hide-output` prints is closed by book.js alone: without JavaScript, on paper and in
Jupyter it is in sight.
"""

import re

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.locale import _

DEFINED = re.compile(r"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)
ASSIGNED = re.compile(r"^(\w+(?:, \w+)*) = ", re.MULTILINE)
NAMES = 4  # as many as fit a line
FOLDED = ("input", "input+output", "all")
RESULT = re.compile(r'<details class="([^"]*\bbelow-input\b[^"]*)">')


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
        if cell.get("nb_element") != "cell_code" or cell.get("hide_mode") not in FOLDED:
            continue
        figure = "figure" in cell["cell_metadata"].get("mystnb", {})
        prints = cell.children[-1].get("nb_element") == "cell_code_output"
        whole = cell["hide_mode"] == "all"
        cell["prompt_show"] = title(cell.children[0].astext().lstrip(), figure, prints, whole)
        cell["prompt_hide"] = cell["prompt_show"]


def name_results(app, doctree, docname):
    """Give each fold around an output its title; myst-nb would give it that of the code."""
    for fold in doctree.findall(HideCodeCellNode):
        if "below-input" in fold["classes"]:
            fold["prompt_show"], fold["prompt_hide"] = _("Show the result"), _("Hide the result")


def open_results(app, pagename, templatename, context, doctree):
    """Leave these folds open in the page: not everybody has the script that closes them."""
    if context.get("body"):
        context["body"] = RESULT.sub(r'<details class="\1" open>', context["body"])


def setup(app):
    app.connect("doctree-read", name_folds)
    app.connect("doctree-resolved", name_results)
    app.connect("html-page-context", open_results)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

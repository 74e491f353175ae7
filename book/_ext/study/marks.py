"""The mark ≈ before a number is for tests, and a page shows the number alone.

A notebook prints what training makes unstable after ≈, so that nbval does not compare it between
machines. In a column of text the mark becomes blanks, so that the numbers stay below each other.
"""

import re

from docutils import nodes

IN_COLUMN = re.compile(r"(?<=\s )≈ (?=[-−]?\d)")
ELSEWHERE = re.compile(r"≈ ?(?=[-−]?\d)")


def without(text: str) -> str:
    """What a cell printed, without the marks before its numbers."""
    return ELSEWHERE.sub("", IN_COLUMN.sub("  ", text))


def take_out(app, doctree):
    """Take the marks out of what the cells of a page print, text and tables."""
    for output in doctree.findall(nodes.container):
        if output.get("nb_element") != "cell_code_output":
            continue
        for shown in output.findall(lambda node: isinstance(node, nodes.literal_block | nodes.raw)):
            text = shown.astext()
            if "≈" in text:
                shown.rawsource = without(text)  # Sphinx colours a block whose two texts are equal
                shown[:] = [nodes.Text(shown.rawsource)]


def setup(app):
    app.connect("doctree-read", take_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Cells of a table that hold a sentence, named so: on a phone they keep a line's width.

A browser shrinks the columns of a table as far as their longest word allows, and a sentence then
stands three or four letters to a line. Style sheets cannot ask how long a text is.
"""

from docutils import nodes

SENTENCE = 18  # characters; what is shorter is a label or a number


def name_sentences(app, doctree, docname):
    """Give the class `attn-sentence` to each cell whose text is longer than a label."""
    for entry in doctree.findall(nodes.entry):
        if len(entry.astext()) > SENTENCE:
            entry["classes"].append("attn-sentence")


def setup(app):
    app.connect("doctree-resolved", name_sentences)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

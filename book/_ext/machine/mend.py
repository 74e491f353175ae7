"""What docutils, Sphinx and myst-nb write otherwise than readers and screen readers need."""

import re
from pathlib import Path

from docutils import nodes
from sphinx.util.images import get_image_size

MENDED = (
    # docutils gives entries of a bibliography a role that ARIA has retired, and their list one.
    (re.compile(r' role="doc-biblioentry"'), ""),
    (re.compile(r'<div role="list" class="citation-list">'), '<div class="citation-list">'),
    # The corner of a table, above the names of its rows, heads nothing.
    (re.compile(r"<th\b[^>]*>\s*(?:<p>\s*</p>)?\s*</th>"), "<td></td>"),
    # A heading says what it heads: of a table's first row its column, else its row.
    (re.compile(r'<th(?= class="[^"]*\bhead\b)(?![^>]*scope)'), '<th scope="col"'),
    (re.compile(r'<th(?= class="[^"]*\bstub\b)(?![^>]*scope)'), '<th scope="row"'),
    # What a fold is called must be what it says.
    (re.compile(r'<summary aria-label="[^"]*">'), "<summary>"),
    # myst-nb writes the size of a plot as a style, whose height would hold on a phone too, where
    # the width does not: the plot would be squeezed. As attributes the two are a ratio. On a phone
    # the whole plot is there, and the link around it opens it at its size.
    (
        re.compile(r'(<img\b[^>]*?) style="width: (\d+)px; height: (\d+)px;"'),
        r'\1 width="\2" height="\3" style="max-width: 100%; height: auto"',
    ),
)
SENTENCE = 18  # characters; what is shorter is a label or a number


def mend(app, pagename, templatename, context, doctree):
    """Rewrite the body of one page."""
    for pattern, instead in MENDED:
        if context.get("body"):
            context["body"] = pattern.sub(instead, context["body"])


def name_sentences(app, doctree, docname):
    """Give the class `attn-sentence` to each cell of a table whose text is longer than a label.

    A browser shrinks columns as far as their longest word allows, and a sentence then stands three
    or four letters to a line on a phone. Style sheets cannot ask how long a text is.
    """
    for entry in doctree.findall(nodes.entry):
        if len(entry.astext()) > SENTENCE:
            entry["classes"].append("attn-sentence")


def size_images(app, doctree, docname):
    """Give each image its own size, which a page keeps free for it.

    Otherwise what is read moves down when an image above it comes late.
    """
    for image in doctree.findall(nodes.image):
        if not {"width", "height", "scale"} & set(image.attributes):
            size = get_image_size(str(Path(app.srcdir, image["uri"])))
            if size:
                image["width"], image["height"] = map(str, size)


def setup(app):
    app.connect("html-page-context", mend)
    app.connect("doctree-resolved", size_images)
    app.connect("doctree-resolved", name_sentences)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

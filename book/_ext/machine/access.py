"""Faults that an accessibility audit finds in what Sphinx writes, put right in the page's body."""

import re

# docutils gives entries of a bibliography a role that ARIA has retired.
ENTRY = re.compile(r' role="doc-biblioentry"')
# The corner of a table, above the names of its rows, heads nothing.
CORNER = re.compile(r"<th\b[^>]*>\s*(?:<p>\s*</p>)?\s*</th>")
# What a fold is called must be what it says.
SUMMARY = re.compile(r'<summary aria-label="[^"]*">')
LIST = re.compile(r'<div role="list" class="citation-list">')


def mend(app, pagename, templatename, context, doctree):
    """Rewrite the body of one page."""
    if context.get("body"):
        context["body"] = SUMMARY.sub("<summary>", context["body"])
        body = CORNER.sub("<td></td>", ENTRY.sub("", context["body"]))
        context["body"] = LIST.sub('<div class="citation-list">', body)


def setup(app):
    app.connect("html-page-context", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

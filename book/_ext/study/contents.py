"""{every-page}: a table of contents in which each page says what it answers, and how long it takes.

A toctree gives titles alone. The question is the line that llms.py gives a page, or one that the
directive holds (`book/softmax: How …?`); the minutes stand in the page's head.
"""

import re

from docutils import nodes
from machine.llms import one_line, parts
from sphinx.util.docutils import SphinxDirective
from study.element import element

MINUTES = re.compile(r"(\d+) minutes to read|about (\d+) minutes")
ANSWER = re.compile(r"(\w+/\w+): (.+)")


class EveryPage(SphinxDirective):
    """A place that is filled once all pages have been read."""

    has_content = True

    def run(self):
        frame = element("div", {"class": "attn-contents"})
        frame["answers"] = {}
        for text in self.content:
            found = ANSWER.fullmatch(text)
            if not found or found[1] not in self.env.found_docs:
                raise self.error(f"{text!r} is no page of the book with what it answers.")
            frame["answers"][found[1]] = found[2]
        return [frame]


def fill(app, doctree, docname):
    """List the parts, and the pages of each."""
    for frame in doctree.findall(element):
        if frame["html"].get("class") == "attn-contents":
            for caption, names in parts(app):
                told = frame["answers"]
                items = [line(app, docname, name, told.get(name)) for name in names]
                frame += [nodes.rubric("", caption), nodes.bullet_list("", *items)]


def line(app, here: str, name: str, answer: str | None) -> nodes.list_item:
    """One page: its title, its question, its minutes."""
    target = app.builder.get_relative_uri(here, name)
    page = app.env.get_doctree(name)
    link = nodes.reference("", app.env.titles[name].astext(), refuri=target, internal=True)
    words = [link, nodes.Text(" " + (answer or one_line(page, app.env.titles)))]
    if found := MINUTES.search(page.astext()):
        words.append(nodes.inline("", f" {found[1] or found[2]} min", classes=["attn-minutes"]))
    return nodes.list_item("", nodes.paragraph("", "", *words))


def setup(app):
    app.setup_extension("study.element")
    app.add_directive("every-page", EveryPage)
    app.connect("doctree-resolved", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""What a reader has read, and what comes next.

The landing page has an empty frame that progress.js fills. Beside each page stands its exercise,
and not only at its end, where the theme has its own links.
"""

import re

from docutils import nodes
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective
from study.element import element

EXERCISE = re.compile(r'href="((?:\.\./)?exercises/(\w+)\.html)"')


class Progress(SphinxDirective):
    """The frame: a sentence and a button, hidden until the script has something to say."""

    def run(self):
        words = element("p", {"class": "attn-progress-words", "role": "status"})
        button = element("button", {"type": "button"}, nodes.Text(_("Forget my progress")))
        return [element("div", {"id": "attn-progress", "hidden": "hidden"}, words, button)]


def chapters(app) -> set[str]:
    """The chapters' names, which are the same in every language."""
    pages = (name for name, data in app.env.metadata.items() if "quiz" in data)
    return {name.rpartition("/")[2] for name in pages}


def count_quizzes(app, doctree, docname):
    """How many quizzes there are is known once all pages have been read."""
    for frame in doctree.findall(element):
        if frame["html"].get("id") == "attn-progress":
            frame["html"] = {**frame["html"], "data-quizzes": str(len(chapters(app)))}


def write_again(app, env):
    """The landing page is written in each build: another page's quiz may have changed."""
    return [app.config.root_doc]


def tell_templates(app, pagename, templatename, context, doctree):
    """The chapters, those pages that end in a quiz, for the sidebar's marks; and the first exercise
    that the page names, for templates/next-up.html."""
    context["attn_chapters"] = " ".join(sorted(chapters(app)))
    found = EXERCISE.search(context.get("body") or "")
    if found and not pagename.startswith("exercises/") and pagename != app.config.root_doc:
        title = app.env.titles.get(f"exercises/{found[2]}")
        context["attn_exercise"] = (found[1], title.astext()) if title else None


def setup(app):
    app.setup_extension("study.quiz")
    app.add_directive("progress", Progress)
    app.connect("doctree-resolved", count_quizzes)
    app.connect("env-get-updated", write_again)
    app.connect("html-page-context", tell_templates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

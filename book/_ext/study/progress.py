"""Where the landing page shows what its reader has read: an empty frame that progress.js fills."""

from docutils import nodes
from languages.words import _
from sphinx.util.docutils import SphinxDirective
from study.element import element


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


def list_chapters(app, pagename, templatename, context, doctree):
    """Every page names the chapters, those pages that end in a quiz, for the sidebar's marks."""
    context["attn_chapters"] = " ".join(sorted(chapters(app)))


def setup(app):
    app.setup_extension("study.quiz")
    app.add_directive("progress", Progress)
    app.connect("doctree-resolved", count_quizzes)
    app.connect("env-get-updated", write_again)
    app.connect("html-page-context", list_chapters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

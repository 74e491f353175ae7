"""Where the landing page shows what its reader has read: an empty frame that progress.js fills."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from study.element import element


class Progress(SphinxDirective):
    """The frame: a sentence and a button, hidden until the script has something to say."""

    def run(self):
        words = element("p", {"class": "attn-progress-words", "role": "status"})
        button = element("button", {"type": "button"}, nodes.Text("Forget my progress"))
        return [element("div", {"id": "attn-progress", "hidden": "hidden"}, words, button)]


def count_quizzes(app, doctree, docname):
    """How many quizzes there are is known once all pages have been read."""
    for frame in doctree.findall(element):
        if frame["html"].get("id") == "attn-progress":
            found = sum("quiz" in data for data in app.env.metadata.values())
            frame["html"] = {**frame["html"], "data-quizzes": str(found)}


def write_again(app, env):
    """The landing page is written in each build: another page's quiz may have changed."""
    return [app.config.root_doc]


def list_chapters(app, pagename, templatename, context, doctree):
    """Every page names the chapters, those pages that end in a quiz, for the sidebar's marks."""
    chapters = (name for name, data in app.env.metadata.items() if "quiz" in data)
    context["attn_chapters"] = " ".join(sorted(name.rpartition("/")[2] for name in chapters))


def setup(app):
    app.setup_extension("study.quiz")
    app.add_directive("progress", Progress)
    app.connect("doctree-resolved", count_quizzes)
    app.connect("env-get-updated", write_again)
    app.connect("html-page-context", list_chapters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Links into the repository, once it has an address: the words alone until then.

{exercise}`01_softmax`     links to the page of the exercise, and opens its notebook in Colab
{course-copies}            how to get the course, and the book as one file
"""

import subprocess
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from docutils import nodes
from languages.pages import original
from machine.address import of
from sphinx import addnodes
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective

LAB = "make lab    # pages and exercises in JupyterLab\nmake book   # these pages"
# What .github/workflows/release.yml uploads.
FILES = (
    ("attention-book.zip", "pages to read offline", " (a zip; open its index.html), "),
    ("attention.pdf", "PDF", ", "),
    ("attention.epub", "EPUB", ", "),
    ("attention-slides.zip", "slides", ", "),
    ("attention-exercises.zip", "exercises", "."),
)


def exercise_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """Link to the page of an exercise, and to its notebook in Colab; a missing file is an error."""
    config = inliner.document.settings.env.app.config
    path = f"exercises/{text}.ipynb"
    if not (Path(inliner.document.settings.env.app.srcdir) / path).exists():
        message = inliner.reporter.error(f"{path} does not exist; run `make release`.", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    here = of(config)
    page = addnodes.pending_xref(
        rawtext,
        nodes.literal("", text),
        refdomain="std",
        reftype="doc",
        reftarget=f"/exercises/{text}",
        refdoc=inliner.document.settings.env.docname,
        refexplicit=True,
        refwarn=True,
    )
    if not here.on_github:
        return [page], []
    return [
        page,
        nodes.Text(" ("),
        nodes.reference("", _("open in Colab"), refuri=here.colab(path)),
        nodes.Text(")"),
    ], []


class Copies(SphinxDirective):
    """The lines that clone the course and open it, and links to the files of its last release."""

    def run(self):
        here = of(self.config)
        if not here.is_real:
            return [nodes.literal_block(LAB, LAB, language="sh")]
        folder = here.repository.rpartition("/")[2]
        lines = f"git clone {here.repository} && cd {folder}\n{LAB}"
        block = nodes.literal_block(lines, lines, language="sh")
        if not here.on_github:  # its releases have no address that is always the last one's
            return [block]
        latest = f"{here.repository}/releases/latest/download"
        words = [nodes.Text(_("To take the finished book along: "))]
        for file, name, after in FILES:
            words += [nodes.reference("", name, refuri=f"{latest}/{file}"), nodes.Text(after)]
        return [block, nodes.paragraph("", "", *words)]


@cache
def version(root: Path) -> str:
    """The last tag, with the commits since, or the commit; "" where the sources have no git."""
    command = ["git", "describe", "--tags", "--always", "--dirty"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def report(here, page: str, commit: str) -> str:
    """Where to report a page: a form that knows which page and which version of it."""
    if here.on_github:  # the fields of .github/ISSUE_TEMPLATE/page.yml
        fields = {"template": "page.yml", "title": page, "page": page, "version": commit}
        return f"{here.repository}/issues/new?{urlencode(fields)}"
    fields = {"issue[title]": page, "issue[description]": f"{page}, {commit}"}
    return f"{here.repository}/-/issues/new?{urlencode(fields)}"


def lead(app, pagename, templatename, context, doctree):
    """The theme's buttons for an issue, which say the page alone, and for notebooks, of which the
    repository has the English ones. A page that needs a copy of the course has none for Colab."""
    if original(app.config, pagename) in app.config.attn_in_a_copy:
        for group in context.get("header_buttons", []):
            if buttons := group.get("buttons"):
                group["buttons"] = [one for one in buttons if one.get("text") != "Colab"]
    for button in every(context.get("header_buttons", [])):
        if button.get("label") == "source-issues-button":
            commit = version(Path(app.srcdir))
            button["url"] = report(of(app.config), app.builder.get_target_uri(pagename), commit)
            button["text"] = button["tooltip"] = _("Report this page")
        elif button.get("url", "").startswith("http"):
            button["url"] = button["url"].replace(pagename, original(app.config, pagename))


def every(buttons: list[dict]):
    """The buttons, and those in their groups."""
    for button in buttons:
        yield button
        yield from every(button.get("buttons", []))


def setup(app):
    app.setup_extension("machine.address")
    app.add_config_value("attn_in_a_copy", [], "html")
    app.connect("html-page-context", lead, priority=900)  # the theme has made its buttons
    app.add_role("exercise", exercise_role)
    app.add_directive("course-copies", Copies)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

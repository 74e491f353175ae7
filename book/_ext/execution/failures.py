"""A page whose cell failed says so on top; the rest of it, and of the book, is built as ever.

tools/execute.py leaves the failures beside the cache of executions, a sentence for each page, and
a list of the pages that were not run because they load a model that is not wanted here.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.locale import _


def load(app, name: str) -> list | dict:
    path = Path(app.outdir).parent / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def read_again(app, env, added, changed, removed):
    """Pages that failed in the last build or in this one: their outputs are others now."""
    before = {*getattr(env, "attn_failures", {}), *getattr(env, "attn_as_stored", ())}
    env.attn_failures = load(app, "failures.json")
    env.attn_as_stored = load(app, "as_stored.json")
    now = {*env.attn_failures, *env.attn_as_stored}
    return [name for name in before | now if name in env.found_docs]


def sentence_box(kind: str, title: str, *sentences: str) -> nodes.admonition:
    paragraphs = [nodes.paragraph("", sentence) for sentence in sentences]
    box = nodes.admonition("", nodes.title("", title), *paragraphs)
    box["classes"] += [kind, "attn-failure"]
    return box


def say_so(app, doctree):
    """Put the sentence under the page's title."""
    failure = app.env.attn_failures.get(app.env.docname)
    if failure is not None:
        title = _("This page failed when it was built")
        after = _(
            "What it should show is missing or wrong below. The other pages do not depend on it."
        )
        box = sentence_box("error", title, failure, after)
    elif app.env.docname in app.env.attn_as_stored:
        title = _("This page was not run when it was built")
        after = _("It loads a published model or recordings, and this copy was built without: ")
        after += _("what its cells printed is shown as it was stored, without the pictures.")
        box = sentence_box("note", title, after)
    else:
        return
    top = next(iter(doctree.findall(nodes.section)), doctree)
    top.insert(1 if isinstance(top, nodes.section) else 0, box)


def setup(app):
    app.connect("env-get-outdated", read_again)
    app.connect("doctree-read", say_so)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

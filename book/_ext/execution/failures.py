"""A page whose cell failed says so on top; the rest of it, and of the book, is built as ever.

tools/execute.py leaves the failures beside the cache of executions, a sentence for each page.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.locale import _


def load(app) -> dict[str, str]:
    path = Path(app.outdir).parent / "failures.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def read_again(app, env, added, changed, removed):
    """Pages that failed in the last build or in this one: their outputs are others now."""
    before, env.attn_failures = getattr(env, "attn_failures", {}), load(app)
    return [name for name in {*before, *env.attn_failures} if name in env.found_docs]


def say_so(app, doctree):
    """Put the sentence under the page's title."""
    failure = app.env.attn_failures.get(app.env.docname)
    if failure is None:
        return
    title = nodes.title("", _("This page failed when it was built"))
    after = _("What it should show is missing or wrong below. The other pages do not depend on it.")
    box = nodes.admonition("", title, nodes.paragraph("", failure), nodes.paragraph("", after))
    box["classes"] += ["error", "attn-failure"]
    top = next(iter(doctree.findall(nodes.section)), doctree)
    top.insert(1 if isinstance(top, nodes.section) else 0, box)


def setup(app):
    app.connect("env-get-outdated", read_again)
    app.connect("doctree-read", say_so)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

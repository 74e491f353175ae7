"""llms.txt at the root of the site: what this book is and one line for each page (llmstxt.org).

A page's line is the question it asks, which stands in bold near its top, or its first sentence.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from study.words import as_line

SENTENCE = re.compile(r"(.+?[.?!])(?:\s|$)")
HEAD = """# {title}

> {summary}

Every number on these pages comes out of a cell that a reader can run. Rows are queries, columns
are keys, and a mask holds True where attention is allowed. Code is under MIT, text under CC BY 4.0.
"""


def one_line(doctree, titles) -> str:
    """The bold question of a page, else the first sentence of its text."""
    top = next(iter(doctree.findall(nodes.section)), doctree)
    opening = [child for child in top.children if not isinstance(child, nodes.section)]
    for part in opening:
        for strong in part.findall(nodes.strong):
            if strong.astext().endswith("?"):
                return as_line(strong)
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.Admonition):  # what one needs, not what one gets
            continue
        found = SENTENCE.match(as_line(paragraph, titles))
        if found:
            return found[1]
    return ""


def parts(app) -> list[tuple[str, list[str]]]:
    """The book's parts and their pages, in the order of the contents."""
    root = app.env.get_doctree(app.config.root_doc)
    found = [
        (tree.get("caption") or "Pages", [name for _, name in tree["entries"]])
        for tree in root.findall(addnodes.toctree)
    ]
    return [(caption, names) for caption, names in found if names]


def write(app, exception):
    """Write the file; nothing when the build failed or is not the site."""
    if exception is not None or app.builder.name != "html":
        return
    root = app.env.get_doctree(app.config.root_doc)
    title = app.config.html_title or app.config.project
    lines = [HEAD.format(title=title, summary=one_line(root, app.env.titles))]
    for caption, names in parts(app):
        lines.append(f"## {caption}\n")
        for name in names:
            url = app.config.html_baseurl + app.builder.get_target_uri(name)
            line = one_line(app.env.get_doctree(name), app.env.titles)
            lines.append(f"- [{app.env.titles[name].astext()}]({url}): {line}")
        lines.append("")
    text = "\n".join(lines).rstrip() + "\n"
    (Path(app.outdir) / "llms.txt").write_text(text, encoding="utf-8", newline="\n")


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

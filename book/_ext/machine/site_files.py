"""What stands at the root of the site beside its pages: llms.txt, sitemap.xml, 404.html.

llms.txt (llmstxt.org) has a line for each page: the question it asks, which stands in bold near its
top, or its first sentence. sitemap.xml lists every page, also those that the last build did not
write again. 404.html, which a server shows at any address that has no page, has links that begin
at the root of the site, and brings all that it needs.
"""

import re
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from docutils import nodes
from sphinx import addnodes
from study.words import as_line

SENTENCE = re.compile(r"(.+?[.?!])(?:\s|$)")
HEAD = """# {title}

> {summary}

Every number on these pages comes out of a cell that a reader can run. Rows are queries, columns
are keys, and a mask holds True where attention is allowed. Code is under MIT, text under CC BY 4.0.
"""
MAP = """<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{}
</urlset>
"""
NO_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>No such page - {title}</title>
<style>
:root {{ color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 34rem; margin: 15vh auto; padding: 0 1rem; }}
</style>
</head>
<body>
<main>
<h1>There is no such page</h1>
<p>It may have been renamed, or this copy of the course leaves it out.</p>
<p><a href="{root}index.html">{title}</a> · <a href="{root}search.html">Search</a></p>
</main>
</body>
</html>
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


def llms(env, title: str, address) -> str:
    """The book's parts and their pages, in the order of the contents; `address` gives a page's."""
    root = env.get_doctree(env.config.root_doc)
    lines = [HEAD.format(title=title, summary=one_line(root, env.titles))]
    for tree in root.findall(addnodes.toctree):
        if names := [name for _, name in tree["entries"]]:
            lines.append(f"## {tree.get('caption') or 'Pages'}\n")
            for name in names:
                line = one_line(env.get_doctree(name), env.titles)
                lines.append(f"- [{env.titles[name].astext()}]({address(name)}): {line}")
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def write(app, exception) -> None:
    """Write the three; without an address there is no site to map."""
    if exception is not None or app.builder.name != "html":
        return
    config, site = app.config, app.config.html_baseurl or ""
    title = config.html_title or config.project

    def address(name: str) -> str:
        return site + app.builder.get_target_uri(name)

    root = escape(urlsplit(site).path or "/")
    no_page = NO_PAGE.format(language=config.language or "en", title=escape(title), root=root)
    files = {"llms.txt": llms(app.env, title, address), "404.html": no_page}
    if site:
        pages = sorted(map(address, app.env.found_docs))
        files["sitemap.xml"] = MAP.format(
            "\n".join(f"<url><loc>{escape(page)}</loc></url>" for page in pages)
        )
    for name, text in files.items():
        (Path(app.outdir) / name).write_text(text, encoding="utf-8", newline="\n")


def setup(app):
    app.connect("build-finished", write, priority=900)  # after those who rewrite the book's pages
    return {"parallel_read_safe": True, "parallel_write_safe": True}

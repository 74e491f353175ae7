"""What stands at the root of the site beside its pages: llms.txt, sitemap.xml, 404.html.

llms.txt (llmstxt.org) has a line for each page: the question it asks, which stands in bold near its
top, or its first sentence. sitemap.xml lists every page, also those that the last build did not
write again. 404.html, which a server shows at any address that has no page, has links that begin
at the root of the site, and brings all that it needs.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

from docutils import nodes
from sphinx import addnodes
from study.plain_text import as_line

from course_lib.checker.escape import render

SENTENCE = re.compile(r"(.+?[.?!])(?:\s|$)")
HERE = Path(__file__).parent


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
    parts = [
        {
            "caption": tree.get("caption") or "Pages",
            "pages": [
                {
                    "title": env.titles[name].astext(),
                    "address": address(name),
                    "line": one_line(env.get_doctree(name), env.titles),
                }
                for _, name in tree["entries"]
            ],
        }
        for tree in root.findall(addnodes.toctree)
        if tree["entries"]
    ]
    summary = one_line(root, env.titles)
    return render(HERE / "llms.txt.j2", title=title, summary=summary, parts=parts)


def write(app, exception) -> None:
    """Write the three; without an address there is no site to map."""
    if exception is not None or app.builder.name != "html":
        return
    config, site = app.config, app.config.html_baseurl or ""
    title = config.html_title or config.project

    def address(name: str) -> str:
        return site + app.builder.get_target_uri(name)

    root, language = urlsplit(site).path or "/", config.language or "en"
    no_page = render(HERE / "no_page.html.j2", language=language, title=title, root=root)
    files = {"llms.txt": llms(app.env, title, address), "404.html": no_page}
    if site:
        pages = sorted(map(address, app.env.found_docs))
        files["sitemap.xml"] = render(HERE / "sitemap.xml.j2", pages=pages)
    for name, text in files.items():
        (Path(app.outdir) / name).write_text(text, encoding="utf-8", newline="\n")


def setup(app):
    app.connect("build-finished", write, priority=900)  # after those who rewrite the book's pages
    return {"parallel_read_safe": True, "parallel_write_safe": True}

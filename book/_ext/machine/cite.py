"""Cite this page: BibTeX and APA, in a fold at the end of every page, made from _config.yml."""

import re
from html import escape

from sphinx.locale import _

FOLD = """
<details class="attn-cite"><summary>{summary}</summary>
<div class="highlight-bibtex notranslate"><div class="highlight"><pre>{bibtex}</pre></div></div>
<p>{apa}</p>
</details>
"""


def bibtex(title: str, page: str, book: str, author: str, year: str, url: str) -> str:
    """A @misc entry; braces keep the author whole and the title's capitals. `url` may be ""."""
    key = re.sub(r"[^a-z0-9]+", "-", page.rpartition("/")[2].lower()).strip("-")
    return (
        f"@misc{{attention-{key},\n"
        f"  author       = {{{{{author}}}}},\n"
        f"  title        = {{{{{title}}}}},\n"
        f"  howpublished = {{In: {book}}},\n"
        f"  year         = {{{year}}}" + (f",\n  url          = {{{url}}}" if url else "") + "\n}"
    )


def apa(title: str, book: str, author: str, year: str, url: str) -> str:
    """APA 7 for a chapter of a web book, as HTML."""
    author, title, book, url = map(escape, (author, title, book, url))
    return f"{author}. ({year}). {title}. In <em>{book}</em>. {url}".rstrip()


def add_fold(app, pagename, templatename, context, doctree):
    """Put the fold behind the body of every page that has a source."""
    if doctree is None or app.builder.name != "html" or not context.get("body"):
        return
    title = app.env.titles[pagename].astext()
    year = re.search(r"\d{4}", app.config.copyright)[0]
    base = app.config.html_baseurl  # "" while the book has no address
    url = base and base + app.builder.get_target_uri(pagename)
    book, author = app.config.html_title or app.config.project, app.config.author
    context["body"] += FOLD.format(
        summary=escape(_("Cite this page")),
        bibtex=escape(bibtex(title, pagename, book, author, year, url)),
        apa=apa(title, book, author, year, url),
    )


def setup(app):
    app.connect("html-page-context", add_fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

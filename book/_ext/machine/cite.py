"""Cite this page: BibTeX and APA, in a fold at the end of every page, made from _config.yml."""

import re
from pathlib import Path

from sphinx.locale import _

from course_lib.checker.escape import render

TEMPLATE = Path(__file__).with_suffix(".html.j2")


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


def add_fold(app, pagename, templatename, context, doctree):
    """Put the fold behind the body of every page that has a source."""
    if doctree is None or app.builder.name != "html" or not context.get("body"):
        return
    title = app.env.titles[pagename].astext()
    year = re.search(r"\d{4}", app.config.copyright)[0]
    base = app.config.html_baseurl  # "" while the book has no address
    url = base and base + app.builder.get_target_uri(pagename)
    book, author = app.config.html_title or app.config.project, app.config.author
    context["body"] += render(
        TEMPLATE,
        summary=_("Cite this page"),
        bibtex=bibtex(title, pagename, book, author, year, url),
        author=author,
        year=year,
        title=title,
        book=book,
        url=url,
    )


def setup(app):
    app.connect("html-page-context", add_fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

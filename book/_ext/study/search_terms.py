"""The words that people type, for the search: book/search_terms.yml, page by page.

Each page gets them as keywords, which Sphinx puts into its index, and the search page gets the
phrases themselves, by which assets/scorer.js lists a page first.
"""

import json
from pathlib import Path

import yaml
from docutils import nodes

FILE = "book/search_terms.yml"


def phrases(root: Path) -> dict[str, list[str]]:
    """The phrases of each page, in small letters."""
    lines = yaml.safe_load((root / FILE).read_text(encoding="utf-8"))
    return {page: [p.strip().lower() for p in line.split(",")] for page, line in lines.items()}


def add_keywords(app, doctree):
    """The words of the page's phrases, one by one, as the index holds words."""
    mine = phrases(Path(app.srcdir)).get(app.env.docname, [])
    words = dict.fromkeys(word for phrase in mine for word in phrase.split())
    if words:
        doctree += nodes.meta("", name="keywords", content=", ".join(words))


def write(app):
    if app.builder.format == "html":
        folder = Path(app.outdir) / "_static"
        folder.mkdir(parents=True, exist_ok=True)
        text = f"window.attnPhrases = {json.dumps(phrases(Path(app.srcdir)))};\n"
        (folder / "search-terms.js").write_text(text, encoding="utf-8", newline="\n")


def add_script(app, pagename, templatename, context, doctree):
    if pagename == "search":
        app.add_js_file("search-terms.js", priority=300)
        app.add_js_file("search.js", priority=900, loading_method="defer")


def note_terms(app, env, docnames):
    """Every page depends on the file: all are read again when it changes."""
    for name in env.found_docs & phrases(Path(app.srcdir)).keys():
        env.dependencies[name].add(FILE)


def setup(app):
    app.connect("builder-inited", write)
    app.connect("env-before-read-docs", note_terms)
    app.connect("doctree-read", add_keywords)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

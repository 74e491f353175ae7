"""Pages in another language, beside the English ones: fr/softmax.html beside book/softmax.html.

A page is translated when book/locale/LANGUAGE/LC_MESSAGES/ has its catalogue. It is written into
LANGUAGE/ as a notebook with the same code, which is lent the outputs of the English one, and Sphinx
builds it as one more page of this book: its links lead to what is there, and it keeps the numbers
of its figures. The words of our scripts and of the themes follow the page's language.
"""

import gettext
import io
import re
from pathlib import Path

import nbformat
import pydata_sphinx_theme
import sphinx
import sphinx_book_theme
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from docutils import nodes
from execution.page_key import cache_folder, keyed
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from languages.messages import catalogue, catalogues, renamed, table, translated
from sphinx.locale import translators

THEMES = (
    ("booktheme", sphinx_book_theme, "theme/sphinx_book_theme/static/locales"),
    ("sphinx", pydata_sphinx_theme, "locale"),
    ("sphinx", sphinx, "locale"),
)
# A chapter that a course dropped has no translation either.
LISTED = re.compile(r"^ *- file: ([^\s#]+)", re.M)
SHARED = [("general", "sphinx"), ("general", "booktheme")]


def language_of(config, docname: str) -> str:
    folder = docname.partition("/")[0]
    return folder if folder in config.attn_languages else config.language


def original(config, docname: str) -> str:
    """The page that this one translates; itself, where it translates none."""
    folder, _, name = docname.partition("/")
    return f"book/{name}" if folder in config.attn_languages else docname


def write(app, config) -> None:
    """Write the translated notebooks. One that has not changed keeps its date, or Sphinx would read
    it again; one without a catalogue goes."""
    root = Path(app.srcdir)
    listed = LISTED.findall((root / "_toc.yml").read_text(encoding="utf-8"))
    config.attn_languages = {
        language: [name for name in names if f"book/{name}" in listed]
        for language, names in catalogues(root).items()
    }
    for language, names in config.attn_languages.items():
        folder = root / language
        folder.mkdir(exist_ok=True)
        for path in folder.glob("*.ipynb"):
            if path.stem not in names:
                path.unlink()
        for name in names:
            known = table(catalogue(root, language, name))
            notebook = nbformat.read(root / f"book/{name}.ipynb", as_version=4)
            made = translated(notebook, lambda message, known=known: known.get(message, message))
            text = nbformat.writes(renamed(made, language, names))
            path = folder / f"{name}.ipynb"
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8", newline="\n")
            lend(root, cache_folder(Path(app.outdir).parent), f"book/{name}", path)


def lend(root: Path, folder: Path, english: str, path: Path) -> None:
    """Put the outputs of an English page into the cache for its translation, which need not run.

    jupyter-cache tells pages apart by their captions, too, and these are translated.
    """
    cache = get_cache(str(folder))
    here, there = (
        keyed(root, nbformat.read(file, as_version=4)) for file in (path, root / f"{english}.ipynb")
    )
    try:
        record = cache.match_cache_notebook(there)
    except KeyError:
        return  # it has not run: Sphinx runs both
    ran = cache.get_cache_bundle(record.pk).nb
    both = ([c for c in one.cells if c.cell_type == "code"] for one in (here, ran))
    for cell, done in zip(*both, strict=True):
        cell.outputs, cell.execution_count = done.outputs, done.execution_count
    bundle = CacheBundleIn(here, str(path), data=record.data)
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def leave_in(app) -> None:
    """Jupyter Book leaves out what _toc.yml does not list. Only the site has other languages."""
    config = app.config
    others = [p for p in config.exclude_patterns if language_of(config, p) == config.language]
    if app.builder.name != "html":
        others += [f"{language}/*" for language in config.attn_languages]
        config.attn_languages = {}
    config.exclude_patterns = others


def words(root: Path, language: str) -> gettext.NullTranslations:
    """What our own strings are in a language, then what the themes' and Sphinx's are."""
    entries, file = Catalog(locale=language), io.BytesIO()
    for message, text in table(catalogue(root, language, "course")).items():
        entries.add(message, text)
    write_mo(file, entries)
    file.seek(0)
    found = gettext.GNUTranslations(file)
    for name, package, folder in THEMES:
        place = Path(package.__file__).parent / folder
        found.add_fallback(gettext.translation(name, place, [language], fallback=True))
    return found


def speak(app, docname: str) -> None:
    """From here on `_` is in the page's language: Sphinx has one for a whole book."""
    config, language = app.config, language_of(app.config, docname)
    known = app.__dict__.setdefault("attn_words", {})
    if language not in known:
        known[language] = words(Path(app.srcdir), language)
    for key in SHARED:
        translators[key] = known[language]
    if templates := getattr(app.builder, "templates", None):
        templates.environment.install_gettext_translations(known[language])
    config.attn_language = language


def begin(app, docname, content) -> None:
    speak(app, docname)
    if app.config.attn_language != app.config.language:
        app.env.note_dependency(catalogue(Path(app.srcdir), app.config.attn_language, "course"))


def mark(app, doctree) -> None:
    """No table of contents lists a translated page, and the book's search is an English one."""
    if original(app.config, app.env.docname) != app.env.docname:
        app.env.metadata[app.env.docname].update(orphan="", nosearch="")


def number(app, env) -> list[str]:
    """A translated page has the numbers of its original: it stands in no table of contents."""
    pages = []
    for language, names in app.config.attn_languages.items():
        for name in names:
            here, there = f"{language}/{name}", f"book/{name}"
            figures = env.toc_fignumbers.get(there, {})
            env.toc_fignumbers[here] = {
                kind: {**ids, **{f"{language}-{one}": numbers for one, numbers in ids.items()}}
                for kind, ids in figures.items()
            }
            anchors = zip(places(env, there), places(env, here), strict=True)
            numbers = env.toc_secnumbers.get(there, {})
            env.toc_secnumbers[here] = {new: numbers[old] for old, new in anchors if old in numbers}
            pages.append(here)
    return pages


def places(env, page: str) -> list[str]:
    """The anchors of a page's headings, in their order."""
    return [link["anchorname"] for link in env.tocs[page].findall(nodes.reference)]


def choices(app, docname: str) -> list[dict]:
    """The page in its other languages, each by its own name."""
    if app.builder.name != "html":
        return []
    there = original(app.config, docname)
    folder, _, name = there.partition("/")
    pages = {app.config.language: there}
    for language, names in app.config.attn_languages.items():
        if folder == "book" and name in names:
            pages[language] = f"{language}/{name}"
    return [
        {
            "language": language,
            "name": Locale.parse(language).get_display_name(language).capitalize(),
            "address": app.builder.get_relative_uri(docname, page),
        }
        for language, page in pages.items()
        if page != docname
    ]


def add(app, pagename, templatename, context, doctree) -> None:
    """The switch between languages; on a translated page also what templates say of the page."""
    speak(app, pagename)
    context["attn_choices"] = choices(app, pagename)
    there, language = original(app.config, pagename), language_of(app.config, pagename)
    if language != app.config.language or there != pagename:
        context["language"] = language
        context["theme_search_bar_text"] = translators[SHARED[0]].gettext("Search this book")
        context["attn_words"] = table(catalogue(Path(app.srcdir), language, "course"))
    if there != pagename and there in app.builder.relations:
        _, before, after = app.builder.relations[there]
        for key, page in (("prev", before), ("next", after)):
            if page:
                title = app.builder.render_partial(app.env.titles[page])["title"]
                link = app.builder.get_relative_uri(pagename, page)
                context[key] = {"link": link, "title": title}


def setup(app):
    app.add_config_value("attn_languages", {}, "html")
    app.add_config_value("attn_language", "en", "")
    app.connect("config-inited", write)
    app.connect("builder-inited", leave_in, priority=100)
    app.connect("source-read", begin, priority=100)
    app.connect("doctree-read", mark)
    app.connect("env-get-updated", number, priority=900)  # once the others have theirs
    app.connect("doctree-resolved", lambda app, _, docname: speak(app, docname), priority=100)
    app.connect("html-page-context", add, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

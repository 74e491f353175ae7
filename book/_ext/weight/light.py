"""Pages that show early: one short style sheet for ten, short scripts and images that wait.

A page of the theme asks for its style sheets and scripts one by one, before it shows anything, for
the index of the whole book's search, which only the search page reads, and for every image.
"""

import hashlib
import os
import re
from base64 import b64encode
from pathlib import Path

from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment, Error, Whitespace
from rcssmin import cssmin
from weight.unused import trimmed, vocabulary

SHEET = re.compile(r'<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^":]+?\.css)[^"]*"[^>]*>\s*')
SCRIPT = re.compile(r"<script\b(?![^>]*\b(?:defer|async|type)\b)(?=[^>]*\bsrc=)")
# Every page sets two of its fields at once, so it cannot wait; it is 300 bytes.
OPTIONS = re.compile(r'<script\b[^>]*\bsrc="[^"]*/documentation_options\.js[^"]*">\s*</script>')
SEARCH = re.compile(
    r'<script\b[^>]*\bsrc="[^"]*\b(?:searchtools|language_data|searchindex)\.js[^"]*">\s*</script>\s*'
)
TABS = re.compile(r'<script\b[^>]*\bsrc="[^"]*/design-tabs\.js[^"]*">\s*</script>\s*')
VIEWPORT = re.compile(r'<meta name="viewport"[^>]*>\s*')  # the theme's parents each bring one
IMAGE = re.compile(r"<img\b(?![^>]*\bloading=)")
IMPORT = re.compile(r'@import\s+"([^":]+\.css)";')
TEXT = "text"  # the folder of the text's fonts
# They come with the style sheet and are unpacked beside it, in a moment: a page that showed its
# letters in another font first would move. Without scripts it does, and on a line that stalls.
WAIT = """<script>(root => {
  const fonts = ['1em "Attn Text"', 'italic 1em "Attn Text"', '600 1em "Attn Text"'MATHS];
  const show = () => { root.style.visibility = ""; };
  root.style.visibility = "hidden";
  setTimeout(show, 1000);
  Promise.allSettled(fonts.map(font => document.fonts.load(font))).then(show);
})(document.documentElement)</script>
"""
MATHS = """, '1em "Attn Maths"'"""  # a table with formulas would move, too
ADDRESS = re.compile(r"""url\(\s*["']?(?!data:|#|https?:)([^"')]+)["']?\s*\)""")
JOINED = Path("_static", "joined")


def lighten(app, exception) -> None:
    """Rewrite the head of every page."""
    if exception is not None or app.builder.name not in ("html", "dirhtml"):
        return
    site = Path(app.outdir)
    (site / JOINED).mkdir(parents=True, exist_ok=True)
    options = (site / "_static" / "documentation_options.js").read_text(encoding="utf-8")
    options = f"<script>{options}</script>"
    found = [p for p in site.rglob("*.html") if not {"_static", "_sources"} & set(p.parts)]
    pages = {page: page.read_text(encoding="utf-8") for page in found}
    # The theme brings every icon there is as a script, which no page loads.
    scripts = [p for p in site.rglob("_static/**/*.js") if p.name != "fontawesome.js"]
    words = vocabulary(pages.values(), (p.read_text(encoding="utf-8") for p in scripts))
    known: dict[Path, str] = {}

    def sheet(path: Path) -> str:
        if path not in known:
            known[path] = trimmed(_moved(path, site), words)
        return known[path]

    for page, text in pages.items():
        if page.name != "search.html":
            text = OPTIONS.sub(lambda _: options, SEARCH.sub("", text))
            text = SCRIPT.sub("<script defer", text)
        if "sd-tab-set" not in text:
            text = TABS.sub("", text)
        # Without scripts nobody chooses a theme, and "auto" names none.
        text = text.replace('data-theme="auto"', 'data-theme="light"', 1)
        more = len(VIEWPORT.findall(text)) - 1
        if more > 0:  # a count of 0 would take the last one, too
            text = VIEWPORT.sub("", text, count=more)
        text = IMAGE.sub('<img loading="lazy" decoding="async"', text)
        text = _join_sheets(text, page, site)
        if text != pages[page]:
            page.write_text(text, encoding="utf-8", newline="\n")
    _write_sheets(site, sheet)
    _shorten_scripts(site / "_static")


def _join_sheets(text: str, page: Path, site: Path) -> str:
    """Put one link in the place of the first; pages with the same sheets share the joined file.

    The file is named by what it joins, not by its content: a page that Sphinx does not write again
    keeps its link, and shows an edited sheet all the same.
    """
    names = SHEET.findall(text)
    if len(names) < 2:
        return text
    sheets = [Path(os.path.relpath(page.parent / name, site)).as_posix() for name in names]
    listed = "\n".join(sheets)
    target = site / JOINED / f"{hashlib.sha256(listed.encode()).hexdigest()[:12]}.css"
    target.with_suffix(".txt").write_text(listed, encoding="utf-8", newline="\n")
    address = os.path.relpath(target, page.parent).replace(os.sep, "/")
    wait = WAIT.replace("MATHS", MATHS if "<math" in text else "")
    links = iter([f'<link rel="stylesheet" href="{address}" />\n{wait}'])
    return SHEET.sub(lambda _: next(links, ""), text)


def _write_sheets(site: Path, sheet) -> None:
    """Every joined file anew, from its list; one whose sheets are gone has no page any more."""
    for listed in (site / JOINED).glob("*.txt"):
        sheets = [site / name for name in listed.read_text(encoding="utf-8").splitlines()]
        if all(path.exists() for path in sheets):
            joined = cssmin("\n".join(map(sheet, sheets)), keep_bang_comments=True)
            listed.with_suffix(".css").write_text(joined, encoding="utf-8", newline="\n")


def _shorten_scripts(folder: Path) -> None:
    """The book's and Sphinx's own without remarks and indents; Sphinx copies them at each build."""
    for path in (*folder.glob("*.js"), *folder.glob("figures/*.js")):
        text = _shortened(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8", newline="\n")


def _shortened(script: str) -> str:
    """Every token as it is, and between them one space or one end of a line; licences stay.

    By a lexer, since a minifier that looks for quotes loses spaces of nested template strings.
    """
    tokens = list(JavascriptLexer(stripnl=False, ensurenl=False).get_tokens(script))
    if any(kind is Error for kind, _ in tokens):
        return script
    found = []
    for kind, value in tokens:
        is_gap = kind in Whitespace or (kind in Comment and not value.startswith("/*!"))
        # A remark over several lines ends a statement, as an end of a line does.
        found.append(("\n" if "\n" in value else " ") if is_gap else value)
    return "".join(found)


def _moved(sheet: Path, site: Path) -> str:
    """A style sheet with what it imports, whose addresses hold from the joined file's folder."""

    def address(match: re.Match) -> str:
        there, mark, rest = match[1].partition("?")
        font = sheet.parent / there
        if font.parent.name == TEXT and font.exists():
            # A page that shows its letters in another font first would move when this one comes.
            return f"url(data:font/woff2;base64,{b64encode(font.read_bytes()).decode()})"
        moved = os.path.relpath(sheet.parent / there, site / JOINED).replace(os.sep, "/")
        return f"url({moved}{mark}{rest})"

    text = ADDRESS.sub(address, sheet.read_text(encoding="utf-8"))
    return IMPORT.sub(lambda match: _moved(sheet.parent / match[1], site), text)


def setup(app):
    # Jupyter Book sets this for an extension that _config.yml leaves out.
    app.add_config_value("comments_config", {}, "html")
    # After all that reads or writes pages and style sheets at the end of the build.
    app.connect("build-finished", lighten, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

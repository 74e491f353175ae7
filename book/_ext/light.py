"""Pages that show early: one style sheet for nine, scripts that wait, no search index to carry.

A page of the theme asks for its style sheets and scripts one by one, before it shows anything, and
for the index of the whole book's search, which only the search page reads.
"""

import os
import re
from pathlib import Path

SHEET = re.compile(r'<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^":]+?\.css)[^"]*"[^>]*>\s*')
SCRIPT = re.compile(r"<script\b(?![^>]*\b(?:defer|async|type)\b)(?=[^>]*\bsrc=)")
# Every page sets two of its fields at once, so it cannot wait; it is 300 bytes.
OPTIONS = re.compile(r'<script\b[^>]*\bsrc="[^"]*/documentation_options\.js[^"]*">\s*</script>')
SEARCH = re.compile(
    r'<script\b[^>]*\bsrc="[^"]*\b(?:searchtools|language_data|searchindex)\.js[^"]*">\s*</script>\s*'
)
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
    for page in site.rglob("*.html"):
        if "_static" in page.parts or "_sources" in page.parts:
            continue
        text = page.read_text(encoding="utf-8")
        if page.name != "search.html":
            text = OPTIONS.sub(lambda _: options, SEARCH.sub("", text))
            text = SCRIPT.sub("<script defer", text)
        text = _join_sheets(text, page, site)
        page.write_text(text, encoding="utf-8", newline="\n")


def _join_sheets(text: str, page: Path, site: Path) -> str:
    """Put one link in the place of the first; pages with the same sheets share the joined file."""
    sheets = [(page.parent / name).resolve() for name in SHEET.findall(text)]
    if len(sheets) < 2:
        return text
    joined = "\n".join(_moved(sheet, site) for sheet in sheets)
    name = f"{_short_hash(joined)}.css"
    (site / JOINED / name).write_text(joined, encoding="utf-8", newline="\n")
    address = os.path.relpath(site / JOINED / name, page.parent).replace(os.sep, "/")
    links = iter([f'<link rel="stylesheet" href="{address}" />\n'])
    return SHEET.sub(lambda _: next(links, ""), text)


def _moved(sheet: Path, site: Path) -> str:
    """A style sheet whose addresses hold from the joined file's folder."""

    def address(match: re.Match) -> str:
        there, mark, rest = match[1].partition("?")
        moved = os.path.relpath(sheet.parent / there, site / JOINED).replace(os.sep, "/")
        return f"url({moved}{mark}{rest})"

    return ADDRESS.sub(address, sheet.read_text(encoding="utf-8"))


def _short_hash(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()[:12]


def setup(app):
    # After all that reads or writes pages and style sheets at the end of the build.
    app.connect("build-finished", lighten, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

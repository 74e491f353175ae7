"""The links of the built pages, read from their files."""

import html
import re
from pathlib import Path
from urllib.parse import unquote

BOOK = Path(__file__).parents[2] / "_build" / "html"
LINK = re.compile(r"""\s(?:href|src|srcset)=(["'])(.*?)\1""")
ID = re.compile(r'\s(?:id|name)="([^"]*)"')


def links_of(text: str) -> set[str]:
    return {html.unescape(found[2]) for found in LINK.finditer(text)}


def dead_links(site: Path) -> list[str]:
    """Links of the built pages to a file that is not there, or to a place that a page lacks.

    A name that begins with / leads nowhere from disk: 404.html alone has some, which a server shows
    at any address.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    texts = {path: text for path, text in texts.items() if "_static" not in path.parts}
    places = {path: set(map(html.unescape, ID.findall(text))) for path, text in texts.items()}
    found = []
    for path, text in texts.items():
        for link in links_of(text):
            if re.match(r"[a-z]+:|//", link):
                continue
            name, _, place = link.partition("#")
            name = unquote(name.partition("?")[0])
            start = path.parent
            if path.name == "404.html":
                start, name = site, name.lstrip("/")
            to = (start / name).resolve() if name else path
            if not to.is_file() or (place and to in places and unquote(place) not in places[to]):
                found.append(f"{path.relative_to(site)}: {link}")
    return sorted(found)

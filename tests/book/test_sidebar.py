"""The sidebar: parts as folds, of which the page's own is open; the numbers of the route."""

import posixpath
import re
from pathlib import Path
from types import SimpleNamespace

from bs4 import BeautifulSoup
from docutils import nodes
from docutils.utils import new_document
from sphinx import addnodes
from study import sidebar

ROOT = Path(__file__).parents[2]


def relative(here: str, there: str) -> str:
    return posixpath.relpath(f"{there}.html", posixpath.dirname(here))


BUILDER = SimpleNamespace(get_relative_uri=relative)


def links(pages: list[str]) -> list[nodes.Node]:
    return [addnodes.pending_xref("", reftarget=page) for page in pages]


def test_of_the_sidebar_s_parts_the_page_s_own_is_open():
    def part(name, current=""):
        line = f'<li class="toctree-l1 {current}"><a href="#">page</a></li>'
        title = f'<p class="caption"><span class="caption-text">{name}</span></p>'
        return f'{title}\n<ul class="nav">{line}</ul>'

    at_b = sidebar.folded(part("A") + part("B", "current") + part("C"))
    assert re.findall(r'<details class="attn-part"( open="")?>', at_b) == ["", ' open=""', ""]
    assert at_b.count("<li") == 3 and "caption-text" in at_b and 'class="caption"' not in at_b
    nowhere = sidebar.folded(part("A") + part("B") + part("C"))
    assert re.findall(r'<details class="attn-part"( open="")?>', nowhere)[2] == ""
    assert nowhere.count(' open=""') == 2


def test_the_route_s_pages_have_their_number_in_the_sidebar():
    landing = (ROOT / "index.md").read_text(encoding="utf-8")
    box = landing.partition("{container} attn-route")[2].partition(":::")[0]
    listed = re.findall(r"\{doc\}`([^`]+)`", box)
    app = SimpleNamespace(config=SimpleNamespace(root_doc="index"), builder=BUILDER)
    app.env = SimpleNamespace(docname="index")
    page = new_document("")
    page += nodes.container("", *links(listed), classes=["attn-route"])
    page += links(["book/errata"])
    sidebar.note_route(app, page)
    assert app.env.attn_route == listed and len(listed) == 7

    lines = "".join(f'<li><a href="{one}.html">name</a></li>' for one in ["errata", "softmax"])
    html = (
        f'<p class="caption"><span class="caption-text">A</span></p>'
        f'<ul><li class="current"><a href="#">here</a></li>{lines}</ul>'
    )
    context = {"generate_toctree_html": lambda kind: html}
    sidebar.fold(app, listed[2], "page.html", context, None)
    written = context["generate_toctree_html"](kind="sidebar")
    texts = [a.get_text() for a in BeautifulSoup(written, "html.parser").select("a")]
    said = "Page {} of 7 on the short route: {}"
    assert texts == [said.format(3, 3) + "here", "name", said.format(2, 2) + "name"]

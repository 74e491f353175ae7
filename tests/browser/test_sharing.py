"""What a page tells the world of itself: how to cite it, its preview, llms.txt and the sitemap."""

import re

import pytest
from site_links import BOOK

from tools.address import read
from tools.contents import ROOT

SITE = read(ROOT).site  # "" while the placeholder stands


def test_every_page_says_how_to_cite_it(opened, site):
    page, fold = opened.page, opened.page.locator("details.attn-cite")
    name = opened.page.url.removeprefix(site)
    if name in ("genindex.html", "search.html"):
        assert fold.count() == 0
        return
    title = page.locator("h1").first.evaluate(
        "h => { const c = h.cloneNode(true);"
        " c.querySelectorAll('.headerlink, .section-number').forEach(n => n.remove());"
        " return c.textContent.trim(); }"
    )
    bibtex = fold.locator("pre").text_content()
    assert f"{{{{{title}}}}}" in bibtex
    assert f"{SITE}{name}}}" in bibtex if SITE else "url" not in bibtex
    assert bibtex.count("{") == bibtex.count("}")


def test_llms_txt_and_the_sitemap_list_every_page(site):
    pages = {p.relative_to(BOOK).as_posix() for p in (BOOK / "book").glob("*.html")}
    text = (BOOK / "llms.txt").read_text(encoding="utf-8")
    assert text.startswith("# Attention, by running it\n\n> ")
    link = rf"\({re.escape(SITE)}(book/[^)]+)\)"
    lines = re.findall(rf"^- \[[^]]+\]{link}: (\S.+)$", text, re.MULTILINE)
    assert {address for address, _ in lines} == pages
    assert all(line[-1] in ".?!" and "\\" not in line for _, line in lines)
    sitemap = BOOK / "sitemap.xml"
    assert sitemap.exists() == bool(SITE)
    if SITE:
        listed = re.findall(rf"<loc>{re.escape(SITE)}(book/[^<]+)</loc>", sitemap.read_text())
        assert set(listed) == pages


def test_a_link_to_a_page_has_a_preview(opened, site):
    name = opened.page.url.removeprefix(site)
    if name in ("genindex.html", "search.html"):
        pytest.skip("a page that nobody links to")
    meta = dict(
        opened.page.locator("meta[property^='og:']").evaluate_all(
            "nodes => nodes.map(n => [n.getAttribute('property'), n.content])"
        )
    )
    assert meta["og:site_name"] == "Attention, by running it"
    assert meta["og:url"] == SITE + name and len(meta["og:description"]) > 20
    assert " : " not in meta["og:description"], "a word is missing"
    if not SITE:  # a picture is named by its whole address
        assert "og:image" not in meta
        return
    image = BOOK / "_static" / meta["og:image"].rpartition("/_static/")[2]
    assert image.read_bytes().startswith(b"\x89PNG") and meta["og:image:alt"]

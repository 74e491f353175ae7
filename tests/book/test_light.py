"""Pages with one joined style sheet, also those that Sphinx did not write again."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

EXTENSIONS = Path(__file__).parents[2] / "book" / "_ext"
PAGE = """<html><head>
<link rel="stylesheet" href="{up}_static/theme.css?v=1" />
<link rel="stylesheet" href="{up}_static/book.css?v=1" />
</head><body class="attn-turn">{text}</body></html>
"""


@pytest.fixture
def lighten(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    for name in ("weight.light", "weight.unused"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    from weight.light import lighten

    return lighten


@pytest.fixture
def site(tmp_path) -> Path:
    (tmp_path / "_static").mkdir()
    (tmp_path / "book").mkdir()
    (tmp_path / "_static" / "documentation_options.js").write_text("0", encoding="utf-8")
    (tmp_path / "_static" / "theme.css").write_text("body { margin: 0 }", encoding="utf-8")
    style(tmp_path, "red")
    for name in ("index", "book/softmax"):
        up = "../" * name.count("/")
        (tmp_path / f"{name}.html").write_text(PAGE.format(up=up, text=name), encoding="utf-8")
    return tmp_path


def style(site: Path, colour: str) -> None:
    text = f".attn-turn {{ color: {colour} }}"
    (site / "_static" / "book.css").write_text(text, encoding="utf-8")


def build(lighten, site: Path) -> None:
    lighten(SimpleNamespace(outdir=site, builder=SimpleNamespace(name="html")), None)


def shown(site: Path, name: str) -> str:
    """The text of the one style sheet that a page links."""
    page = site / f"{name}.html"
    _, found = page.read_text(encoding="utf-8").split('rel="stylesheet" href="')
    return (page.parent / found.partition('"')[0]).read_text(encoding="utf-8")


def test_an_edited_style_sheet_reaches_pages_that_are_not_written_again(lighten, site):
    build(lighten, site)
    assert "red" in shown(site, "index") and "red" in shown(site, "book/softmax")
    style(site, "blue")
    (site / "index.html").write_text(PAGE.format(up="", text="new"), encoding="utf-8")
    build(lighten, site)
    for name in ("index", "book/softmax"):
        assert "blue" in shown(site, name)
        assert "red" not in shown(site, name)
        assert "margin" in shown(site, name)


def test_a_class_that_a_page_gains_reaches_the_joined_sheet(lighten, site):
    (site / "_static" / "book.css").write_text(".attn-new { color: green }", encoding="utf-8")
    build(lighten, site)
    assert "green" not in shown(site, "book/softmax")
    text = PAGE.format(up="", text='<p class="attn-new">new</p>')
    (site / "index.html").write_text(text, encoding="utf-8")
    build(lighten, site)
    assert "green" in shown(site, "index")
    assert shown(site, "index") == shown(site, "book/softmax")


def test_one_viewport_is_left_however_often_the_book_is_built(lighten, site):
    """Without it a phone shows a page as wide as a desk, and small."""
    page, tag = site / "index.html", '<meta name="viewport" content="width=device-width">'
    text = page.read_text(encoding="utf-8").replace("<head>", f"<head>{tag}{tag}")
    page.write_text(text, encoding="utf-8")
    for _ in range(3):
        build(lighten, site)
        assert page.read_text(encoding="utf-8").count(tag) == 1

"""Slides: what a page gives to look at, in its order, in a file that asks for no other."""

import re

import pytest
from bs4 import BeautifulSoup

from tools import slides
from tools.execute import pages
from tools.slides import deck

PAGE = """<html><body><article class="bd-article"><section>
<h1><span class="section-number">2. </span>Softmax<a class="headerlink" href="#s">#</a></h1>
<div class="attn-head admonition"><p class="admonition-title">Before you start</p>
<ul><li>weigh five words</li></ul></div>
<p>A translator looks. <a class="attn-term" href="glossary.html#a">score</a>
<strong>Who gets a share?</strong></p>
<p><strong>Who gets a share?</strong> All do.</p>
<section><h2>Squaring loses the order</h2>
<p>Two recipes.</p>
<div class="attn-predict admonition"><p class="admonition-title">Before you run</p>
<p>Which word wins?</p></div>
<div class="cell"><div class="cell_input"><pre>print(1)</pre></div>
<div class="cell_output"><div class="output stream"><pre>0.93</pre></div></div></div>
<div class="attn-why docutils container"><p>The first did.</p></div>
<p>In a formula:</p>
<div class="math"><math><mi>α</mi></math></div>
<div class="cell"><div class="cell_output"><figure><img alt="bars" loading="lazy"
src="../_images/bars.png"><figcaption>Bars.</figcaption></figure></div></div>
<div class="cell"><div class="cell_output"><figure><attn-bars class="attn-figure"><svg></svg>
</attn-bars></figure></div></div>
</section>
<section><h2>Key terms</h2><p>softmax</p></section>
<section><h2>Quiz</h2><div class="attn-quiz"><form class="attn-question" data-right="b"><fieldset>
<legend>1. Why?</legend><label class="attn-choice"><input><span> a. So.</span></label>
<label class="attn-choice"><input><span> b. Thus.</span></label></fieldset>
<details><p data-choice="b"><span>b.</span> <strong>Right.</strong> It sums to one.</p></details>
</form></div></section>
</section></article></body></html>"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A built book of one page."""
    for name in ("book", "_images", "_static/figures"):
        (tmp_path / "html" / name).mkdir(parents=True, exist_ok=True)
    root = tmp_path / "html"
    (root / "index.html").write_text("<html></html>")
    (root / "book" / "softmax.html").write_text(PAGE, encoding="utf-8")
    (root / "_images" / "bars.png").write_bytes(b"\x89PNG")
    (root / "_static" / "maths.woff").write_bytes(b"wOFF")
    (root / "_static" / "figures" / "bars.js").write_text("define('attn-bars')")
    (root / "_static" / "figures" / "figures.css").write_text(".attn-figure {}")
    for name, place in {"SITE": root, "PLACE": tmp_path / "slides", "ROOT": tmp_path}.items():
        monkeypatch.setattr(slides, name, place)
    return root


def shown(site) -> list[str]:
    """The text of each slide."""
    soup = BeautifulSoup(deck(site / "book" / "softmax.html", site), "html.parser")
    return [" ".join(one.get_text(" ").split()) for one in soup.select("section.slide")]


def test_a_page_becomes_slides_in_its_order(site):
    assert shown(site) == [
        "Softmax Who gets a share?",
        "You will be able to weigh five words",
        "Before you run Squaring loses the order Which word wins?",
        "What happened, and why Squaring loses the order 0.93 The first did.",
        "Squaring loses the order In a formula: α",
        "Squaring loses the order Bars.",
        "Squaring loses the order",
        "Quiz 1. Why? a. So. b. Thus.",
        "Quiz 1. Why? b. Right. It sums to one.",
    ]


def test_a_file_of_slides_asks_for_no_other(site):
    text = deck(site / "book" / "softmax.html", site)
    addresses = re.findall(r"""(?:src|href)="([^"]*)"|url\(([^)]*)\)""", text)
    assert addresses and all((a or b).startswith("data:") for a, b in addresses)
    assert "define('attn-bars')" in text and ".attn-figure {}" in text
    assert "loading=" not in text, "a picture that waits is not there when it is printed"


def test_every_chapter_has_slides_and_nothing_else_has():
    texts = {
        name: (slides.ROOT / f"{name}.ipynb").read_text("utf-8") for name in pages(slides.ROOT)
    }
    assert slides.chapters() == [name for name, text in texts.items() if "attn-predict" in text]


def test_a_long_table_goes_on_with_its_head_on_the_next_slide():
    rows = "".join(f"<tr><td>{number}</td></tr>" for number in range(20))
    table = f"<table><thead><tr><th>head</th></tr></thead><tbody>{rows}</tbody></table>"
    made = [str(piece) for piece in slides.pieces(BeautifulSoup(table, "html.parser"))]
    assert [text.count("<td>") for text in made] == [9, 9, 2]
    assert all("head" in text for text in made) and "<td>9<" in made[1]
    assert len(slides.pieces(BeautifulSoup("<ul><li>one</li></ul>", "html.parser"))) == 1

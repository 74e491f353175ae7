"""Slides of a built chapter, opened from disk as a lecturer opens them."""

import pytest

from tools.slides import SITE, deck

CHAPTER = SITE / "book" / "softmax.html"
SHOWN = "section.slide.shown"
OVERFLOWS = "node => node.scrollHeight > node.clientHeight + 1"


@pytest.fixture
def slides(visit, tmp_path):
    if not CHAPTER.exists():
        pytest.skip("the book is not built: run `make book`")
    path = tmp_path / "softmax.html"
    path.write_text(deck(CHAPTER, SITE), encoding="utf-8")
    return visit(path.as_uri())


def test_keys_turn_the_slides_and_every_slide_fits(slides):
    page = slides.page
    count = page.locator("section.slide").count()
    for number in range(1, count + 1):
        assert page.inner_text("#place") == f"{number} of {count}"
        assert page.locator(SHOWN).count() == 1
        assert not page.locator(SHOWN).evaluate(OVERFLOWS), page.inner_text(SHOWN)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert page.inner_text("#place") == f"1 of {count}"
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowLeft")
    assert page.url.endswith("#1")
    assert slides.outside("file://") == [] and slides.console == []


def test_a_figure_still_moves_on_its_slide(slides):
    page = slides.page
    count = page.locator("section.slide").count()
    for _ in range(count):
        if page.locator(f"{SHOWN} .attn-figure input").count():
            break
        page.keyboard.press("ArrowRight")
    slider = page.locator(f"{SHOWN} .attn-figure input").first
    before = slider.input_value()
    slider.focus()
    page.keyboard.press("ArrowRight")  # the figure's key, not the slides'
    assert slider.input_value() != before

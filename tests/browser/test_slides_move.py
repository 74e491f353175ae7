"""Slides of a built chapter, opened from disk as a lecturer opens them."""

import pytest
from figure_pages import need

from tools.slides import SITE, deck

CHAPTER = SITE / "book" / "softmax.html"
SHOWN = "section.slide.shown"
OVERFLOWS = "node => node.scrollHeight > node.clientHeight + 1"
# What lies under the title or the buttons, or has to be scrolled sideways, in points.
HIDDEN = """slide => {
    const parts = [...slide.querySelectorAll(".body > *")];
    const edges = parts.map((part) => part.getBoundingClientRect());
    const title = slide.querySelector("h1, h2")?.getBoundingClientRect().bottom ?? 0;
    const buttons = document.querySelector("nav").getBoundingClientRect().top;
    return Math.max(0, ...edges.map((edge) => Math.max(title - edge.top, edge.bottom - buttons)),
        ...[...slide.querySelectorAll("pre")].map((pre) => pre.scrollWidth - pre.clientWidth));
}"""


@pytest.fixture
def slides(visit, tmp_path, request):
    chapter = getattr(request, "param", CHAPTER)
    need(chapter.as_posix())
    if not chapter.exists():
        pytest.skip("the book is not built: run `make book`")
    path = tmp_path / chapter.name
    path.write_text(deck(chapter, SITE), encoding="utf-8")
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
    page.wait_for_url("**#1")
    assert slides.outside("file://") == [] and slides.console == []


# The widest output of the book, and the tallest moving figures.
@pytest.mark.parametrize(
    "slides",
    [SITE / "book" / f"{name}.html" for name in ("bottleneck", "flash_attention")],
    ids=lambda page: page.stem,
    indirect=True,
)
def test_nothing_lies_under_the_title_or_the_buttons_of_a_slide(slides):
    page = slides.page
    page.set_viewport_size({"width": 1280, "height": 720})
    for _ in range(page.locator("section.slide").count()):
        assert page.locator(SHOWN).evaluate(HIDDEN) <= 2, page.inner_text(SHOWN)
        page.keyboard.press("ArrowRight")


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

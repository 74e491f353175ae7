"""Letters of the plots on a phone of 375 px: from the built pages' numbers, and in a browser."""

import re

import pytest
from site_links import BOOK

from book._ext.machine.letters import FRAME, LEAST, letters

PHONE, EDGES = 375, 26  # px: its width, and what a page and a fold around a plot take of it
PLOT = re.compile(r'<img\b[^>]*\bsrc="[^"]*_images/(\w{64}\.png)" width="(\d+)"[^>]*>')
LEAST_WIDTH = re.compile(r"--least: (\d+)px")
SHOWN = """plots => plots.map(image => {
    const {borderLeftWidth, borderRightWidth} = getComputedStyle(image), box = image.parentElement;
    const frame = parseFloat(borderLeftWidth) + parseFloat(borderRightWidth);
    return {name: image.src.split('/').pop(), drawn: Number(image.getAttribute('width')),
        shown: image.getBoundingClientRect().width - frame,
        scrolls: box.scrollWidth > box.clientWidth};
})"""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def low(name: str, shown: float, drawn: int) -> list[str]:
    """What is wrong with a plot `drawn` so wide and shown otherwise."""
    high = letters(BOOK / "_images" / name)
    if high is None:
        return ["a plot that does not say how high its letters are: draw it by `panels`"]
    if high and high * shown / drawn < LEAST:
        return [f"letters of {high * shown / drawn:.1f} px"]
    return []


def test_letters_of_every_plot_are_9_px_on_a_phone(site, address):
    found = []
    for plot in PLOT.finditer((BOOK / address).read_text(encoding="utf-8")):
        name, drawn = plot[1], int(plot[2])
        least = LEAST_WIDTH.search(plot[0])
        shown = max(min(drawn, PHONE - EDGES), int(least[1]) - FRAME if least else 0)
        found += [f"{name}: {wrong}" for wrong in low(name, shown, drawn)]
    assert found == []


@pytest.mark.parametrize("page", ["self_and_cross_attention", "inside_a_published_model"])
def test_a_plot_is_shown_so_wide_and_scrolls_in_its_own_box(visit, site, page):
    seen = visit(f"{site}book/{page}.html", width=PHONE, height=812)
    plots = seen.page.locator("figure > a > img").evaluate_all(SHOWN)
    assert plots
    assert [low(one["name"], one["shown"], one["drawn"]) for one in plots] == [[]] * len(plots)
    assert any(one["scrolls"] for one in plots)
    assert seen.page.evaluate(WIDER) == 0


def test_a_wide_page_shows_plots_as_they_were_drawn(visit, site):
    seen = visit(f"{site}book/self_and_cross_attention.html")
    plots = seen.page.locator("figure > a > img").evaluate_all(SHOWN)
    assert plots and not any(one["scrolls"] for one in plots)

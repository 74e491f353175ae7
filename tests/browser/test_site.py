"""What holds for the book as one thing: search, dark mode, tooltips, links."""

import pytest
from site_links import BOOK, dead_links, links_of


@pytest.mark.parametrize("from_disk", [False, True])
def test_search_finds_the_page_that_teaches_it(visit, site, from_disk):
    root = BOOK.as_uri() + "/" if from_disk else site
    seen = visit(f"{root}search.html?q=softmax")
    results = seen.page.locator("#search-results li a")
    # The list grows line by line, chapters first and then terms.
    seen.page.locator("#search-results a[href*='exercises/']").first.wait_for()
    links = results.evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))")
    assert links[0] == "book/softmax.html", "the chapter comes first"
    assert "book/glossary.html#term-softmax" in links[:3], "then the term"
    assert sum("glossary" in link for link in links[:6]) <= 3, "a term is not listed twice"
    assert seen.outside(root) == [] and seen.console == []


def test_search_opens_by_keyboard(visit, site):
    seen = visit(site)
    seen.page.keyboard.press("Control+k")
    field = seen.page.locator("#pst-search-dialog input[type=search]")
    field.wait_for(state="visible")
    field.fill("softmax")
    field.press("Enter")
    seen.page.locator("#search-results li a").first.wait_for()


def test_dark_mode_toggles_and_stays(visit, site):
    seen = visit(site, color_scheme="light")
    theme = "() => document.documentElement.dataset.theme"
    colour = "() => getComputedStyle(document.body).backgroundColor"
    assert seen.page.evaluate(theme) == "light"
    light = seen.page.evaluate(colour)
    button = seen.page.locator("button.theme-switch-button:visible").first
    for _ in range(3):
        if seen.page.evaluate(theme) == "dark":
            break
        button.click()
    assert seen.page.evaluate(theme) == "dark"
    assert seen.page.evaluate(colour) != light
    seen.page.goto(site + "book/glossary.html", wait_until="load")
    assert seen.page.evaluate(theme) == "dark"
    seen.page.reload(wait_until="load")
    assert seen.page.evaluate(theme) == "dark"
    assert seen.console == []


def test_links_inside_the_book_lead_somewhere(site):
    assert dead_links(BOOK) == []


def test_every_page_can_be_reached(site):
    index = (BOOK / "index.html").read_text(encoding="utf-8")
    listed = {link.partition("#")[0] for link in links_of(index)}
    built = {p.relative_to(BOOK).as_posix() for p in (BOOK / "book").glob("*.html")}
    assert built - listed == set()

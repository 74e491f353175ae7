"""What holds for the book as one thing: search, dark mode, tooltips, links."""

from pathlib import Path
from urllib.parse import unquote, urldefrag

BOOK = Path(__file__).parents[2] / "_build" / "html"


def test_search_finds_the_page_that_teaches_it(visit, site):
    seen = visit(f"{site}search.html?q=softmax")
    results = seen.page.locator("#search-results li a")
    results.first.wait_for(timeout=10_000)
    links = results.evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))")
    assert "glossary.html#term-softmax" in links[0], "the term comes first"
    assert any("exercises/" in link for link in links)
    assert sum("glossary" in link for link in links[:6]) <= 3, "a term is not listed twice"
    assert seen.outside(site) == []
    assert seen.console == []


def test_search_works_from_disk(visit):
    seen = visit((BOOK / "search.html").as_uri() + "?q=softmax")
    results = seen.page.locator("#search-results li a")
    results.first.wait_for(timeout=10_000)
    assert results.count() >= 1


def test_search_opens_by_keyboard(visit, site):
    seen = visit(site)
    seen.page.keyboard.press("Control+k")
    field = seen.page.locator("#pst-search-dialog input[type=search]")
    field.wait_for(state="visible")
    field.fill("softmax")
    field.press("Enter")
    seen.page.locator("#search-results li a").first.wait_for(timeout=10_000)


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


def test_links_inside_the_book_lead_somewhere(visit, site):
    seen = visit(site)
    gather = "() => [...document.querySelectorAll('a[href]')].map(node => node.href)"
    anchors = "() => [...document.querySelectorAll('[id]')].map(node => node.id)"
    waiting, links, known = [site + "index.html"], {}, {}
    while waiting:
        address = waiting.pop()
        seen.page.goto(address, wait_until="domcontentloaded")
        known[address] = set(seen.page.evaluate(anchors))
        inside = {url for url in seen.page.evaluate(gather) if url.startswith(site)}
        links[address] = inside
        for target in {urldefrag(url)[0] for url in inside}:
            if target.endswith(".html") and target not in known and target not in waiting:
                if not (BOOK / unquote(target.removeprefix(site))).exists():
                    raise AssertionError(f"{address} links to {target}, which is not there")
                waiting.append(target)
    dead = [
        f"{page} -> {url}"
        for page, inside in links.items()
        for url in inside
        for target, anchor in [urldefrag(url)]
        if anchor and target in known and unquote(anchor) not in known[target]
    ]
    assert dead == []


def test_every_page_can_be_reached(visit, site):
    seen = visit(site)
    shown = seen.page.evaluate("() => [...document.querySelectorAll('a[href]')].map(a => a.href)")
    listed = {urldefrag(url)[0].removeprefix(site) for url in shown}
    built = {p.relative_to(BOOK).as_posix() for p in (BOOK / "book").glob("*.html")}
    assert built - listed == set()

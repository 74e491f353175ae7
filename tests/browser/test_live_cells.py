"""Python in the page: the stored text again, edits, errors, an endless loop, no request outside."""

import pytest
import yaml
from live_page import keeps, run, write
from site_links import BOOK

from tools.contents import ROOT

CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
PAGES = CONFIG["sphinx"]["config"]["attn_live"]
FIELD = "book/spelling_into_sound"  # has no cell to run
CHAPTERS = [page for page in PAGES if page.startswith("book/") and page != FIELD]


WAITS = """() => {
    const nodes = [...document.querySelectorAll('link[rel=stylesheet], script')];
    return nodes.find(node => node.rel || node.text.includes('localStorage')).rel === 'stylesheet';
}"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_cell_prints_in_the_page_what_is_stored(started, site, page):
    seen, _ = started(page, 0)
    cells = seen.page.locator("div.cell", has=seen.page.locator(".attn-live"))
    for index in range(cells.count()):
        stored = cells.nth(index).locator(".output.stream pre, .output.text_plain pre")
        expected = "".join(stored.all_text_contents())
        assert run(seen, cells.nth(index)).strip() == expected.strip(), f"cell {index}"
        stored, own = (
            cells.nth(index).locator(f"{place} .attn-table tr > *").all_text_contents()
            for place in (".output", ".attn-live-own")
        )
        assert own == stored, f"the table of cell {index}"
    assert seen.outside(site) == [] and seen.console == []


def test_from_disk_it_runs_errors_loops_and_edits_as_on_a_server(visit, with_python):
    seen = visit(f"{BOOK.as_uri()}/book/softmax.html")
    page = seen.page
    assert page.evaluate(WAITS), "a style sheet stands before the first script that keeps something"
    keeps(page)
    cell = page.locator("div.cell", has=page.locator(".attn-live")).nth(1)
    run(seen, cell)
    write(seen, cell, "print(len(words))\nwords[99]")
    assert run(seen, cell).startswith("5\nIndexError: ")
    write(seen, cell, "while True:\n    pass")
    cell.locator(".attn-live button").first.click()
    page.get_by_role("button", name="Stop").click()
    assert "Stopped" in page.locator(".attn-live-line").text_content()
    write(seen, cell, "print(sum(weights))")
    assert "NameError" in run(seen, cell) or "weights" not in run(seen, cell)
    page.reload()
    keeps(page)
    run(seen, cell)
    assert cell.locator(".cell_input pre").text_content() == "print(sum(weights))", "kept"
    cell.get_by_role("button", name="Restore").evaluate("button => button.click()")
    assert "np.exp(scores)" in cell.locator(".cell_input pre").text_content()
    assert cell.locator(".output").first.is_visible()
    assert [url for url in seen.requests if not url.startswith(("file:", "blob:", "data:"))] == []


LOADED = """() => performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/live/'))
    .reduce((sum, { transferSize }) => sum + transferSize, 0)"""
MOST = 10_000_000  # bytes that a first click loads


def test_nothing_is_loaded_before_a_click_and_nothing_twice(visit, site):
    seen = visit(f"{site}book/softmax.html")
    asked = [url.rpartition("/")[2].split("?")[0] for url in seen.requests if "/live/" in url]
    assert asked in ([], ["buttons.js"])
    if not asked:
        pytest.skip("Python for the pages is not there: run `python tools/live.py`, `make book`")
    before = seen.page.evaluate(LOADED)
    cell = seen.page.locator("div.cell", has=seen.page.locator(".attn-live")).nth(0)
    run(seen, cell)
    assert before < 4000 and 10**6 < seen.page.evaluate(LOADED) < MOST
    seen.page.reload()
    run(seen, cell)
    assert seen.page.evaluate(LOADED) < 4000, "the cache has it"

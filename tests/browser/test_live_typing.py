"""Python in the page: writing before the first Run, what is kept, indentation."""

import pytest
from axe import axe_finds
from live_page import RIGHT, keeps, open_fields, write

LOADED = "() => Boolean(window.attn.live.editor)"
KEPT = "attn.live.exercises-01_softmax"


@pytest.fixture
def fields(visit, site, with_python):
    """fields(page, **context settings) opens a page; the visit, its cells, and their fields."""

    return lambda page, **settings: open_fields(visit, f"{site}{page}.html", **settings)


def at_the_editor(seen, code) -> None:
    """Into an empty field, its script there."""
    code.evaluate("c => c.closest('details')?.setAttribute('open', '')")
    code.focus()
    seen.page.wait_for_function(LOADED)
    seen.page.keyboard.press("Control+A")
    seen.page.keyboard.press("Delete")


def python_came(seen) -> bool:
    return any(".gz" in url or "session.js" in url for url in seen.requests)


def test_what_was_typed_is_in_sight_after_a_reload_without_python(fields):
    seen, cells, code = fields("exercises/01_softmax")
    keeps(seen.page)
    template = code.nth(2).text_content()
    assert "NotImplementedError" in template
    write(seen, cells.nth(2), RIGHT)
    seen.page.wait_for_function(LOADED)
    seen.page.reload()
    keeps(seen.page)
    seen.page.wait_for_function(LOADED)
    assert code.nth(2).text_content().rstrip() == RIGHT.rstrip()
    assert "kept in this browser" in cells.nth(2).inner_text()
    assert "kept in this browser" not in cells.nth(1).inner_text()
    assert axe_finds(seen.page) == []
    cells.nth(2).get_by_role("button", name="Restore the page's code").click()
    assert code.nth(2).text_content() == template
    seen.page.reload()
    assert code.nth(2).text_content() == template
    assert not python_came(seen) and seen.console == []


def test_what_was_typed_stays_with_its_cell_when_the_page_gains_one(fields):
    """The next release has two cells more, one of them a copy; then a text of an older release,
    which was kept by the cell's number."""
    seen, cells, code = fields("exercises/01_softmax")
    keeps(seen.page)
    example = code.nth(4).text_content()
    write(seen, cells.nth(2), RIGHT)
    write(seen, cells.nth(4), example + "print('mine')")
    seen.page.wait_for_function(LOADED)
    seen.page.route(
        "**/live/exercises-01_softmax.js",
        lambda route: route.fulfill(
            body=route.fetch().text()
            + "const { cells } = window.attn.live.page;"
            + "cells.push({ ...cells[5], shown: false });"
            + "cells.unshift({ source: 'new = 1', shown: false, task: null });"
        ),
    )
    seen.page.reload()
    keeps(seen.page)
    seen.page.wait_for_function(LOADED)
    assert code.nth(2).text_content().rstrip() == RIGHT.rstrip()
    assert code.nth(4).text_content().rstrip() == example + "print('mine')"
    assert seen.page.get_by_text("kept in this browser").count() == 2
    seen.page.unroute_all()
    cell = "window.attn.live.editor.places.findIndex(place => place.task === 'softmax')"
    seen.page.evaluate(f"localStorage.setItem('{KEPT}', JSON.stringify({{[{cell} - 1]: 'old'}}))")
    seen.page.reload()
    seen.page.wait_for_function(LOADED)
    assert code.nth(2).text_content() == "old"
    write(seen, cells.nth(2), "newer")
    kept = seen.page.evaluate(f"JSON.parse(localStorage.getItem('{KEPT}'))")
    assert kept == {"task softmax 0": "newer"}
    assert seen.console == []


def test_lines_are_indented_by_keys_and_a_keyboard_finds_its_way_out(fields):
    seen, _, code = fields("exercises/01_softmax")
    code, keys = code.nth(2), seen.page.keyboard
    at_the_editor(seen, code)
    for line in ("def f(x):  # doubled", "if x:", "return 2 * x"):
        keys.type(line)
        keys.press("Enter")
    keys.type("y")
    inside = "def f(x):  # doubled\n    if x:\n        return 2 * x\n        y"
    assert code.inner_text().rstrip("\n") == inside
    keys.press("Control+A")
    keys.press("Tab")
    indented = "\n".join(f"    {line}" for line in inside.split("\n"))
    assert code.inner_text().rstrip("\n") == indented
    keys.press("Escape")
    keys.press("Tab")
    assert seen.page.evaluate("() => document.activeElement.isContentEditable") is False
    assert not python_came(seen) and seen.console == []


def test_a_phone_has_buttons_to_indent(fields):
    seen, cells, code = fields("exercises/01_softmax", width=375, has_touch=True, is_mobile=True)
    cell, code, keys = cells.nth(2), code.nth(2), seen.page.keyboard
    there, back = (
        cell.get_by_role("button", name=name, exact=True) for name in ("Indent", "Dedent")
    )
    assert there.count() == 0
    at_the_editor(seen, code)
    keys.type("a")
    keys.press("Home")
    there.tap()
    there.tap()
    keys.type("x")
    assert code.inner_text().rstrip("\n") == "        xa"
    back.tap()
    keys.type("y")
    assert code.inner_text().rstrip("\n") == "    xya"
    assert seen.page.evaluate("() => document.documentElement.scrollWidth") == 375

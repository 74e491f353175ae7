"""The editor of a cell: when it comes, the page's colours, undo, keys, phones, and without it."""

import re

import pytest
from axe import axe_finds
from live_page import enter, field, keeps, open_fields, write
from site_links import BOOK
from test_live_typing import python_came

# The colour of each letter of a cell, as the page shows it.
COLOURS = """node => {
    const found = [], walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const { color } = getComputedStyle(text.parentElement);
        for (const letter of text.data) if (letter.trim()) found.push(`${letter} ${color}`);
    }
    return found;
}"""
EXERCISE = "exercises/01_softmax"
SCRIPT = "**/live/codemirror.js"


@pytest.fixture
def exercise(visit, site, with_python):
    """exercise(**context settings) opens a page to write in; the visit, its cells, their code."""
    return lambda **settings: open_fields(visit, f"{site}{EXERCISE}.html", **settings)


def asked(seen) -> int:
    return sum("codemirror.js" in url for url in seen.requests)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_editor_comes_when_a_reader_does_and_has_the_pages_colours(
    exercise, site, with_editor, scheme
):
    seen, cells, code = exercise(color_scheme=scheme)
    assert asked(seen) == 0, "nothing is loaded before a reader wants to type"
    stored, height = code.nth(2).evaluate(COLOURS), cells.nth(2).bounding_box()["height"]
    assert len(set(letter.partition(" ")[2] for letter in stored)) > 3
    editor = enter(cells.nth(2))
    assert asked(seen) == 1 and code.nth(2).is_hidden()
    same = f"""([node, stored]) => String(({COLOURS})(node)) === String(stored)"""
    seen.page.wait_for_function(same, arg=[editor.element_handle(), stored])  # each letter's colour
    assert cells.nth(2).bounding_box()["height"] == height, "nothing moves"
    seen.page.keyboard.press("Control+A")
    seen.page.keyboard.type("def f(x):\nreturn print('yes', x, 0.5)  # noted")
    cells.nth(2).locator(".c1").wait_for()
    letters = [letter.split(" ", 1) for letter in editor.evaluate(COLOURS)]
    text, found = "".join(letter for letter, _ in letters), []
    for word in ("return", "print", "'yes'", "#noted", "x,"):
        place = text.index(word)
        found.append({colour for _, colour in letters[place : place + len(word)]})
    assert [len(one) for one in found] == [1] * 5
    assert len(set().union(*found)) == 5, "a keyword, a name of Python's, text, a comment, the rest"
    assert axe_finds(seen.page, "div.cell") == []
    assert seen.outside(site) == [] and seen.console == [] and not python_came(seen)


def test_what_was_typed_before_the_editor_came_stays_and_undo_takes_it_back(exercise, with_editor):
    seen, cells, code = exercise()
    keeps(seen.page)
    template, waiting = code.nth(2).text_content(), []
    seen.page.route(SCRIPT, lambda route: waiting.append(route))
    code.nth(2).focus()
    with seen.page.expect_request(re.compile("codemirror")):
        pass
    write(seen, cells.nth(2), "a = [1,\n")
    seen.page.keyboard.type("2")
    waiting[0].continue_()
    seen.page.unroute_all()
    editor = cells.nth(2).locator(".cm-content")
    editor.wait_for()
    seen.page.keyboard.type("]")
    assert code.nth(2).text_content() == "a = [1,\n2]", "the caret stays where it was"
    seen.page.reload()
    keeps(seen.page)
    editor.wait_for()
    assert editor.locator(".cm-line").all_text_contents() == ["a = [1,", "2]"], "kept, in colours"
    enter(cells.nth(2))
    cells.nth(2).get_by_role("button", name="Restore the page's code").click()
    assert code.nth(2).text_content() == template
    assert editor.locator(".cm-line").all_text_contents() == template.rstrip("\n").split("\n")
    editor.focus()
    seen.page.keyboard.press("Control+Z")
    assert code.nth(2).text_content() == "a = [1,\n2]"
    seen.page.keyboard.press("Control+Y")
    assert code.nth(2).text_content() == template.rstrip("\n")
    assert seen.console == []


def test_escape_then_tab_leaves_however_long_it_takes(exercise, with_editor):
    seen, cells, code = exercise()
    seen.page.clock.install()
    editor, keys = enter(cells.nth(2)), seen.page.keyboard
    assert "Escape, then Tab leaves it." in editor.get_attribute("aria-label")
    assert "Escape, then Tab leaves it." in cells.nth(0).locator(".attn-live").inner_text()
    assert editor.get_attribute("role") == "textbox"
    inside = "() => document.activeElement.isContentEditable"
    keys.press("Control+A")
    keys.type("x")
    keys.press("Tab")
    assert code.nth(2).text_content() == "x   ", "to the next step of four"
    keys.press("Shift+Tab")
    keys.press("Escape")
    keys.type("y")
    keys.press("Tab")
    assert seen.page.evaluate(inside) is True, "another key takes Escape back"
    keys.press("Escape")
    seen.page.clock.fast_forward(60_000)
    keys.press("Tab")
    assert seen.page.evaluate(inside) is False
    keys.press("Shift+Tab")
    assert seen.page.evaluate(inside) is True
    keys.press("Tab")
    assert seen.page.evaluate(inside) is True, "inside again, Tab indents"
    keys.press("Escape")
    keys.press("Shift+Tab")
    assert (
        seen.page.evaluate("() => Boolean(document.activeElement.closest('.cm-editor'))") is False
    )


def test_on_a_phone_the_editor_is_as_wide_as_the_page_and_corrects_nothing(exercise, with_editor):
    seen, cells, code = exercise(width=375, has_touch=True, is_mobile=True)
    code.nth(2).tap()
    editor = cells.nth(2).locator(".cm-content")
    editor.wait_for()
    assert seen.page.evaluate("() => document.activeElement.className").startswith("cm-content")
    for name, value in (("autocorrect", "off"), ("autocapitalize", "off"), ("spellcheck", "false")):
        assert editor.get_attribute(name) == value
    seen.page.keyboard.press("Control+A")
    seen.page.keyboard.insert_text("a = " + "1 + " * 40 + "1")
    assert seen.page.evaluate("() => document.documentElement.scrollWidth") == 375
    assert axe_finds(seen.page, "div.cell") == []
    seen.page.keyboard.press("Control+Z")
    assert "NotImplementedError" in code.nth(2).text_content()
    assert seen.console == []


def test_without_the_editor_the_field_is_the_browsers_own(exercise):
    seen, cells, code = exercise()
    seen.page.route(SCRIPT, lambda route: route.abort())
    code.nth(2).focus()
    seen.page.wait_for_function("() => Boolean(window.attn.live.editor)")
    write(seen, cells.nth(2), "")
    seen.page.keyboard.type("def f():")
    seen.page.keyboard.press("Enter")
    seen.page.keyboard.type("pass")
    assert code.nth(2).is_visible()
    assert code.nth(2).inner_text().rstrip("\n") == "def f():\n    pass"
    seen.page.unroute_all()
    field(cells.nth(0)).focus()
    if (BOOK / "_static" / "live" / "codemirror.js").exists():
        cells.nth(0).locator(".cm-content").wait_for()

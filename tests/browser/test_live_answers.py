"""Python in the page: the native verdicts, a reader's own scores, keys, axe."""

import subprocess
import sys

from axe import axe_finds
from live_page import run, write

from tests.native_verdicts import EVERY, EXERCISES, VERDICTS
from tools.contents import ROOT

# A line for each answer: a page shows 20,000 characters.
LINES = """
import hashlib
for name, verdict in found.items():
    print(name, hashlib.sha256(json.dumps(verdict).encode()).hexdigest()[:12])
"""


def test_the_browsers_checker_gives_every_answer_the_native_verdict(started):
    """All right answers and every fourth known mistake of the three exercises, on the page of one
    of them: tests/book/test_live.py judges every one with what a page has. An exercise each: what
    runs for 300 seconds in a page is stopped."""
    script = VERDICTS.replace("print(json.dumps(found))", LINES).replace(EVERY, "EVERY = 4")
    native = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], cwd=ROOT, capture_output=True, text=True
    )
    assert native.returncode == 0, native.stderr
    seen, cell = started("exercises/01_softmax", 0)
    script = script.replace("len(sys.argv) > 1", "True")
    shown = []
    for exercise in EXERCISES:
        write(seen, cell, script.replace(f"EXERCISES = {EXERCISES!r}", f"EXERCISES = {[exercise]}"))
        shown += run(seen, cell).splitlines()
    assert len(shown) > 150
    assert shown == native.stdout.splitlines()


def test_a_figure_takes_the_readers_own_scores(started):
    seen, scores = started("book/flash_attention", 0)
    figures = seen.page.locator("attn-online")
    figure = seen.page.locator("div.cell", has=figures).filter(has=seen.page.locator(".attn-live"))
    source = scores.locator(".cell_input pre").text_content()
    write(seen, scores, source.replace("[-0.2, 0.1, 0.5, 0.8, 2.3]", "[3.0, -1.0, 0.0]"))
    run(seen, scores)
    run(seen, figure)
    stored = figure.locator(".cell_output attn-online")
    assert figures.count() == 2 and stored.is_hidden()
    own = figure.locator(".attn-live-own attn-online")
    for _ in range(2):
        own.get_by_role("button", name="Next").click()
    assert "After block 2 of 2: m is 3.0" in own.text_content()
    assert "stored" not in figure.locator(".attn-live-own p").first.text_content()
    figure.get_by_role("button", name="Restore").click()
    assert figures.count() == 1 and stored.is_visible()
    assert seen.console == []


def test_one_start_serves_endless_prints_keys_and_axe(started, subtests):
    seen, cell = started("book/softmax", 1)
    with subtests.test("code that prints without end is cut, and the page lives"):
        write(seen, cell, "while True:\n    print(7)")
        printed = run(seen, cell)
        assert printed.endswith("The cell was stopped: it has printed 20,000 characters.")
        assert cell.locator(".attn-live-own pre").first.locator("span").count() == 1
        write(seen, cell, "print(8)")
        assert run(seen, cell) == "8\n"
    with subtests.test("tab indents, and leaves after escape"):
        write(seen, cell, "")
        seen.page.keyboard.press("Tab")
        assert cell.locator(".cell_input pre").text_content() == "    "
        seen.page.keyboard.press("Escape")
        seen.page.keyboard.press("Tab")
        assert seen.page.evaluate("() => document.activeElement.isContentEditable") is False
    write(seen, cell, "print(1)\n1 / 0")
    assert "ZeroDivisionError" in run(seen, cell)
    assert axe_finds(seen.page) == []

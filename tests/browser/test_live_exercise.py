"""Python in the page of an exercise, started once: its check, its editor, errors, endless code."""

import json
from pathlib import Path

from live_page import PATIENCE, RIGHT, enter, run, write


def test_one_start_serves_the_check_the_editor_errors_and_endless_code(
    started, site, subtests, request
):
    seen, check = started("exercises/01_softmax", 3)  # imports, show, the answer, check(softmax)
    cells = seen.page.locator("div.cell", has=seen.page.locator(".attn-live"))
    with subtests.test("an exercise is checked in its page and leaves as a notebook"):
        is_checked_and_leaves_as_a_notebook(seen, check, cells.nth(2))
        assert seen.outside(site) == []
    with subtests.test("Python runs what stands in the editor"):
        request.getfixturevalue("with_editor")
        runs_what_stands_in_the_editor(seen, check, cells.nth(2))
    with subtests.test("no old error stays, and what never ends is stopped"):
        no_old_error_stays(seen, check, cells)
        what_never_ends_is_stopped(seen, cells.nth(2))
    assert seen.console == []


def is_checked_and_leaves_as_a_notebook(seen, check, answer) -> None:
    assert "It is not written yet." in check.locator(".attn-live-own pre").first.text_content()
    write(seen, answer, RIGHT.replace(".sum(axis, keepdims=True)", ".sum(axis)"))
    assert "Keep it with `keepdims=True`." in run(seen, check)
    write(seen, answer, RIGHT)
    assert run(seen, check).startswith("softmax: right, 3 of 3 points")
    with seen.page.expect_download() as download:
        seen.page.get_by_role("button", name="Download this notebook").click()
    assert download.value.suggested_filename == "01_softmax.ipynb"
    notebook = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    (source,) = [c["source"] for c in notebook["cells"] if c["metadata"].get("task") == "softmax"]
    assert source.rstrip() == RIGHT.rstrip()


def runs_what_stands_in_the_editor(seen, check, answer) -> None:
    enter(answer)
    write(seen, answer, RIGHT + "print(softmax(np.zeros(2)))")
    answer.evaluate("c => c.querySelector('.attn-live-own')?.remove()")
    seen.page.keyboard.press("Control+Enter")
    answer.locator(".attn-live-own").wait_for(timeout=PATIENCE, state="attached")
    assert run(seen, answer) == "[0.5 0.5]\n"
    assert run(seen, check).startswith("softmax: right, 3 of 3 points")
    write(seen, answer, "def softmax(scores)\n    return scores")
    check.locator(".attn-live button").first.click()
    says = check.locator(".attn-live [role=status]")
    says.get_by_text("A cell above fails: SyntaxError: line 1: expected ':'").wait_for()


def no_old_error_stays(seen, check, cells) -> None:
    answer, own = cells.nth(2), cells.nth(2).locator(".attn-live-own")
    write(seen, answer, "1 / 0")
    run(seen, answer)
    assert "ZeroDivisionError" in own.text_content()
    write(seen, answer, RIGHT + "print('mine')")
    assert run(seen, check).startswith("softmax: right, 3 of 3 points")
    assert own.locator("pre").all_text_contents() == ["mine\n"]
    assert cells.nth(0).locator(".attn-live-own").count() == 0
    check.get_by_role("button", name="Run all to here").click()
    cells.nth(0).locator(".attn-live-own").wait_for(timeout=PATIENCE, state="attached")
    seen.page.locator(".attn-live-line").get_by_text("Done").wait_for(timeout=PATIENCE)
    assert own.locator("pre").all_text_contents() == ["mine\n"]


def what_never_ends_is_stopped(seen, answer) -> None:
    page, line = seen.page, seen.page.locator(".attn-live-line")
    page.clock.install()
    write(seen, answer, "while True:\n    pass")
    answer.get_by_role("button", name="Run", exact=True).click()
    line.get_by_text("Running").wait_for(timeout=PATIENCE)
    page.clock.run_for(10_000)
    assert "If the code never ends, press Stop." in line.text_content()
    assert line.get_by_role("button", name="Stop").is_visible()
    page.clock.run_for(300_000)
    assert "Stopped after 300 seconds." in line.text_content()

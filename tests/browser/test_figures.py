"""Figures that move: each is moved in the built page, and what it says must change."""

import re

import pytest
import torch
from figure_pages import FIGURES, said

from tools.contents import ROOT

SCRIPTS = ROOT / "course_lib" / "figures" / "js"
PLAYED = [
    name for name in FIGURES if re.search(r'\bplay\("', (SCRIPTS / f"{name}.js").read_text("utf-8"))
]


def drag(page, start, by: tuple[float, float]) -> None:
    """Drag the middle of an element by so many pixels, let go, and point elsewhere."""
    box = start.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=4)
    page.mouse.up()
    page.mouse.move(x, y)


def test_softmax_moves_by_keyboard_and_by_mouse(figure):
    seen, found = figure("softmax")
    assert "0.632" in said(found)
    cats = found.get_by_role("slider", name="score of cats")
    cats.focus()
    seen.page.keyboard.press("ArrowLeft")
    assert cats.get_attribute("aria-valuenow") == "2.2"
    assert "0.632" not in said(found)
    assert seen.page.evaluate("() => document.activeElement.getAttribute('aria-label')") == (
        "score of cats"
    ), "a redrawn handle keeps the focus"

    love = found.get_by_role("slider", name="score of love")
    drag(seen.page, love.locator("circle"), (200, 0))
    assert float(love.get_attribute("aria-valuenow")) > 3
    assert "“love” has the largest weight" in said(found)

    found.get_by_role("slider", name="temperature").focus()
    seen.page.keyboard.press("Home")
    assert said(found).startswith("Temperature 0.01: “love” has the largest weight, 1.000")
    assert seen.console == []


def test_translation_goes_step_by_step(figure):
    seen, found = figure("encoder-decoder")
    drawing = found.locator(".attn-paper")
    back, forth = (found.get_by_role("button", name=name) for name in ("Previous", "Next"))
    assert "= (0.8, 0.7)" in said(found)
    assert back.get_attribute("aria-disabled") == "true"
    forth.focus()
    for _ in range(5):  # join, mix, squeeze, write; the next word
        seen.page.keyboard.press("Enter")
    assert "0.1 × (1, 0) + 0.8 × (0, 2) + 0.1 × (2, 1) = (0.3, 1.7)" in said(found)
    assert "c₂ = (0.3, 1.7)" in drawing.text_content()
    forth.click()
    for _ in range(13):
        seen.page.keyboard.press("Enter")
    assert "written: le chat était assis" in drawing.text_content()
    assert forth.get_attribute("aria-disabled") == "true"
    assert seen.page.evaluate("() => document.activeElement.textContent") == "Next →"
    back.click()
    assert said(found).startswith("Squeeze: tanh = ")


def test_a_map_is_read_by_arrow_keys_and_by_pointing(figure):
    seen, found = figure("heatmap")
    found.locator(".attn-paper").focus()
    before = said(found)
    seen.page.keyboard.press("ArrowDown")
    below = said(found)
    assert below != before and below.startswith("“it … wide” gives “")
    found.locator('[data-row="0"][data-column="1"]').hover()
    assert said(found).startswith("“it … tired” gives “animal” the weight ")
    assert found.locator("text.attn-strong").all_text_contents() == ["it … tired", "animal"]


def test_score_functions_follow_the_query(figure):
    seen, found = figure("scores")
    first = found.get_by_role("slider", name="query, x")
    first.focus()
    for _ in range(20):
        seen.page.keyboard.press("ArrowLeft")
    assert said(found).startswith("Query (−1.0, 0.5) looks most at: dot key 2 (")
    drag(seen.page, found.locator("circle"), (60, 40))
    assert float(first.input_value()) > -1
    keys, query = [[1.5, 0.5], [-1.0, 1.0], [0.5, -1.5], [0.6, 0.6]], [1.0, -1.0]
    first.fill("1")
    found.get_by_role("slider", name="query, y").fill("-1")
    dots = torch.tensor(keys) @ torch.tensor(query)
    for name, scores in {"dot": dots, "scaled": dots / 2**0.5}.items():
        assert f"{name} key 3 ({torch.softmax(scores, 0)[2]:.2f})" in said(found)


def test_the_state_moves_the_border_of_a_soft_question(figure):
    seen, found = figure("coordinate")
    before = said(found)
    state = found.get_by_role("slider", name="the state adds")
    state.fill("-4")
    assert (
        said(found).startswith("The state adds −4.0: the answers lie 0.") and said(found) != before
    )
    found.get_by_role("combobox", name="bend").select_option("false")
    without = said(found).split("gets the weight")[1]
    state.fill("4")
    assert said(found).split("gets the weight")[1] == without, "no bend, no say for the state"
    found.get_by_role("button", name="Reset").click()
    assert said(found) == before
    drag(seen.page, found.locator(".attn-handle circle"), (30, 0))
    assert said(found) != before


def test_agreement_is_turned_until_nothing_is_left(figure):
    seen, found = figure("agreement")
    assert "= 2.00, they agree" in said(found)
    second = found.get_by_role("slider", name="query, 2nd")
    second.fill("0")
    assert "= 0.00, a right angle" in said(found)
    second.focus()
    seen.page.keyboard.press("ArrowLeft")
    assert "they point apart" in said(found) and "times shadow of query −0.10" in said(found)
    drag(seen.page, found.locator("circle"), (0, -60))
    assert "they agree" in said(found)
    found.get_by_role("button", name="Reset").click()
    assert "= 2.00, they agree" in said(found)


def test_the_two_orders_go_event_by_event(figure):
    seen, found = figure("orders")
    assert said(found) == (
        "Word 1. Bahdanau: s₀ looks; it has read no target word. Luong: the step reads y₀ alone."
    )
    found.get_by_role("button", name="Next").click()
    assert "Luong: s₁ looks; it has read ⟨start⟩." in said(found)
    for _ in range(20):  # by keyboard: the mouse would wait for a button that has come to its end
        seen.page.keyboard.press("Enter")
    assert said(found).startswith("Word 4.") and "“assis” is written" in said(found)
    found.get_by_role("button", name="Play").click()
    assert said(found).startswith("Word 1."), "at the end it begins again"
    found.get_by_role("button", name="Stop").click()
    found.get_by_role("button", name="Reset").click()
    assert "event 1 of 16" in found.inner_text()


@pytest.mark.parametrize("name", PLAYED)
def test_after_reset_nothing_moves_until_play_is_pressed_again(figure, name):
    seen, found = figure(name, reduced_motion="no-preference")
    clock = seen.page.clock
    clock.install()
    before = found.inner_text()
    play = found.get_by_role("button", name="Play")
    play.click()
    clock.run_for(3000)
    assert found.inner_text() != before and play.count() == 0, "it must be seen to move"
    found.get_by_role("button", name="Reset").click()
    assert found.inner_text() == before
    clock.run_for(30_000)
    assert found.inner_text() == before and play.count() == 1
    play.click()
    clock.run_for(3000)
    assert found.inner_text() != before


MOVING = "paper => paper.getAnimations({subtree: true}).length"


def test_a_step_of_attention_is_stepped_by_keys_and_played_by_space(figure):
    seen, found = figure("attention-step", reduced_motion="no-preference")
    paper, play = found.locator(".attn-paper"), found.get_by_role("button", name="Play")
    # An animation may have ended on a busy machine; that it began is never taken back.
    seen.page.evaluate("addEventListener('transitionrun', () => { window.hasMoved = true; })")
    paper.focus()
    for key in ["ArrowRight"] * 5 + ["ArrowLeft", "ArrowRight"]:
        seen.page.keyboard.press(key)
    assert said(found).startswith("What each word says is multiplied by its share")
    seen.page.wait_for_function("window.hasMoved")  # it must be seen to move
    height = "node => Number(node.getAttribute('height'))"
    outline = found.locator("rect.attn-outline").nth(3).evaluate(height)
    weight = torch.softmax(torch.tensor([0.0, 2.1, 0.0]), 0)[1].item()
    part = found.locator("rect.attn-piece").nth(3).evaluate(height)
    assert abs(part / outline - weight) < 1e-3
    for _ in range(2):
        seen.page.keyboard.press("ArrowRight")
    assert "mostly “animal”. The translator writes “chat”" in said(found)
    seen.page.keyboard.press("Space")
    assert play.count() == 0 and said(found).startswith("The word to write is “assis”.")
    seen.page.keyboard.press("ArrowLeft")
    assert play.count() == 1, "a step by hand stops it"
    assert "writes “chat”" in said(found)


def test_a_step_of_attention_moves_by_steps_alone_for_who_wants_no_motion(figure):
    seen, found = figure("attention-step", reduced_motion="reduce")
    assert found.get_by_role("button", name="Play").count() == 0
    found.locator(".attn-paper").focus()
    seen.page.keyboard.press("Space")
    assert said(found) == "“chat” meets “the”: score 0.00."
    assert found.locator(".attn-paper").evaluate(MOVING) == 0


def test_scaling_keeps_the_weights_as_the_keys_grow(figure):
    seen, found = figure("scaling")
    found.get_by_role("slider").focus()
    seen.page.keyboard.press("End")
    assert said(found).startswith("d_k = 1024: the heaviest of 8 keys has 0.97")
    seen.page.keyboard.press("Home")
    assert said(found).startswith("d_k = 1: the heaviest of 8 keys has 0.30")
    assert said(found).endswith("0.30 with it.")


def test_heads_are_chosen_and_read(figure):
    seen, found = figure("heads")
    assert said(found).startswith("Layer 1, head 1: ")
    found.get_by_role("combobox", name="layer").select_option("2")
    found.get_by_role("combobox", name="head").select_option("mean of all")
    assert said(found).startswith("Layer 2, mean of the heads: ")
    found.locator('.attn-thumb[data-layer="0"][data-head="3"]').click()
    assert said(found).startswith("Layer 1, head 4: ")
    found.locator(".attn-paper").focus()
    before = said(found)
    seen.page.keyboard.press("ArrowDown")
    assert said(found) != before


def test_the_cache_saves_scores(figure):
    _, found = figure("causal")
    forth = found.get_by_role("button", name="Next")
    for _ in range(5):
        forth.click()
    assert "Step 6, with the cache: 6 scores" in said(found) and "21 scores since" in said(found)
    with_cache = found.locator(".attn-cell").count()
    found.get_by_role("combobox", name="cache").select_option("none")
    assert "Step 6, without a cache: 21 scores" in said(found)
    assert "keys and values for 6 words; 56 scores since" in said(found)
    assert (with_cache, found.locator(".attn-cell").count()) == (6, 21)


def test_online_softmax_reads_block_by_block(figure):
    seen, found = figure("online")
    forth = found.get_by_role("button", name="Next")
    forth.focus()
    seen.page.keyboard.press("Enter")
    assert "m is 0.1, l is 1.741" in said(found)
    seen.page.keyboard.press("Enter")
    seen.page.keyboard.press("Enter")
    assert "m is 2.3, l is 1.581. Every score has been read once" in said(found)
    assert "0.632" in found.locator(".attn-paper").text_content()
    found.get_by_role("combobox", name="block size").select_option("3")
    assert said(found) == "Blocks of 3: nothing has been read."


def test_cost_grows_with_the_length(figure):
    seen, found = figure("cost")
    found.get_by_role("slider").focus()
    seen.page.keyboard.press("End")
    assert said(found).startswith("Length 131,072, memory: exact, written out 64.0 GiB")
    found.get_by_role("combobox", name="count").select_option("operations")
    assert "exact, flash 4.4 10¹²" in said(found)


DRAWN = """(figure, kind) => {
  window.wasDrawn = false;
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]);
    window.wasDrawn ||= added.some((node) => node.matches?.(kind) || node.querySelector?.(kind));
  }).observe(figure.shadowRoot ?? figure, { childList: true, subtree: true });
}"""


def test_a_heard_piece_is_played_by_a_click_and_nothing_sounds_before(figure):
    seen, found = figure("heard")
    moving = found.locator(".attn-level")  # the line that goes through the sound
    assert moving.count() == 0
    before = said(found)
    # A busy machine may not look while a short piece sounds; what was drawn is never taken back.
    found.evaluate(DRAWN, ".attn-level")
    found.locator("[data-row='4']").click()
    seen.page.wait_for_function("window.wasDrawn")
    moving.wait_for(state="detached")
    assert said(found) != before
    found.locator(".attn-paper").focus()
    seen.page.keyboard.press("ArrowUp")
    assert moving.count() == 0, "an arrow chooses and does not play"
    found.get_by_role("button", name="Hear all").click()
    moving.wait_for(state="attached")  # it sounds for seconds
    found.get_by_role("button", name="Reset").click()
    assert moving.count() == 0 and said(found) == before, "a reset stops the sound"
    found.locator(".attn-paper").focus()
    found.evaluate(DRAWN, ".attn-level")
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_function("window.wasDrawn")
    found.locator("select").select_option("English")
    assert said(found) != before
    assert seen.console == []

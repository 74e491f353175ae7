"""What holds for every figure that moves: from disk, without scripts, for all, in its place."""

from pathlib import Path

import pytest
from figure_pages import FIGURES, move

BOOK = Path(__file__).parents[2] / "_build" / "html"
CHANGES = 1000  # of nodes, attributes and texts that one turn may make
JUMP = 30  # px by which a page may move when its figure comes alive
TWO_FRAMES = "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
AXE = "() => axe.run('.attn-figure', {resultTypes: ['violations'], preload: false})"


@pytest.mark.parametrize("name", FIGURES)
def test_moves_from_disk_without_a_server(visit, name):
    seen = visit((BOOK / "book" / f"{FIGURES[name]}.html").as_uri())
    found = seen.page.locator(f"attn-{name}").first
    found.scroll_into_view_if_needed()
    before = found.locator(".attn-paper").inner_html()
    move(name, found)
    assert found.locator(".attn-paper").inner_html() != before
    assert seen.outside("file://") == [] and seen.console == []


def test_waits_until_its_reader_comes_near_or_presses_a_key(visit, site):
    seen = visit(f"{site}book/{FIGURES['heads']}.html")
    found = seen.page.locator("attn-heads")
    assert found.bounding_box()["y"] > 2 * 800, "the page must be long enough to wait on"
    seen.page.evaluate(TWO_FRAMES)
    assert found.locator("svg.attn-still").count() == 1
    seen.page.keyboard.press("Tab")
    assert found.locator("svg.attn-still").count() == 0 and found.locator("select").count() == 2


@pytest.mark.parametrize("name", FIGURES)
def test_is_a_still_picture_without_javascript(visit, site, name):
    seen = visit(f"{site}book/{FIGURES[name]}.html", java_script_enabled=False)
    still = seen.page.locator(f"attn-{name} svg.attn-still").first
    assert still.is_visible()
    assert len(still.locator("desc").text_content()) > 20


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", FIGURES)
def test_axe_finds_nothing_after_moving(figure, name, mode):
    package = pytest.importorskip("axe_playwright_python")
    seen, found = figure(name, color_scheme=mode)
    move(name, found)
    seen.page.add_style_tag(content="* { transition: none !important; }")
    seen.page.add_script_tag(path=str(Path(package.__file__).parent / "axe.min.js"))
    faults = seen.page.evaluate(AXE)["violations"]
    assert [f"{v['id']}: {n['html'][:160]}" for v in faults for n in v["nodes"]] == []


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("name", FIGURES)
def test_stays_in_its_place(figure, visit, site, name, width):
    """It takes the room that its still picture has kept, and leaves nothing to scroll sideways."""
    address = f"{site}book/{FIGURES[name]}.html"
    still = visit(address, width=width, java_script_enabled=False).page.locator(f"attn-{name}")
    _, found = figure(name, width=width)
    assert abs(found.bounding_box()["height"] - still.bounding_box()["height"]) <= JUMP
    move(name, found)
    sticks_out = found.evaluate(
        """el => [...el.querySelectorAll('svg *, .attn-controls :not(option), p')]
            .filter(n => n.getBoundingClientRect().right > el.getBoundingClientRect().right + 1
                || n.getBoundingClientRect().left < el.getBoundingClientRect().left - 1)
            .map(n => n.outerHTML.slice(0, 100))"""
    )
    assert sticks_out == []


# What each of 21 turns changes, as it is made: nodes that come and go, attributes, texts.
TURNS = """el => {
    const control = el.querySelector('input[type=range]');
    const buttons = [...el.querySelectorAll('button')].filter(b => b.textContent !== 'Reset');
    const paper = el.querySelector('.attn-paper');
    const turn = i => {
        if (control) {
            control.value = i % 2 ? control.max : control.min;
            control.dispatchEvent(new Event('input', {bubbles: true}));
        } else if (buttons.length) buttons[i % 2 ? 0 : 1].click();
        else {
            const key = i % 2 ? 'ArrowUp' : 'ArrowDown';
            paper.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
        }
    };
    const size = node => 1 + (node.querySelectorAll?.('*').length ?? 0);
    const seen = new MutationObserver(() => {});
    const kinds = {childList: true, attributes: true, characterData: true};
    seen.observe(el, {subtree: true, ...kinds});
    return Array.from({length: 21}, (_, i) => {
        turn(i);
        const nodes = seen.takeRecords().flatMap(
            record => record.type === 'childList'
                ? [...record.addedNodes, ...record.removedNodes] : [paper]);
        const changed = nodes.reduce((sum, node) => sum + (node === paper ? 1 : size(node)), 0);
        return [changed, size(el)];
    });
}"""


@pytest.mark.parametrize("name", FIGURES)
def test_a_turn_changes_little_at_once_and_leaves_nothing_behind(figure, name):
    """So it answers within a frame on any machine, and after a hundred turns as after one."""
    _, found = figure(name)
    turns = found.evaluate(TURNS)
    assert all(0 < changed <= CHANGES for changed, _ in turns[1:]), turns
    assert turns[1][1] == turns[19][1] and turns[2][1] == turns[20][1], turns

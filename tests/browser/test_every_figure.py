"""What holds for every figure that moves, in three visits: without scripts, on a server at 1280 px,
from disk at 320 px. What fails says of which figure and which of these."""

import pytest
from axe import axe_finds
from figure_pages import FIGURES, move
from site_links import BOOK

CHANGES = 1000  # of nodes, attributes and texts that one turn may make
JUMP = 30  # px by which a page may move when its figure comes alive
TWO_FRAMES = "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
STICKS_OUT = """el => [...el.querySelectorAll('svg *, .attn-controls :not(option), p')]
    .filter(n => n.getBoundingClientRect().right > el.getBoundingClientRect().right + 1
        || n.getBoundingClientRect().left < el.getBoundingClientRect().left - 1)
    .map(n => n.outerHTML.slice(0, 100))"""
# What each of 21 turns changes, as it is made: nodes that come and go, attributes, texts.
TURNS = """el => {
    const control = el.querySelector('input[type=range]');
    const buttons = [...el.querySelectorAll('.attn-controls button')]
        .filter(b => b.textContent !== 'Reset');
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


@pytest.fixture(params=FIGURES)
def name(request) -> str:
    return request.param


@pytest.fixture
def heights(revisit, site, name) -> dict[int, float]:
    """The room that the still picture keeps at each width: what a reader without scripts sees."""
    seen = revisit(f"{site}book/{FIGURES[name]}.html", java_script_enabled=False)
    figure = seen.page.locator(f"attn-{name}").first
    still = figure.locator("svg.attn-still")
    assert still.is_visible(), "no still picture without scripts"
    assert len(still.locator("desc").text_content()) > 20
    found = {}
    for width in (1280, 320):
        seen.page.set_viewport_size({"width": width, "height": 800})
        found[width] = figure.bounding_box()["height"]
    return found


def comes_alive(found, height: float) -> None:
    """In the room that its still picture kept; it moves, and nothing sticks out."""
    found.locator(".attn-paper").wait_for()
    assert abs(found.bounding_box()["height"] - height) <= JUMP
    before = found.locator(".attn-paper").inner_html()
    move(found)
    assert found.locator(".attn-paper").inner_html() != before, "it does not move"
    assert found.evaluate(STICKS_OUT) == []


def test_a_figure(revisit, site, heights, name, subtests):
    seen = revisit(f"{site}book/{FIGURES[name]}.html", color_scheme="light")
    found = seen.page.locator(f"attn-{name}").first
    found.scroll_into_view_if_needed()
    with subtests.test("stays in its place at 1280 px"):
        comes_alive(found, heights[1280])
    with subtests.test("axe finds nothing after moving"):
        assert axe_finds(seen.page, ".attn-figure") == []
    with subtests.test("a turn changes little at once and leaves nothing behind"):
        # So it answers within a frame on any machine, and after a hundred turns as after one.
        turns = found.evaluate(TURNS)
        assert all(0 < changed <= CHANGES for changed, _ in turns[1:]), turns
        assert turns[1][1] == turns[19][1] and turns[2][1] == turns[20][1], turns
    with subtests.test("moves from disk, and stays in its place at 320 px"):
        seen = revisit((BOOK / "book" / f"{FIGURES[name]}.html").as_uri(), width=320)
        found = seen.page.locator(f"attn-{name}").first
        found.scroll_into_view_if_needed()
        comes_alive(found, heights[320])
        assert seen.outside("file://") == [] and seen.console == []


def test_waits_until_its_reader_comes_near_or_presses_a_key(visit, site):
    seen = visit(f"{site}book/{FIGURES['heatmap']}.html")
    found = seen.page.locator("attn-heatmap")
    assert found.bounding_box()["y"] > 2 * 800, "the page must be long enough to wait on"
    seen.page.evaluate(TWO_FRAMES)
    assert found.locator("svg.attn-still").count() == 1
    seen.page.keyboard.press("Tab")
    assert found.locator("svg.attn-still").count() == 0
    assert found.locator("svg.attn-paper").count() == 1

"""Figures that move: each is moved in the built page, and what it says must change."""

from pathlib import Path

import pytest

BOOK = Path(__file__).parents[2] / "_build" / "html"
FRAME = 16  # ms of script that a render may take
SHIFT = 0.05  # layout shift of a page
FIGURES = {"softmax": "01_softmax"}
AXE = "() => axe.run('.attn-figure', {resultTypes: ['violations'], preload: false})"
SHIFTS = """() => new Promise(done => {
    let sum = 0;
    const add = list => { for (const e of list.getEntries()) sum += e.value; };
    new PerformanceObserver(add).observe({type: 'layout-shift', buffered: true});
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum))));
})"""


@pytest.fixture
def figure(visit, site):
    """figure(name, **context settings) opens its page; returns the visit and the figure."""

    def open_figure(name: str, **settings):
        seen = visit(f"{site}book/{FIGURES[name]}.html", **settings)
        found = seen.page.locator(f"attn-{name}").first
        found.scroll_into_view_if_needed()
        found.locator(".attn-paper").wait_for()
        return seen, found

    return open_figure


def said(found) -> str:
    return found.locator(".attn-said").inner_text()


def move(name: str, found) -> None:
    """Something that moves every figure: its first button that leads on, else its first slider."""
    button = found.get_by_role("button", name="Next").first
    (button if button.count() else found.locator("input[type=range]").first).focus()
    found.page.keyboard.press("Enter" if button.count() else "ArrowRight")


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
    box = love.locator("circle").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    seen.page.mouse.move(x, y)
    seen.page.mouse.down()
    seen.page.mouse.move(x + 200, y, steps=4)
    seen.page.mouse.up()
    seen.page.mouse.move(x, y)
    assert float(love.get_attribute("aria-valuenow")) > 3
    assert "“love” has the largest weight" in said(found)

    found.get_by_role("slider", name="temperature").focus()
    seen.page.keyboard.press("Home")
    assert said(found).startswith("Temperature 0.01: “love” has the largest weight, 1.000")
    assert seen.console == []


@pytest.mark.parametrize("name", FIGURES)
def test_moves_from_disk_without_a_server(visit, name):
    seen = visit((BOOK / "book" / f"{FIGURES[name]}.html").as_uri())
    found = seen.page.locator(f"attn-{name}").first
    before = found.locator(".attn-paper").inner_html()
    move(name, found)
    assert found.locator(".attn-paper").inner_html() != before
    assert seen.outside("file://") == [] and seen.console == []


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
    found = seen.page.evaluate(AXE)["violations"]
    assert [f"{v['id']}: {n['html'][:160]}" for v in found for n in v["nodes"]] == []


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("name", FIGURES)
def test_stays_in_its_place(figure, name, width):
    seen, found = figure(name, width=width)
    assert seen.page.evaluate(SHIFTS) <= SHIFT
    move(name, found)
    sticks_out = found.evaluate(
        """el => [...el.querySelectorAll('svg *, .attn-controls *, p')]
            .filter(n => n.getBoundingClientRect().right > el.getBoundingClientRect().right + 1
                || n.getBoundingClientRect().left < el.getBoundingClientRect().left - 1)
            .map(n => n.outerHTML.slice(0, 100))"""
    )
    assert sticks_out == []


@pytest.mark.parametrize("name", FIGURES)
def test_answers_within_a_frame(figure, name):
    _, found = figure(name)
    times = found.evaluate(
        """el => {
            const control = el.querySelector('input[type=range]');
            const buttons = [...el.querySelectorAll('button')];
            const turn = i => {
                if (control) {
                    control.value = i % 2 ? control.max : control.min;
                    control.dispatchEvent(new Event('input', {bubbles: true}));
                } else buttons[i % 2 ? 0 : 1].click();
            };
            return Array.from({length: 21}, (_, i) => {
                const start = performance.now();
                turn(i);
                return performance.now() - start;
            }).sort((a, b) => a - b);
        }"""
    )
    assert times[10] <= FRAME, "the median of 21 renders"

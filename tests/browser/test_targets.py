"""Targets on a phone: what a reader taps answers a finger on 40 px, measured by what lies there."""

import pytest

FINGER = 40  # px
PHONE = {"width": 375, "height": 812, "has_touch": True, "is_mobile": True}
PAGES = [
    "index",
    "book/what_attention_is",
    "book/softmax",
    "book/a_server",
    "exercises/01_softmax",
    "search",
]
# A link in a sentence is as high as its line, and a mark in a drawing as large as what it shows.
TARGETS = """:is(summary, button, select, input:not([type=hidden]), a[href]):not(svg *,
    .sd-stretched-link, .skip-link)"""
LOW = """([all, finger]) => [...document.querySelectorAll(all)].flatMap(node => {
    const {display} = getComputedStyle(node), {width} = node.getBoundingClientRect();
    const shown = node.checkVisibility({visibilityProperty: true}) && width > 1;
    if (!shown || (display === 'inline' && node.matches('a'))) return [];
    node.scrollIntoView({block: 'center', behavior: 'instant'});
    const box = node.getBoundingClientRect();
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    const met = lower => {
        const there = document.elementFromPoint(x, y + lower);
        return [node, ...(node.labels ?? [])].some(one => one.contains(there));
    };
    const reach = way => {
        let far = 0;
        while (far < finger && met(way * far)) far += 0.5;
        return far;
    };
    const high = reach(1) + reach(-1);
    return high < finger ? [`${high} px: ${node.outerHTML.slice(0, 120)}`] : [];
})"""


def low(page, where: str = ":root") -> list[str]:
    assert page.locator(where).locator(TARGETS).count() > 1
    return page.evaluate(LOW, [f"{where} {TARGETS}", FINGER])


@pytest.fixture
def on_a_phone(visit, site):
    return lambda name: visit(f"{site}{name}.html", reduced_motion="reduce", **PHONE).page


@pytest.mark.parametrize("name", PAGES)
def test_what_is_tapped_is_40_px_high(on_a_phone, name):
    assert low(on_a_phone(name)) == []


def test_what_opens_over_a_page_is_40_px_high(on_a_phone):
    page = on_a_phone("book/softmax")
    opened = page.locator("dialog[open]")
    for button in (".primary-toggle", ".secondary-toggle"):
        page.locator(button).first.click()
        opened.wait_for()
        assert low(page, "dialog[open]") == []
        page.keyboard.press("Escape")
        opened.wait_for(state="detached")
    page.get_by_role("button", name="Download this page").focus()
    page.keyboard.press("Enter")
    page.locator(".dropdown-menu.show").wait_for()
    assert low(page, ".dropdown-menu.show") == []


def test_buttons_of_the_header_are_40_px_wide(on_a_phone):
    boxes = on_a_phone("book/softmax").locator(".bd-header-article button:visible")
    assert boxes.count() >= 4
    assert min(box.bounding_box()["width"] for box in boxes.all()) >= FINGER

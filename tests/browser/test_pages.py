"""What holds for every page of the book."""

import functools
import gzip
from urllib.parse import unquote, urlsplit

from axe import axe_finds
from figure_pages import said
from site_links import BOOK

from tools.contents import ROOT

PAGE_LIMIT = 700_000  # bytes over the wire, gzipped, everything included
NARROW = 320  # the narrowest phone we promise
SHIFT = 0.05  # layout shift of a whole page, all of it added up

# What a reader may meet as maths that was not typeset: TeX, or a formula without a width.
RAW_MATHS = r"""() => [...document.querySelectorAll('.math')]
    .filter(node => node.checkVisibility())
    .filter(node => !node.querySelector('math')?.getBoundingClientRect().width
        || /\\[a-z([]|\$/.test(node.innerText))
    .map(node => node.textContent.slice(0, 80))"""
MATHS_FONT = """() => ![...document.querySelectorAll('math')].some(n => n.checkVisibility())
    || [...document.fonts].some(font => /Maths/.test(font.family) && font.status === 'loaded')"""
IMAGES = """() => [...document.querySelectorAll('.bd-article img')]
    .filter(image => !(image.getAttribute('alt') || '').trim() || image.alt === image.src
        || /\\.(png|svg|jpe?g)$/.test(image.alt))
    .map(image => image.outerHTML.slice(0, 200))"""
# A page keeps room for what comes late only if it knows its size before.
UNSIZED = """() => [...document.images]
    .filter(image => !image.getAttribute('width') || !image.getAttribute('height'))
    .map(image => image.outerHTML.slice(0, 200))"""
# An image waits until its reader comes near: here they all come.
ALL_IMAGES = """() => Promise.all([...document.images].map(image => {
    image.loading = 'eager';
    return image.decode().catch(() => null);
}))"""
BROKEN = """() => [...document.images]
    .filter(image => image.complete && !image.naturalWidth).map(image => image.src)"""
TOO_WIDE = """() => {
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= wide) return [];
    return [...document.querySelectorAll('.bd-article *')]
        .filter(node => node.getBoundingClientRect().right > wide + 1)
        .map(node => node.outerHTML.slice(0, 120)).slice(0, 5)
        .concat(`scroll width ${document.documentElement.scrollWidth}`);
}"""

LATE = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
# How far the page has moved by itself, after a reader has gone through it screen by screen: by
# whole ones, or a picture has come before it is in view.
SHIFTS = """async () => {
    const found = [];
    const note = (list) => found.push(...list.getEntries().filter(one => !one.hadRecentInput));
    const observer = new PerformanceObserver(note);
    observer.observe({type: 'layout-shift', buffered: true});
    // A busy browser can owe a frame or an image for ever, and nothing else would end the wait.
    const within = (wait) => Promise.race([wait, new Promise((_, fail) => setTimeout(
        () => fail(new Error('no frame, or an image in view, came within 20 s')), 20_000))]);
    const frame = () => within(
        new Promise(done => requestAnimationFrame(() => setTimeout(done))));
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
        scrollTo({top: y, behavior: 'instant'});
        await frame();
        const seen = [...document.images].filter(one => {
            const box = one.getBoundingClientRect();
            // In a closed fold an image has a place and never comes.
            return one.checkVisibility() && box.width && box.top < innerHeight && box.bottom > 0;
        });
        await within(Promise.all(seen.map(one => one.decode().catch(() => null))));
    }
    await frame();
    found.push(...observer.takeRecords().filter(one => !one.hadRecentInput));
    return found.map(one => [one.value, one.sources.map(({node, previousRect, currentRect}) =>
        `${node?.outerHTML?.slice(0, 120) ?? node?.nodeName} ` +
        `${previousRect.top} -> ${currentRect.top}`)]);
}"""

# What scrolls in its own box must show its beginning first.
CUT_OFF = """() => [...document.querySelectorAll('div.math')]
    .filter(box => box.checkVisibility())
    .filter(box => box.querySelector('math').getBoundingClientRect().left
        < box.getBoundingClientRect().left - 1)
    .map(box => box.querySelector('math').getAttribute('alttext'))"""


def test_asks_nobody_else_and_says_nothing(opened, site):
    assert opened.outside(site) == []
    assert opened.at_load == []


def test_is_whole(opened):
    page = opened.page
    assert page.title().strip()
    assert page.locator("h1").count() >= 1
    assert page.evaluate(RAW_MATHS) == []
    assert page.evaluate(MATHS_FONT), "the formulas' font did not arrive"
    assert page.evaluate(IMAGES) == [], "images without a text that says what they show"
    assert page.evaluate(UNSIZED) == [], "images for which the page keeps no room"
    page.evaluate(ALL_IMAGES)
    assert page.evaluate(BROKEN) == []


def test_is_light(opened):
    opened.page.evaluate(ALL_IMAGES)
    sizes = {name: weight(name) for name in map(on_disk, set(opened.requests)) if name}
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert sum(sizes.values()) <= PAGE_LIMIT, f"{sum(sizes.values())} bytes; heaviest: {heaviest}"


def test_axe_finds_nothing(opened):
    assert axe_finds(opened.page) == []


def test_fits_a_narrow_phone(opened):
    page = opened.page
    page.set_viewport_size({"width": NARROW, "height": 640})
    page.wait_for_function("wide => innerWidth === wide", arg=NARROW)  # in its next frame
    too_wide, cut_off = page.evaluate(TOO_WIDE), page.evaluate(CUT_OFF)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert too_wide == []
    assert cut_off == []
    assert page.locator("meta[name=viewport]").count() == 1  # or a phone takes it for a desk's


def test_a_term_shows_its_definition_by_keyboard(opened):
    page = opened.page
    # One in a closed fold cannot be reached by keyboard before the fold is opened.
    terms, tip = page.locator("a.attn-term:visible"), page.locator("#attn-tip")
    if not terms.count():
        assert page.locator(".attn-quiz").count() == 0, "a chapter has terms"
        return
    terms.first.focus()
    assert tip.get_attribute("role") == "tooltip"
    assert len(tip.inner_text()) > 20
    assert terms.first.get_attribute("aria-describedby") == "attn-tip"
    page.keyboard.press("Escape")
    assert tip.count() == 0


def test_every_map_is_read_by_keyboard(opened, site):
    notebook = (ROOT / opened.page.url.removeprefix(site)).with_suffix(".ipynb")
    drawn = notebook.exists() and "heatmap_figure(" in notebook.read_text(encoding="utf-8")
    maps = opened.page.locator("attn-heatmap").all()
    assert bool(maps) == drawn
    for found in maps:
        found.scroll_into_view_if_needed()
        found.locator(".attn-paper").focus()
        before = said(found)
        opened.page.keyboard.press("ArrowDown")
        assert said(found) != before
    assert opened.console == opened.at_load


def test_opens_by_double_click(revisit, first_of_its_scripts):
    seen = revisit((BOOK / first_of_its_scripts).as_uri())
    assert seen.outside("file://") == []
    assert seen.console == []
    assert seen.page.evaluate(RAW_MATHS) == []


def test_stands_still_on_a_phone(revisit, site, address):
    assert_stands_still(revisit(site + address, width=360).page)


def test_stands_still_on_a_desk(revisit, site, first_of_its_scripts):
    """What differs from the phone is the frame, which all pages share, and the figures' scripts."""
    assert_stands_still(revisit(f"{site}{first_of_its_scripts}", width=1280).page)


def test_a_page_is_shown_though_its_letters_do_not_come(browser, site):
    context = browser.new_context()
    page = context.new_page()
    page.route("**/maths.woff", lambda route: None)  # asked for, and never answered
    page.goto(f"{site}book/softmax.html", wait_until="commit")
    shown = "() => document.body && getComputedStyle(document.body).visibility === 'visible'"
    page.wait_for_function(shown)
    context.close()


def assert_stands_still(page):
    # An image that comes at once comes before it is in view: here it takes its time.
    network = page.context.new_cdp_session(page)
    network.send("Network.emulateNetworkConditions", LATE)
    shifts = page.evaluate(SHIFTS)
    network.detach()
    assert sum(value for value, _ in shifts) <= SHIFT, shifts


def on_disk(url: str) -> str:
    """The file behind an address of the site, as a name below its root; empty if there is none."""
    name = unquote(urlsplit(url).path).lstrip("/")
    return name if (BOOK / name).is_file() else ""


@functools.cache
def weight(name: str) -> int:
    """Bytes of a file over the wire, gzipped."""
    return len(gzip.compress((BOOK / name).read_bytes()))

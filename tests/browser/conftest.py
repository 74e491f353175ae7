"""A real headless browser over the built book, which logs everything a page asks for and says."""

import functools
import http.server
import re
import shutil
import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from figure_pages import FIGURES, need
from live_page import run
from site_links import BOOK

from tools import print as on_paper
from tools.environment import BROWSERS

FLAGS = [
    *on_paper.FLAGS,
    "--disable-quic",
    "--disable-component-update",
    "--disable-sync",
    # The network is off: no name has an address, and the tests' own server is on this machine.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


LOCATED = 120_000  # milliseconds for what a page shows, on a machine that does something else


def pages() -> list[str]:
    """Every page of the book, by its address below the root."""
    return sorted(p.relative_to(BOOK).as_posix() for p in BOOK.rglob("*.html") if is_page(p))


def first_of_each_set_of_scripts() -> list[str]:
    """Pages whose scripts, figures included, no page before them has in this combination."""
    found = {}
    for page in pages():
        text = (BOOK / page).read_text(encoding="utf-8")
        named = re.findall(r'<script[^>]* src="(?:\.\./)*([^"?]+)|<(attn-[a-z-]+)', text)
        found.setdefault(frozenset(named), page)
    return list(found.values())


def is_page(path: Path) -> bool:
    return not {"_static", "_sources", "404.html"} & set(path.parts)


def pytest_generate_tests(metafunc):
    """A test that asks for `opened` or `address` runs on every page. What asks for the same opened
    page runs together, in one process: to open a page costs more than most questions."""
    if "opened" in metafunc.fixturenames:
        each = [pytest.param(page, marks=pytest.mark.xdist_group(page)) for page in pages()]
        metafunc.parametrize("opened", each, indirect=True, scope="session")
    if "address" in metafunc.fixturenames:
        metafunc.parametrize("address", pages())
    if "first_of_its_scripts" in metafunc.fixturenames:
        metafunc.parametrize("first_of_its_scripts", first_of_each_set_of_scripts())


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)


@dataclass
class Visit:
    """An open page and what it did: requests, console messages, uncaught errors."""

    page: object
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    at_load: list[str] = field(default_factory=list)

    def outside(self, site: str) -> list[str]:
        return [url for url in self.requests if not url.startswith((site, "data:", "blob:"))]


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128  # a busy machine takes its time to answer


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def site():
    """The built book on a local server; its root address."""
    if not (BOOK / "index.html").exists():
        pytest.skip("the book is not built: run `make book`")
    handler = functools.partial(Quiet, directory=str(BOOK))
    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser():
    """An installed Chromium, else Playwright's own."""
    sync_api = pytest.importorskip("playwright.sync_api")
    installed = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_api.sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=installed, args=FLAGS)
        except sync_api.Error as error:
            pytest.skip(f"no browser: run `make env` ({error})")
        yield chromium
        chromium.close()


def hear(seen: Visit, message) -> None:
    """Note what the page says. The theme says where it scrolled; that is no fault of ours."""
    if not message.text.startswith("[PST]"):
        seen.console.append(f"{message.type}: {message.text}")


def open_page(context, url: str) -> Visit:
    """Open a page and wait until it is at rest: loaded, its fonts there."""
    context.set_default_timeout(LOCATED)
    seen = Visit(context.new_page())
    listen(seen)
    return go(seen, url)


def listen(seen: Visit) -> dict:
    """Note from now on what the page asks for and says; the listeners, by event."""
    heard = {
        "request": lambda request: seen.requests.append(request.url),
        "console": lambda message: hear(seen, message),
        "pageerror": lambda error: seen.console.append(f"uncaught: {error}"),
    }
    for event, listener in heard.items():
        seen.page.on(event, listener)
    return heard


def go(seen: Visit, url: str) -> Visit:
    seen.page.goto(url, wait_until="load")
    seen.page.evaluate("() => document.fonts.ready.then(() => null)")
    return seen


# What makes a profile fresh again, before a page's own scripts.
FORGET = "try { localStorage.clear(); sessionStorage.clear(); } catch {}"


class Window:
    """One window that goes from page to page: to open a window costs a third of a visit. For visits
    that reload nothing: each begins with an empty storage, and no file is cached."""

    def __init__(self, browser, width: int, height: int, settings: dict):
        self.size = {"width": width, "height": height}
        self.colours = settings.get("color_scheme", "light")
        context = browser.new_context(viewport=self.size, **settings)
        context.set_default_timeout(LOCATED)
        context.add_init_script(FORGET)
        self.page, self.heard = context.new_page(), {}
        self.session = context.new_cdp_session(self.page)
        self.session.send("Network.enable")
        self.session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def visit(self, url: str) -> Visit:
        for event, listener in self.heard.items():
            self.page.remove_listener(event, listener)
        self.page.set_viewport_size(self.size)
        self.page.emulate_media(color_scheme=self.colours)
        seen = Visit(self.page)
        self.heard = listen(seen)
        return go(seen, url)


@pytest.fixture
def visit(browser):
    """visit(url, **context settings) opens a page in a fresh profile and waits until it rests."""
    contexts = []

    def visit_page(url: str, *, width: int = 1280, height: int = 800, **settings) -> Visit:
        need(url)
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        return open_page(context, url)

    yield visit_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def revisit(browser):
    """revisit(url, **context settings): as `visit`, in the window that these settings have."""
    windows = {}

    def visit_page(url: str, *, width: int = 1280, height: int = 800, **settings) -> Visit:
        need(url)
        key = width, height, *sorted(settings.items())
        if key not in windows:
            windows[key] = Window(browser, width, height, settings)
        return windows[key].visit(url)

    return visit_page


@pytest.fixture(scope="session")
def own_window(browser):
    """The window of `opened`, which nothing else leads away from its page."""
    return Window(browser, 1280, 800, {"color_scheme": "light"})


@pytest.fixture(scope="session")
def opened(request, own_window, site):
    """One page of the book, opened once for all that is asked of it; light, 1280 px wide."""
    seen = own_window.visit(site + request.param)
    seen.at_load = list(seen.console)
    return seen


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


@pytest.fixture
def with_python():
    """The built pages have Python."""
    if not (BOOK / "_static" / "live" / "parts.js").exists():
        pytest.skip("Python for the pages is not there: run `python tools/live.py`, `make book`")


@pytest.fixture
def with_editor(with_python):
    """The built pages have the editor."""
    if not (BOOK / "_static" / "live" / "codemirror.js").exists():
        pytest.skip("the editor is not there: run `python tools/live.py`, `make book`")


@pytest.fixture
def started(visit, site, with_python):
    """started(page, index) opens a page and runs one of its cells; the visit and that cell."""

    def start(page: str, index: int):
        seen = visit(f"{site}{page}.html")
        cell = seen.page.locator("div.cell", has=seen.page.locator(".attn-live")).nth(index)
        run(seen, cell)
        return seen, cell

    return start

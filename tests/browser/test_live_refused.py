"""Python in the page: what a browser or a network refuses is a sentence, and Run may try again."""

import re

from live_page import run, write

# What a page is without, by what it then says; the order is that of a start.
REFUSED = {
    "no session": (
        "document.head.append = (node) => node.dispatchEvent(new Event('error'))",
        "session.js could not be loaded. Try again.",
    ),
    "no WebAssembly": (
        "delete window.WebAssembly",
        "This browser cannot run Python: it has no WebAssembly, or is too old.",
    ),
    "not on the server": (
        "window.fetch = async () => new Response('', { status: 404 })",
        "is not on this server (404). Press Run to try again.",
    ),
    "no network": (
        "window.fetch = async () => { throw new TypeError('Failed to fetch') }",
        "Python did not arrive: Failed to fetch. Press Run to try again.",
    ),
    "cut in the middle": (
        "window.fetch = async (...given) => "
        "new Response((await (await kept.fetch(...given)).arrayBuffer()).slice(0, 9999))",
        "Python did not arrive: ",
    ),
    "another page in its place": (
        "window.fetch = async () => new Response('<h1>Sign in to this network</h1>')",
        "Python did not arrive: ",
    ),
    "a worker that is refused": (
        "window.Worker = function () { throw new DOMException('', 'SecurityError') }",
        "block the worker that Python runs in",
    ),
    "a worker that is never loaded": (
        "window.Worker = class extends EventTarget { terminate() {} "
        "postMessage() { setTimeout(() => this.onerror(new Event('error'))) } }",
        "block the worker that Python runs in",
    ),
    "no memory": (
        "window.Blob = class extends kept.Blob { constructor(parts, about) { super(about?.type "
        "=== 'text/javascript' ? ['WebAssembly.instantiateStreaming = async () => { throw new "
        'RangeError("Out of memory") };\', ...parts] : parts, about) } }',
        "Python did not start: Out of memory. Press Run to try again.",
    ),
}
KEEP = """() => {
    window.kept = { WebAssembly, fetch: fetch.bind(window), Worker, Blob };
    window.modes = [];
}"""
RESTORE = """() => {
    delete document.head.append;
    const { fetch, ...rest } = window.kept;
    const noted = (url, asked) => {
        modes.push([url.match(/([^/]+)\\.gz/)[1], asked.cache]);
        return fetch(url, asked);
    };
    Object.assign(window, rest, { fetch: noted });
}"""
FULL = """() => {
    Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') };
}"""


def test_what_is_refused_is_a_sentence_and_run_tries_again(visit, site, with_python, subtests):
    seen = visit(f"{site}book/softmax.html")
    page = seen.page
    # What is stored waits for a prediction; here it is looked at before and after.
    page.evaluate("() => document.querySelectorAll('.below-input').forEach(d => d.open = true)")
    cell = page.locator("div.cell", has=page.locator(".attn-live"))
    cell = cell.filter(has=page.locator(".output.stream")).nth(0)
    says = cell.locator(".attn-live [role=status]")
    stored = cell.locator(".output.stream pre").first
    before = stored.text_content()
    page.evaluate(KEEP)
    for name, (script, words) in REFUSED.items():
        with subtests.test(name):
            page.evaluate(RESTORE)
            page.evaluate(f"() => {{ {script} }}")
            cell.locator(".attn-live button").first.evaluate("button => button.click()")
            says.filter(has_text=".").wait_for(state="attached")
            assert words in says.text_content()
            assert stored.is_visible() and stored.text_content() == before
            assert page.locator(".attn-live-line").is_hidden()
    page.evaluate(RESTORE)
    page.evaluate(FULL)
    assert run(seen, cell).strip() == before.strip()
    asked = dict(page.evaluate("modes"))
    assert (asked["pyodide.asm.js"], asked["numpy.zip"]) == ("reload", "force-cache"), (
        "it had failed"
    )
    assert says.text_content() == "", "the old sentence is gone"
    write(seen, cell, "print(1)")
    assert page.locator(".attn-note").text_content().startswith("Your browser does not let")
    assert run(seen, cell) == "1\n"
    assert [said for said in seen.console if not re.search("instantiation|memory", said)] == []

"""Python in the page, for its tests: press Run, wait, read; write into a cell."""

# Milliseconds that anything may take on a machine that does something else.
PATIENCE = 600_000
ENDED = "/Done|Failed|Stopped|broke/.test(document.querySelector('.attn-live-line')?.textContent)"

# An answer to the task of 01_softmax.
RIGHT = """def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)
"""


def run(seen, cell) -> str:
    """Press Run, wait until it has ended, and give what was printed."""
    cell.evaluate("c => c.querySelector('.attn-live-own')?.remove()")
    cell.locator(".attn-live button").first.evaluate("button => button.click()")
    cell.locator(".attn-live-own").wait_for(timeout=PATIENCE, state="attached")
    seen.page.wait_for_function(ENDED, timeout=PATIENCE)
    return cell.locator(".attn-live-own pre").first.text_content()


def open_fields(visit, address: str, **settings):
    """A page; the visit, its cells that can be run, and the code of each."""
    seen = visit(address, **settings)
    cells = seen.page.locator("div.cell", has=seen.page.locator(".attn-live"))
    return seen, cells, cells.locator(".cell_input pre")


def field(cell):
    """Where a reader types: the editor, and until it is there the code itself."""
    return cell.locator(".cm-content, .cell_input pre:not(.attn-behind)")


def enter(cell):
    """Go into a cell and wait for its editor."""
    field(cell).focus()
    cell.locator(".cm-content").wait_for()
    return cell.locator(".cm-content")


def write(seen, cell, source: str) -> None:
    cell.locator(".cell_input pre").evaluate("c => c.closest('details')?.setAttribute('open', '')")
    field(cell).focus()
    seen.page.keyboard.press("Control+A")
    seen.page.keyboard.insert_text(source)


def keeps(page) -> None:
    """Open the page again until it reads what it has kept. On a busy machine Chromium now and then
    gives a page from disk no storage at all, silently, for as long as it is open."""
    for _ in range(20):
        if page.evaluate("() => localStorage.getItem('before')") == "seen":
            return
        page.evaluate("() => localStorage.setItem('before', 'seen')")
        page.reload()
    raise AssertionError("what a page keeps does not come back")

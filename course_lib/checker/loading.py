"""The first `check` of a session says that it loads, where that takes longer than a moment.

In a notebook the line goes when the report is there; in a terminal it stays above it.
"""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

from course_lib.checker.cells import shell_here

SAYS = "Loading the exercise: the first check of a session takes some seconds."
MOMENT = 1.0  # seconds that pass without a word
_session: dict[str, bool] = {}


@contextlib.contextmanager
def said_once(after: float = MOMENT) -> Iterator[None]:
    """While the first of all such blocks runs, say so once `after` seconds are over."""
    if _session.setdefault("begun", False):
        yield
        return
    _session["begun"] = True
    take_away: list[Callable[[], None]] = []
    timer = threading.Timer(after, lambda: take_away.append(_say()))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for one in take_away:
            one()


def _say() -> Callable[[], None]:
    """Say it, and return what takes it away again."""
    notebook = shell_here()
    if notebook is None or not hasattr(notebook, "kernel"):
        if sys.stderr and sys.stderr.isatty():
            print(SAYS, file=sys.stderr, flush=True)
        return lambda: None
    shown = {"transient": {"display_id": "the first check"}}
    publish = notebook.display_pub.publish
    publish({"text/html": f"<em>{SAYS}</em>"}, **shown)
    return lambda: publish({"text/html": ""}, **shown, update=True)

"""The search for a cause, where somebody waits for it: a line at once, and an end after some
seconds. Where nobody waits, as in grading and in proofs, it goes on to its end."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

SECONDS, MOMENT = 3.0, 0.5
LOOKING = "{0}. Looking for the cause …"
ENDED = (
    "The search for the cause was ended after {0:g} s: this machine is busy, or your answer is "
    "slow. `check` it again to search once more."
)


@dataclass
class Search:
    """One search. `say` gets the headline when a moment is over."""

    say: Callable[[str], None]
    headline: str = ""
    begun: float = field(default_factory=lambda: time.monotonic())
    has_said: bool = False
    has_ended: bool = False

    def is_over(self) -> bool:
        passed = time.monotonic() - self.begun
        if passed > MOMENT and not self.has_said and self.headline:
            self.has_said = True
            self.say(LOOKING.format(self.headline))
        self.has_ended = self.has_ended or passed > SECONDS
        return self.has_ended


_WAITING: ContextVar[Callable[[str], None] | None] = ContextVar("waiting", default=None)


@contextmanager
def somebody_waits(say: Callable[[str], None]) -> Iterator[None]:
    """Within it, a search says its headline and ends after `SECONDS`."""
    token = _WAITING.set(say)
    try:
        yield
    finally:
        _WAITING.reset(token)


def begin(headline: str) -> Search | None:
    """A search that begins now; None where nobody waits."""
    say = _WAITING.get()
    return None if say is None else Search(say, headline)

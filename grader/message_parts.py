"""Words that several messages need: a guess at a name that is not there, and "… and 7 more"."""

import difflib
from collections.abc import Collection, Iterator, Sequence

from course_lib.checker.escape import one_line


def guess(name: str, known: Collection[str], most: int = 1) -> str:
    """ " Did you mean 'ann'?", or nothing where no known name is like it."""
    close = difflib.get_close_matches(name, known, most)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""


def first_of(lines: Sequence[str], most: int) -> Iterator[str]:
    """The first lines, each harmless for a terminal, and how many more there are."""
    yield from map(one_line, lines[:most])
    if len(lines) > most:
        yield f"… and {len(lines) - most} more"

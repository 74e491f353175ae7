"""Python's text with words exchanged, and what it then defines: planted bugs, mistakes, mutants."""

from collections.abc import Callable
from typing import Any


def rewritten(text: str, *pairs: str) -> str:
    """The text with words exchanged: pairs of old and new, one after the other.

    Raises ValueError when old words do not occur exactly once, or the new ones are the same.
    """
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        if text.count(old) != 1 or old == new:
            raise ValueError(
                f"{old!r} is to become {new!r} in a text where it occurs {text.count(old)} times; "
                f"give words that occur once, and others for them. The text:\n{text}"
            )
        text = text.replace(old, new)
    return text


def defined(name: str, text: str, names: dict[str, Any]) -> Callable:
    """What the text defines under a name. It finds `names`, and whatever it defines itself."""
    space = dict(names)
    exec(text, space)
    return space[name]

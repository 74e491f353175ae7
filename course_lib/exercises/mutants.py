"""Functions changed by their text: mutants to find, bugs to plant, mistakes to recognise."""

import inspect
from collections.abc import Callable

HEADER = "import math\n\nimport torch\nimport torch.nn.functional as F\n\n\n"


def source(function: Callable) -> str:
    """The text of a function, which needs nothing but what `HEADER` imports."""
    return inspect.getsource(function)


def mutated(text: str, *changes: str) -> str:
    """The text with words exchanged, wherever they occur: pairs of old and new.

    Raises ValueError when old words do not occur.
    """
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        if old not in text:
            raise ValueError(f"{old!r} is to be changed, and is not there")
        text = text.replace(old, new)
    return text


def defined(text: str, name: str) -> Callable:
    """The function that a text defines."""
    space = {"__name__": "mutant"}
    exec(HEADER + text, space)
    return space[name]


def mutant(function: Callable, *changes: str) -> Callable:
    """A function with words of its text exchanged."""
    return defined(mutated(source(function), *changes), function.__name__)

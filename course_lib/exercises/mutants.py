"""Functions as text: what enters a cell, and mutants for students' tests to find."""

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

"""Arguments that come block by block, each block once, as keys and values come to a GPU's fast
memory, which has room for one block alone."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

ONCE = "blocks gives each block once, and this is a second loop over it"


class KeptBlocks(Exception):
    """A tensor of the answer holds more than one block."""


class Blocks(Iterator[tuple]):
    """Tuples of the next `size` places of each tensor along axis -2; the last may be shorter.

    When the next block is asked for, the one before is written over with nan, so that none is kept
    by chance; not where the blocks `stay`, as gradients need them. A second loop raises
    RuntimeError: it would find nothing.
    """

    def __init__(self, tensors: Sequence[Any], size: int, stay: bool) -> None:
        cut = zip(*(one.split(size, dim=-2) for one in tensors), strict=True)
        self._left = [tuple(part.clone() for part in parts) for parts in cut][::-1]
        self._lent: tuple = ()
        self._stay, self._is_over = stay, False

    def __iter__(self) -> "Blocks":
        if self._is_over:
            raise RuntimeError(ONCE)
        return self

    def __next__(self) -> tuple:
        for part in () if self._stay else self._lent:
            part.fill_(float("nan"))
        self._is_over = not self._left
        if self._is_over:
            raise StopIteration
        self._lent = self._left.pop()
        return self._lent


def takes(answer: Callable, count: int) -> bool:
    """Whether a function can be called with so many arguments by position."""
    try:
        inspect.signature(answer).bind(*[None] * count)
    except Exception:  # a stranger's object
        return False
    return True

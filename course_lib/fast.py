"""The one door from the readable formulas to the fast paths.

A readable module asks here first, and goes on with its formula when the answer is None:

    context = fast.context("scaled_dot", query, key, value, mask, is_causal=True)

The core imports nothing fast: `course_lib.kernels` registers itself, and with `PATHS` empty
everything gives the same numbers, slower. `course_lib.explain` says which path runs, and why.
"""

from collections.abc import Callable

from torch import Tensor

PATHS: dict[str, Callable[..., Tensor | None]] = {}


def register(score: str) -> Callable[[Callable], Callable]:
    """Decorate the function that computes the context of attention with this score."""

    def decorate(path: Callable[..., Tensor | None]) -> Callable[..., Tensor | None]:
        PATHS[score] = path
        return path

    return decorate


def context(score: str, *tensors: Tensor | None, **settings: object) -> Tensor | None:
    """The context by a fast path, or None where the readable formula shall run."""
    return PATHS[score](*tensors, **settings) if score in PATHS else None

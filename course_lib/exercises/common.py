"""What many tasks need: arrays stored in another order, and mistakes that are a small change to a
right answer."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from course_lib.grading.tasks import Mistake, Transposed

# A task of exercises 01 to 03: arrays are NumPy's, and so is the answer.
NUMPY = {"library": "numpy", "refused": ("course_lib", "torch")}


def stored(args: Sequence, *axes: tuple[int, int] | None) -> tuple:
    """The arguments with two axes of each swapped in memory; None leaves one as it is."""
    pairs = zip(args, axes, strict=True)
    return tuple(Transposed(arg, swapped) if swapped else arg for arg, swapped in pairs)


def always_float64(right: Callable) -> Mistake:
    """The answer computes in float64 and forgets to come back."""

    def wide(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return value.astype(np.float64) if value.dtype.kind == "f" else value
        return value.double() if hasattr(value, "double") and value.is_floating_point() else value

    return Mistake(
        "always-float64",
        "Your result is float64 whatever comes in. Keep the dtype of the inputs: avoid "
        "`dtype=float` and arrays that you create without a dtype.",
        lambda *args, **kwargs: right(*map(wide, args), **kwargs),
    )


def changes_input(right: Callable, position: int, name: str) -> Mistake:
    """The answer is right, but it has written into its argument `name`."""

    def answer(*args, **kwargs):
        result = right(*args, **kwargs)
        with torch.no_grad():
            args[position][...] = 1 - args[position]
        return result

    return Mistake(
        f"changes-{name.replace('_', '-')}",
        f"You write into `{name}`, which belongs to the caller (`+=`, `*=` and assignment to "
        f"`{name}[…]` work in place). Make a new array instead.",
        answer,
    )

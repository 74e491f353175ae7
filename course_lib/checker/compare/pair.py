"""A right result and a wrong one of one trial, as everything that relates them sees them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import Array, Transposed

NTH = ("first", "second", "third", "fourth", "fifth")
Relation = tuple[str, str]  # a key, alike in two trials where they are related alike; the sentence


@dataclass(frozen=True, eq=False)
class Pair:
    """One value that is right and the one that came, in its trial."""

    trial: Any
    want: Any
    have: Any
    text: str = ""  # of the answer; "" where it is not known

    @cached_property
    def are_numbers(self) -> bool:
        return isinstance(self.want, int | float) and isinstance(self.have, int | float)

    @cached_property
    def arrays(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Both as arrays; None where they are none, no two numbers with a point, and no lists of
        such numbers."""
        if isinstance(self.want, Array) and isinstance(self.have, Array):
            return self.want.data, self.have.data
        if _of_floats(self.want, float) and _of_floats(self.have, float, int):
            return np.asarray(self.want), np.asarray(self.have, float)
        if self.are_numbers and type(self.want) is float:
            return np.asarray(self.want), np.asarray(float(self.have))
        return None

    @property
    def library(self) -> str:
        return self.want.library if isinstance(self.want, Array) else "numpy"

    @property
    def swap(self) -> str:
        """What makes two axes change places in the library of the result."""
        return "transpose" if self.library == "torch" else "swapaxes"

    @property
    def hidden(self) -> bool:
        """Whether no number of the inputs may be told."""
        return self.trial.case.hidden

    @cached_property
    def given(self) -> dict[str, Any]:
        """The arguments by name."""
        inputs = self.trial.inputs
        values = (*inputs.args, *inputs.kwargs.values())
        return dict(zip(self.trial.names, values, strict=False))

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array that is given by position."""
        arrays = [a.data if isinstance(a, Transposed) else a for a in self.trial.inputs.args]
        pairs = zip(self.trial.names, arrays, strict=False)
        return {name: one.shape for name, one in pairs if isinstance(one, np.ndarray)}

    @property
    def lengths(self) -> list[int]:
        """Of all axes of these, without ones."""
        return sorted({n for shape in self.shapes.values() for n in shape if n > 1})

    @property
    def whole_numbers(self) -> dict[str, int]:
        """The arguments that are whole numbers, no two alike."""
        found = {name: value for name, value in self.given.items() if type(value) is int}
        return found if len(set(found.values())) == len(found) else {}


def _of_floats(value: Any, *kinds: type) -> bool:
    return type(value) is list and bool(value) and all(type(one) in kinds for one in value)


def near(one: Any, other: Any) -> bool:
    """Whether two arrays are the same, and say something: not all zeros."""
    a, b = np.asarray(one), np.asarray(other)
    if a.shape != b.shape or a.dtype.kind == "b":
        return a.shape == b.shape and bool((a == b).all())
    fine = a.dtype == b.dtype == np.float64
    rtol, atol = (1e-7, 1e-9) if fine else (1e-3, 1e-5)
    return bool(a.any()) and np.allclose(a, b, rtol=rtol, atol=atol)


def nth(axis: int, axes: int) -> str:
    return "last axis" if axis == axes - 1 else f"{NTH[axis]} axis"

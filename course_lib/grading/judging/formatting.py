"""Values as a person reads them, for the example in a report."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.grading.inside.inputs import (
    Array,
    Inputs,
    LookupStep,
    Observation,
    Opaque,
    Transposed,
)
from course_lib.grading.inside.values import observe_value
from course_lib.grading.judging.compare import describe
from course_lib.grading.judging.report import Example

SHOWN_ITEMS = 60  # an example with more numbers than this is not shown: nobody reads it


def example(
    inputs: Inputs, names: list[str], expected: Observation, got: Observation
) -> Example | None:
    """Inputs, expected and got side by side; None when they are too large to read."""
    shown = dict(zip(names, (*inputs.args, *inputs.kwargs.values()), strict=False))
    if sum(_count(v) for v in [*shown.values(), expected.value]) > SHOWN_ITEMS or inputs.init:
        return None
    return Example(
        inputs=tuple((name, show(value)) for name, value in shown.items()),
        expected=f"raises {expected.error}" if expected.error else show(expected.value),
        got=f"raises {got.error}" if got.error else show(got.value),
    )


def _count(value: Any) -> int:
    return sum(array.size for array in _arrays(value))


def _arrays(value: Any) -> Iterator[np.ndarray]:
    match value:
        case np.ndarray():
            yield value
        case Array() | Transposed():
            yield value.data
        case LookupStep():
            yield value.table
        case tuple() | list():
            for item in value:
                yield from _arrays(item)


def show(value: Any) -> str:
    """A value as a person reads it: three decimals, at most ten lines."""
    match value:
        case np.ndarray():
            return np.array2string(value, precision=3, suppress_small=True, threshold=80)
        case Array() | Transposed():
            return show(value.data)
        case Opaque():
            return describe(value)
        case LookupStep():
            return f"a step that looks its logits up in\n{show(value.table)}"
        case tuple() | list() if any(isinstance(item, Array | np.ndarray) for item in value):
            return ",\n".join(show(item) for item in value)
        case bool() | int() | float() | str() | None | tuple() | list() | set() | dict():
            text = repr(value)
            return text if len(text) <= 400 else text[:399] + "…"
        case _:
            return describe(observe_value(value))

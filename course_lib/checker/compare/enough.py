"""Whether wrong results hold enough to be no others' by chance."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import Array, Inputs, Observation

FEWEST = 4  # numbers that differ from a right result in which a coincidence is none


def tells(trials: Sequence[Any], seen: Sequence[Observation], these: Sequence[int]) -> bool:
    """Whether these results hold enough to be no others' by chance."""
    numbers = [i for i in these if type(trials[i].expected.value) in (int, float)]
    single = {seen[i].value for i in numbers if type(seen[i].value) in (int, float)} - {0, 1}
    single = {number for number in single if math.isfinite(number)}  # each nan is another
    return len(single) >= FEWEST - 1 or any(_is_distinct(seen[i].value) for i in these)


def _is_distinct(value: Any) -> bool:
    """Whether there is enough in a value to be no other's by chance: what overshoots ends at 0, at
    1 or nowhere, wherever it comes from."""
    if isinstance(value, tuple):
        return any(map(_is_distinct, value))
    if isinstance(value, list):
        return len({*map(repr, value)}) >= FEWEST
    if not isinstance(value, Array):
        return False
    if value.data.dtype.kind != "f":
        fewest = FEWEST if value.data.dtype.kind == "b" else 2 * FEWEST
        return value.data.size >= fewest and bool((value.data != value.data.flat[0]).any())
    return int((~at_an_end(value.data)).sum()) >= FEWEST


def at_an_end(numbers: np.ndarray) -> np.ndarray:
    """Which are 0, 1, nearly so, or not finite: what overshoots ends there."""
    near = np.isclose(numbers, 0, atol=1e-6) | np.isclose(numbers, 1, atol=1e-6)
    return near | ~np.isfinite(numbers)


def is_one_number(
    trials: Sequence[Any], changed: Inputs, given: Inputs, wrong: Sequence[int]
) -> bool:
    """Whether a number is changed that is the same wherever the answer is wrong: then its square,
    its double or a fixed number is what another change of it is, too."""

    def values(of: Inputs) -> list[Any]:
        return [*of.args, *of.kwargs.values()]

    for i, (now, before) in enumerate(zip(values(changed), values(given), strict=True)):
        if type(before) in (int, float) and now is not before:
            there = [values(trials[one].inputs) for one in wrong]
            return len({some[i] for some in there if i < len(some)}) < 2
    return False

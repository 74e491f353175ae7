"""One fixed number: returned whatever the arguments are, or in the place of an argument."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_lib.checker.compare.as_if import explains
from course_lib.checker.compare.enough import FEWEST
from course_lib.checker.run.inputs import Array, Inputs, Observation

ALWAYS = (
    "You return {0} in every call, whatever the arguments are. Perhaps that number stands in your "
    "code: compute it from the arguments."
)
FIXED = (
    "What you return would be right if `{0}` were {1}, which it is wherever your answer is right. "
    "Perhaps that number stands in your code: write `{0}` in its place."
)


def always(trials: Sequence[Any], seen: Sequence[Observation]) -> str | None:
    """The sentence for one number in all calls, which ask for many. A 0 is often what `//` or a
    lost step left of them."""
    asked = {repr(trial.expected.value) for trial in trials}
    given = {one.value if type(one.value) in (int, float) else None for one in seen}
    if len(given) > 1 or len(asked) < FEWEST:
        return None
    (number,) = given
    return ALWAYS.format(number) if number and np.isfinite(number) else None


def fixed(trials: Sequence[Any], seen: Sequence[Observation], wrong: Sequence[int]) -> str | None:
    """The sentence for a number among the arguments that is one and the same wherever the answer is
    right, and with which every wrong result would be right, too."""
    right = [i for i in range(len(trials)) if i not in wrong]
    if not right or not wrong or any(seen[i].error or seen[i].changed for i in wrong):
        return None
    if any(trials[i].inputs.init is not None or trials[i].inputs.examiner for i in wrong):
        return None
    told = [trials[i] for i in right if not trials[i].case.hidden]
    for k, name in enumerate(trials[0].names):
        values = {trial.inputs.args[k] for trial in told if _has_number(trial, k)}
        if len(values) != 1 or not all(_has_number(trials[i], k) for i in (*right, *wrong)):
            continue
        (value,) = values
        others = {trials[i].inputs.args[k] for i in right} | {value}
        if len(others) > 1 or any(trials[i].inputs.args[k] == value for i in wrong):
            continue
        if sum(map(_count, (seen[i].value for i in wrong))) >= FEWEST and all(
            explains(trials[i], _with_number(trials[i].inputs, k, value), seen[i]) for i in wrong
        ):
            return FIXED.format(name, value)
    return None


def _has_number(trial: Any, k: int) -> bool:
    return k < len(trial.inputs.args) and type(trial.inputs.args[k]) in (int, float)


def _with_number(given: Inputs, k: int, value: float) -> Inputs:
    return replace(given, args=(*given.args[:k], value, *given.args[k + 1 :]))


def _count(value: Any) -> int:
    """Numbers in a result."""
    if isinstance(value, tuple | list):
        return sum(map(_count, value))
    return value.data.size if isinstance(value, Array) else type(value) in (int, float)

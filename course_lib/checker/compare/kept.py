"""An answer that keeps something between calls gives what was right for an earlier one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.enough import at_an_end
from course_lib.checker.run.inputs import Array, Inputs, Observation

KEPT = (
    "Your result is what is right for an earlier call. Something is kept between calls, in a "
    "variable outside the function or in a default argument: make it anew from the arguments."
)
LEFT = (
    "Your list still holds what earlier calls put in. It is made once, outside the function or as "
    "a default argument: make it inside the function."
)


def kept(trials: Sequence[Any], seen: Sequence[Observation], wrong: Sequence[int]) -> str | None:
    """The sentence for an answer that gives what was right for an earlier call."""
    for i in wrong:
        want, have = trials[i].expected.value, seen[i].value
        for before in (trial.expected.value for trial in trials[:i]):
            drawn = _is_drawn(trials[i].inputs)
            if drawn and _tells(have) and equal(before, have) and not equal(want, before):
                return KEPT
            lists = isinstance(want, list) and type(have) is list and before and want
            if lists and have[: len(before)] == before and have[-len(want) :] == want:
                return LEFT
    return None


def _is_drawn(inputs: Inputs) -> bool:
    """Whether no other call is soon the same: what follows from a few whole numbers, such as a
    length, is right for a call with other ones where an answer is wrong by one."""
    given = (*(inputs.init or ()), *inputs.args, *inputs.kwargs.values())
    return any(not isinstance(one, int | float | bool | str | None) for one in given)


def _tells(value: Any) -> bool:
    """Whether a value holds enough to be no other's by chance: whole numbers are soon the same, and
    weights that are nearly 0 and 1."""
    if isinstance(value, tuple):
        return any(map(_tells, value))
    if not isinstance(value, Array):
        return False
    if value.data.dtype.kind == "f":
        return len(np.unique(value.data[~at_an_end(value.data)])) > 3
    return len(np.unique(value.data)) > 7


def equal(want: Any, have: Any) -> bool:
    return not difference(Observation(value=want), Observation(value=have), [])

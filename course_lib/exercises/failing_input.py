"""An input on which an answer is wrong, as a student gives it: a stranger's answer, or a program
with a bug. Whether it is allowed, and whether the answer differs there from the right one.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from course_lib.checker.compare.difference import same_behaviour
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Array, Inputs, Observation
from course_lib.exercises.allowed import Argument, why_not_allowed

NO_RESULT = "`{0}` has no finite result there; choose other numbers."


def allowed_inputs(
    takes: Mapping[str, Argument], given: tuple, also: Callable[..., str] | None
) -> Inputs | str:
    """What an answer is called with, floats as float64; or the sentence that refuses the arguments,
    which are plain data. `also` gets them and says what else is not allowed; "" for nothing."""
    if problem := why_not_allowed(takes, given):
        return problem
    args = tuple(map(_as_input, given))
    return (also(*args) if also else "") or Inputs(args)


def seen_on(
    reference: Callable, answer: Callable, inputs: Inputs, library: str
) -> tuple[Observation, Observation] | None:
    """What the reference and an answer return, without what they did besides; None where the
    reference has no finite result."""
    right = execute(reference, inputs, library)
    if right.error or not _finite(right.value):
        return None
    got = execute(answer, inputs, library)
    return Observation(right.value), Observation(got.value, got.error, got.message)


def differ(right: Observation, got: Observation) -> bool:
    """Whether they differ by more than rounding in float32 would."""
    return not same_behaviour(right, got, width=False)


def _as_input(value: Any) -> Any:
    if not isinstance(value, Array):
        return value
    return value.data.astype(np.float64) if value.data.dtype.kind == "f" else value.data


def _finite(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(map(_finite, value))
    if isinstance(value, Array):
        return bool(np.isfinite(value.data).all())
    return not isinstance(value, float) or bool(np.isfinite(value))

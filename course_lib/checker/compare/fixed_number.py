"""One fixed number: returned whatever the arguments are, or in the place of an argument."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_lib.checker.compare.as_if import explains
from course_lib.checker.compare.enough import FEWEST
from course_lib.checker.run.inputs import Array, Inputs, Observation
from course_lib.checker.tasks.sampler import Sampler

ALWAYS = (
    "You return {0} in every call, whatever the arguments are. Perhaps that number stands in your "
    "code: compute it from the arguments."
)
FIXED = (
    "What you return would be right if `{0}` were {1}, {2}. Perhaps that number stands in your "
    "code: write `{0}` in its place."
)
WHEREVER = "which it is wherever your answer is right"
AS_SHOWN = "as it is in the example"


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
    """The sentence for a number among the arguments with which every result would be right: the one
    and only in the cases that are shown and right, or the example's."""
    right = [i for i in range(len(trials)) if i not in wrong]
    if not right or not wrong or any(seen[i].error or seen[i].changed for i in wrong):
        return None
    if any(trials[i].inputs.init is not None or trials[i].inputs.examiner for i in wrong):
        return None
    if sum(map(_count, (seen[i].value for i in wrong))) < FEWEST:
        return None
    if any(explains(trials[i], trials[i].inputs, seen[i]) for i in wrong):
        return None  # what is returned is right: something else is wrong, such as the way back
    example = _example(trials[0].task)
    for k, name in enumerate(trials[0].names):
        given = [_number(trial.inputs, k) for trial in trials]
        shown = {given[i] for i in right if not trials[i].case.hidden}
        value = next(iter(shown)) if len(shown) == 1 else example and _number(example, k)
        if value is None or None in given or value in {given[i] for i in wrong}:
            continue
        others = [i for i in range(len(trials)) if given[i] != value]
        if all(explains(trials[i], _with(trials[i].inputs, k, value), seen[i]) for i in others):
            said = WHEREVER if len({given[i] for i in right}) == 1 else AS_SHOWN
            return FIXED.format(name, value, said)
    return None


def _example(task: Any) -> Inputs | None:
    """What the example of the text calls the answer with, which is itself not asked for a cause."""
    case = next((case for case in task.cases if case.is_example), None)
    return case and case.inputs(Sampler(0, case.sizes[0], case.dtypes[0]))


def _number(given: Inputs, k: int) -> int | float | None:
    """The number that is the argument k, counted through those with and then those by name."""
    values = (*given.args, *given.kwargs.values())
    return values[k] if k < len(values) and type(values[k]) in (int, float) else None


def _with(given: Inputs, k: int, value: int | float) -> Inputs:
    if k < len(given.args):
        return replace(given, args=(*given.args[:k], value, *given.args[k + 1 :]))
    name = [*given.kwargs][k - len(given.args)]
    return replace(given, kwargs={**given.kwargs, name: value})


def _count(value: Any) -> int:
    """Numbers in a result."""
    if isinstance(value, tuple | list):
        return sum(map(_count, value))
    return value.data.size if isinstance(value, Array) else type(value) in (int, float)

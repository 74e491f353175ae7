"""What makes a program of lab 2 a task: the bug that is planted, and wrong ways to repair it."""

import inspect
from collections.abc import Callable, Sequence

from course_lib.checker.tasks import Cases, Mistakes, Sampler, Task, task
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.find_the_bug.words import WORDS

MOST_CHANGES = 2  # lines


def bug(
    mistakes: Mistakes,
    planted: Sequence[str],
    points: int,
    cases: Sequence[tuple[str, Callable[[Sampler], tuple]]],
    hints: tuple[str, str, str],
    dtypes: tuple[str, ...] = ("float64", "float32"),
) -> Task:
    """A task: repair a program from what `planted` (old words, new words, …) makes of it.

    Every second case is hidden. Where arrays are floating, two general mistakes are added.
    """
    program = mistakes.reference
    case = Cases(dtypes=dtypes)
    for i, (name, draw) in enumerate(cases):
        (case.hidden if i % 2 else case)(name, draw)
    if len(dtypes) == 2:
        always_float64(mistakes)
        changes_input(mistakes, next(iter(inspect.signature(program).parameters)))
    idea, cost = WORDS[program.__name__]
    original = mistakes.reworded(*planted)
    told = {"idea": idea, "cost": cost, "original": original, "most_changes": MOST_CHANGES}
    return task(mistakes, points, case.all, hints, **told)

"""What makes a program of lab 2 a task: the bug that is planted, and wrong ways to repair it."""

import functools
import inspect
import re
from collections.abc import Callable, Sequence

from course_lib.checker.tasks import Cases, Mistakes, Sampler, Task, rewritten, task
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.find_the_bug.few_changes import few_changes
from course_lib.exercises.find_the_bug.ideas import IDEAS

MOST_CHANGES = 2  # lines
WITHOUT = {
    "example": "The program is given and runs: to find an input is the student's part.",
    "*": "What is given is right but for its bugs, and a repair changes two lines.",
}
HALF = 0.5  # of a point, for the evidence as for the repair


def bug(
    mistakes: Mistakes,
    planted: Sequence[str],
    cases: Sequence[tuple[str, Callable[[Sampler], tuple]]],
    hints: tuple[str, str, str],
    dtypes: tuple[str, ...] = ("float64", "float32"),
) -> Task:
    """A task of half a point: repair a program from what `planted` (old words, new words, …) makes
    of it.

    Every second case is hidden. Where arrays are floating, two general mistakes are added.
    """
    program = mistakes.reference
    case = Cases(dtypes=dtypes)
    for i, (name, draw) in enumerate(cases):
        (case.hidden if i % 2 else case)(name, draw)
    if len(dtypes) == 2:
        always_float64(mistakes)
        changes_input(mistakes, next(iter(inspect.signature(program).parameters)))
    idea, cost = IDEAS[program.__name__]
    original = rewritten(mistakes.text, *planted)
    described = {"idea": idea, "cost": cost, "original": original, "without": WITHOUT}
    rule = few_changes(original, MOST_CHANGES, mistakes.text)
    return task(mistakes, HALF, case.all, hints, rule=rule, **described)


class Program(Mistakes):
    """The mistakes of a program of several functions that stands in a module of its own: its text
    is all that the module has below its imports. So each function calls the changed ones."""

    @functools.cached_property
    def text(self) -> str:
        source = inspect.getsource(inspect.getmodule(self.reference))
        imports = [line for line in source.split("\n") if re.match(r"import |from ", line)]
        return source.partition(f"\n{imports[-1]}\n")[2].strip() + "\n"


def bugs(
    mistakes: Program,
    planted: Sequence[str],
    sound: Callable[[Sampler], tuple],
    draws: Sequence[Callable[[Sampler], tuple]],
    hints: tuple[str, str, str],
) -> Task:
    """A task of one point: repair a program with as many bugs as there are `draws`. Each of these
    is a hidden case that shows one bug and is blind to the others; the report counts them and does
    not tell them apart. `sound` shows none of them: a repair must leave it as it is."""
    case = Cases(dtypes=("float64",), atol=1e-7)
    case("what was right still is", sound, required=True)
    for number, draw in enumerate(draws, 1):
        case.hidden(f"bug {number}", draw)
    idea, cost = IDEAS[mistakes.reference.__name__]
    original = rewritten(mistakes.text, *planted)
    return task(
        mistakes,
        1,
        case.all,
        hints,
        idea=idea,
        cost=cost,
        original=original,
        without=WITHOUT,
        rule=few_changes(original, len(draws) + 1, mistakes.text),  # moved lines are not counted
        credit="by case",
        counts=("", "runs that show one bug each are right"),
        unnamed="a run that shows one bug",
    )

"""What makes a program of lab 2 a task: the bug that is planted, and wrong ways to repair it."""

from collections.abc import Callable, Sequence

from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.find_the_bug.words import WORDS
from course_lib.exercises.mutants import mutant, mutated, source
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task

MOST_CHANGES = 2  # lines


def bug(
    program: Callable,
    points: int,
    planted: Sequence[str],
    symptom_stays: str,
    wrong: Sequence[tuple[str, ...]],
    cases: Sequence[tuple[str, Callable[[Sampler], tuple]]],
    hints: tuple[str, str, str],
    dtypes: tuple[str, ...] = ("float64", "float32"),
) -> Task:
    """A task: repair `program` from what `planted` (old words, new words, …) makes of it.

    `wrong` are other wrong repairs: name, sentence, and how the right text is changed. Every second
    case is hidden. Where arrays are floating, two general mistakes are added.
    """
    floats = len(dtypes) == 2
    idea, cost = WORDS[program.__name__]
    return Task(
        name=program.__name__,
        points=points,
        reference=program,
        idea=idea,
        cost=cost,
        cases=tuple(_case(*case, i % 2 == 1, dtypes) for i, case in enumerate(cases)),
        mistakes=(
            Mistake("as-it-was", symptom_stays, mutant(program, *planted)),
            *(Mistake(name, said, mutant(program, *how)) for name, said, *how in wrong),
            *([always_float64(program), _first_changed(program)] if floats else []),
        ),
        hints=hints,
        original=mutated(source(program), *planted),
        most_changes=MOST_CHANGES,
    )


def _case(name: str, draw: Callable[[Sampler], tuple], hidden: bool, dtypes: tuple) -> Case:
    return Case(name, lambda s: Inputs(draw(s)), hidden=hidden, dtypes=dtypes)


def _first_changed(program: Callable) -> Mistake:
    return changes_input(program, 0, program.__code__.co_varnames[0])

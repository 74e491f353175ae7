"""Lab 3: write tests that accept every right attention and refuse its mutants."""

from collections.abc import Callable

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.write_the_test.attention import TASK as ATTENTION
from course_lib.exercises.write_the_test.cache import TASK as CACHE
from course_lib.exercises.write_the_test.candidates import mutant as _mutant
from course_lib.exercises.write_the_test.causal import TASK as CAUSAL

WRITTEN = (
    Written(
        "the_input_that_found_it",
        4,
        "Choose one mutant that survived your first version. Which input refuses it, and why do "
        "all the inputs that you had before accept it?",
        (
            "1: names a mutant and an input that refuses it",
            "1: the input is small, or says which of its properties matters",
            "2: explains why the earlier inputs could not show it, by what the mutant computes on "
            "them",
        ),
    ),
    Written(
        "the_tolerance",
        3,
        "Which tolerance do you compare with? What goes wrong with 0, and what with 0.1? Find both "
        "answers by trying.",
        (
            "1: with 0, right implementations are refused, because sums in another order round "
            "differently",
            "1: with 0.1, a mutant is named that survives",
            "1: the tolerance chosen lies between the two, with a reason",
        ),
    ),
    Written(
        "what_no_test_finds",
        3,
        "Describe a wrong implementation that your test accepts, and that no larger number of "
        "random inputs would make it refuse. What would you do about it?",
        (
            "2: an implementation that is wrong where the test never looks: longer inputs, another "
            "device, time, memory, a state kept between calls",
            "1: a remedy that fits: another input, a stated range, reading the code",
        ),
    ),
)
EXERCISE = Exercise("lab_3_write_the_test", "Write the test", (ATTENTION, CAUSAL, CACHE), WRITTEN)


def mutant(test: str, name: str) -> Callable:
    """A mutant that the report on a test names: `mutant("test_attention", "the mask is ignored")`.

    Raises ValueError where no public mutant of that test has the name.
    """
    tasks = {task.name: task for task in EXERCISE.tasks}
    if test not in tasks:
        raise ValueError(f"{test!r} is no test of this lab; its tests are {', '.join(tasks)}")
    return _mutant(tasks[test], name)

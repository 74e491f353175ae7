"""What is said of a test in lab 3 by the mutants that survive it together."""

import pytest

from course_lib.exercises.write_the_test import attention, cache, causal, survivors
from course_lib.exercises.write_the_test.candidates import ACCEPTS, REFUSES
from course_lib.exercises.write_the_test.survivors import ONLY_WRONG, ROUNDING, of_survivors

ROOMS = (
    (attention, survivors.ATTENTION),
    (causal, survivors.CAUSAL),
    (cache, survivors.CACHE),
)


@pytest.mark.parametrize(("module", "groups"), ROOMS)
def test_each_group_is_of_mutants_and_is_said_where_they_survive(module, groups):
    mutants = {name for name, *_ in module.MUTANTS}
    of_cases = module.TASK.of_cases
    for names, says in groups.items():
        assert mutants >= {*names}
        assert of_cases({f"{REFUSES}{name}" for name in names}) == says
        assert of_cases({f"{REFUSES}{name}" for name in names[1:]}) != says


def test_a_test_that_refuses_what_is_right_is_told_of_that_first():
    of_cases = of_survivors(survivors.CAUSAL, 2)
    one, two, mutant = f"{ACCEPTS}a", f"{ACCEPTS}b", f"{REFUSES}nothing is masked"
    assert of_cases({one, mutant}) == ROUNDING
    said = of_cases({one, two, mutant})
    assert said == ONLY_WRONG.format("the mutant “nothing is masked”")
    more = {f"{REFUSES}{letter}" for letter in "abcdef"}
    said = of_cases({one, two, *more})
    assert said == ONLY_WRONG.format("the mutants “a”, “b”, “c”, “d”")
    assert of_cases({one, two}) is None and of_cases({mutant}) is None

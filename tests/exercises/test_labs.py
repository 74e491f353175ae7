"""The labs: what they plant is what they say."""

import pytest

from course_lib.exercises import write_the_test
from course_lib.exercises.mutants import mutated
from course_lib.grading.judging.judge import draw_trials


@pytest.mark.parametrize("task", write_the_test.EXERCISE.tasks, ids=lambda task: task.name)
def test_the_course_s_own_test_refuses_mutants_and_nothing_else(task):
    for trial in draw_trials(task, 0):
        assert trial.expected.value.refused is not trial.case.required, trial.case.name
    assert sum(case.required for case in task.cases) == 5
    assert sum(not case.required for case in task.cases) >= 25


def test_a_mutant_that_changes_nothing_is_an_error():
    with pytest.raises(ValueError, match="'sqrt' is to be changed, and is not there"):
        mutated("def f(): ...", "sqrt", "")

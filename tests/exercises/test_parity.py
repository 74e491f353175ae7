"""What `check` says is what the class gets: every known mistake and every right answer gets the
same verdict from the frame that a cell sends as in the notebook."""

import sys

import pytest

from course_lib.exercises import CATALOGUE
from course_lib.grading.judging.judge import draw_trials, judge, observe
from course_lib.grading.sandbox.results import read_observations
from tests.exercises.test_proofs import ALTERNATIVES

if sys.platform == "win32":
    pytest.skip("a cell's limits are Unix's", allow_module_level=True)
from course_lib.grading.inside.cell import _frame


@pytest.mark.slow
@pytest.mark.parametrize("task", CATALOGUE.tasks.values(), ids=CATALOGUE.tasks)
def test_every_answer_is_judged_alike_here_and_in_the_class(task):
    trials = draw_trials(task, 3)
    wrong = [mistake.answer for mistake in task.mistakes]
    for answer in (task.reference, *ALTERNATIVES.get(task.name, []), *wrong):
        seen = observe(answer, trials)
        there = read_observations(_frame(seen), len(trials))
        assert str(judge(task, trials, there)) == str(judge(task, trials, seen))

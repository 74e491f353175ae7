"""What `check` says is what the class gets: every known mistake and every right answer gets the
same verdict from the frame that a cell sends as in the notebook."""

import sys

import pytest

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE
from grader.sandbox.results import read_observations
from tests.exercises.test_proofs import ALL, alternatives

if sys.platform == "win32":
    pytest.skip("a cell's limits are Unix's", allow_module_level=True)
from grader.sandbox.inside.cell import _frame


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "name"), ALL, ids=[name for _, name in ALL])
def test_every_answer_is_judged_alike_here_and_in_the_class(stem, name, judged_once):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 3)
    wrong = [mistake.answer for mistake in task.mistakes]
    for answer in (task.reference, *alternatives(stem, name), *wrong):
        seen = observe(answer, trials)
        there = read_observations(_frame(seen), len(trials))
        assert str(judge(task, trials, there)) == str(judge(task, trials, seen))

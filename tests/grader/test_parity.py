"""What `check` says is what the class gets: every known mistake and every right answer gets the
same verdict from the frame that a cell sends as in the notebook."""

import sys
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.run.values import same_bits
from course_lib.exercises import CATALOGUE
from grader.sandbox.results import read_observations
from tests.exercises.test_proofs import ALL, alternatives

if sys.platform == "win32":
    pytest.skip("a cell's limits are Unix's", allow_module_level=True)
from grader.sandbox.inside.cell import _frame

pytestmark = pytest.mark.usefixtures("as_a_user")


def same(a, b):
    """Whether two observations say the same to the last bit, so that a judge cannot differ."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return same_bits(a, b)
    if is_dataclass(a):
        return all(same(getattr(a, one.name), getattr(b, one.name)) for one in fields(a))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return repr(a) == repr(b)  # NaN is itself, and -0.0 is not 0.0


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "name"), ALL, ids=[name for _, name in ALL])
def test_every_answer_is_judged_alike_here_and_in_the_class(stem, name, subtests, judged_once):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 3)
    right = [(answer.__name__, answer) for answer in (task.reference, *alternatives(stem, name))]
    wrong = [(mistake.name, mistake.answer) for mistake in task.mistakes]
    for title, answer in right + wrong:
        with subtests.test(title):
            seen = observe(answer, trials)
            there = read_observations(_frame(seen), len(trials))
            if not same(there, seen):
                assert str(judge(task, trials, there)) == str(judge(task, trials, seen))

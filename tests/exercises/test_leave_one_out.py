"""What a slip that nobody listed is told: each mistake is judged without its own sentence, and no
other mistake may be asserted of it."""

import random
from dataclasses import replace

import pytest

from course_lib.checker.compare.judge import draw_trials, judge
from course_lib.exercises import CATALOGUE
from tests.exercises.test_proofs import STEMS

pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]
NAMES = [name for _, name in STEMS if CATALOGUE.tasks[name].mistakes]
DRAWN = 2  # mistakes of a task; nightly takes all


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("drawn", [DRAWN, pytest.param(None, marks=pytest.mark.nightly)])
def test_no_other_mistake_is_asserted(name, drawn, subtests, judged_once, record_property):
    task, silent = CATALOGUE.tasks[name], 0
    trials = draw_trials(task, 0)
    few = random.Random(name).sample(task.mistakes, min(DRAWN, len(task.mistakes)))
    for left_out in few if drawn else task.mistakes:
        rest = tuple(one for one in task.mistakes if one.sentence != left_out.sentence)
        seen = [judged_once(left_out.answer, trial.inputs, task.library) for trial in trials]
        report = judge(replace(task, mistakes=rest), trials, seen)
        silent += report.diagnosis is None
        with subtests.test(left_out.name):
            assert report.mistake is None, report
    record_property("heard nothing", silent)

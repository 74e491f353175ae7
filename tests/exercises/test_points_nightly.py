"""The points of a wrong answer do not hang on the draw: a class grade is one draw. By property they
might; all or nothing they cannot, for every known mistake fails in every draw (`test_proofs.py`).
"""

import pytest

from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.judge import draw_trials
from course_lib.checker.run.execute import execute
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks.task import BY_PROPERTY
from course_lib.exercises import CATALOGUE

pytestmark = [pytest.mark.nightly, pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]
SEEDS = range(5)
ASKED = [name for name in CATALOGUE.tasks if not CATALOGUE.tasks[name].judge]
# What is wrong by less than a comparison sees: by one part in 10⁹, or where one weight is nearly 1.
# Some draws show it in a case more; the points then differ by half a point, or by one.
TOO_SMALL = {
    "BahdanauAttention": "1e-12 1e-09 1e9 1e12",
    "scaled_dot_product_attention": "divided-again-and-small",
    "streaming_attention": "scaled-by",
    "attention_backward": "scaled-by-the-number-of-queries",
    "top_p": "top-k softmax-again",
}


def score(task, mistake, trials):
    held = {}
    for trial in trials:
        if held.get(trial.case.name, True):
            done = execute(mistake.answer, trial.inputs, task.library)
            limits = trial.case.atol, trial.case.within
            held[trial.case.name] = not difference(trial.expected, done, [], *limits)
    cases = (CaseResult(one.name, held[one.name], required=one.required) for one in task.cases)
    return Report(task.name, task.points, tuple(cases), credit=BY_PROPERTY).score


@pytest.mark.parametrize("name", ASKED)
def test_a_mistake_is_worth_the_same_in_every_draw_and_half_at_most(name, subtests):
    task = CATALOGUE.tasks[name]
    drawn = [draw_trials(task, seed) for seed in SEEDS]
    for mistake in task.mistakes:
        with subtests.test(mistake.name):
            scores = [score(task, mistake, trials) for trials in drawn]
            assert task.credit == "by case" or 2 * max(scores) <= task.points
            small = any(part in mistake.name for part in TOO_SMALL.get(name, "").split())
            assert max(scores) - min(scores) <= (1 if small else 0), scores


@pytest.mark.parametrize("name", sorted(CATALOGUE.tasks.keys() - ASKED))
def test_a_task_with_a_judge_of_its_own_draws_nothing(name):
    """What differs from student to student hangs on the name in the answer alone."""
    one, other = (
        [
            (trial.inputs.args, trial.inputs.kwargs)
            for trial in draw_trials(CATALOGUE.tasks[name], n)
        ]
        for n in (0, 1)
    )
    assert one == other

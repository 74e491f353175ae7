"""The checker is proved against right and wrong answers, one test for each task: its failing
subtests name the answers. Right ones that differ from the reference stand in
`solutions/alternatives`; wrong ones are the task's own mistakes. What an answer did also gets the
same verdict from the frame in which a cell of the class would send it.
"""

import os
import re
import sys
from importlib import import_module

import pytest

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.run.execute import execute
from course_lib.exercises import CATALOGUE, TASKS

if sys.platform == "linux":  # a class is graded nowhere else
    from tests.grader.parity import assert_judged_alike
else:
    assert_judged_alike = None

# Annotations are checked where the checker itself is tested; here they would take most of the time.
pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]
SEEDS = range(int(os.environ.get("PROOF_SEEDS", 1)))  # nightly takes five
ALL = [(stem, name) for stem, names in TASKS.items() for name in names.split()]
ASKED = os.environ.get("PROOF_TASKS", "").split()  # of those that `make quick` asks for
# A task with a judge of its own has no right answer to compare with, and a test of its own.
STEMS = [
    (stem, name)
    for stem, name in ALL
    if not CATALOGUE.tasks[name].judge and (not ASKED or name in ASKED)
]


def alternatives(stem, name):
    """Right answers to a task, written otherwise than the reference."""
    folder = re.sub(r"^(lab_)?\d+_", "", stem)
    return import_module(f"solutions.alternatives.{folder}").ALTERNATIVES.get(name, [])


def report_on(task, answer, seed):
    trials = draw_trials(task, seed)
    return judge(task, trials, observe(answer, trials))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("stem", "name"), STEMS, ids=[name for _, name in STEMS])
def test_right_answers_pass_and_each_mistake_is_named(stem, name, seed, subtests, judged_once):
    task, caught = CATALOGUE.tasks[name], set()
    trials = draw_trials(task, seed)
    for answer in (task.reference, *alternatives(stem, name)):
        with subtests.test(f"{name}: {answer.__name__} is right"):
            seen = observe(answer, trials)
            report = judge(task, trials, seen)
            assert report.passed and report.score == task.points, report
            if assert_judged_alike:
                assert_judged_alike(task, trials, seen)
    for mistake in task.mistakes:
        with subtests.test(f"{name}: {mistake.name}"):
            run = execute if seed else judged_once  # with another seed each runs once more
            seen = [run(mistake.answer, trial.inputs, task.library) for trial in trials]
            report = judge(task, trials, seen)
            caught |= {case.name for case in report.cases if not case.passed}
            assert not report.passed
            assert not [got.message for got in seen if got.error == "NameError"]  # a bad change
            by_case = task.credit == "by case"
            assert report.score < task.points if by_case else report.score == 0
            assert report.mistake == mistake.name, report
            assert report.diagnosis == mistake.sentence
            if assert_judged_alike:
                assert_judged_alike(task, trials, seen)
    with subtests.test(f"{name}: every case catches a mistake"):
        hidden = {case.name for case in task.cases if case.hidden} if task.unnamed else set()
        names = {case.name for case in task.cases} - hidden
        assert seed or caught == names | ({task.unnamed} if hidden else set())
    with subtests.test(f"{name}: the reference raises only where the case says so"):
        for trial in trials:
            says_so = "refused" in trial.case.name
            assert bool(trial.expected.error) == says_so, (trial.case.name, trial.expected)


@pytest.mark.parametrize(("stem", "name"), STEMS, ids=[name for _, name in STEMS])
def test_the_task_is_complete(stem, name):
    task = CATALOGUE.tasks[name]
    names = [case.name for case in task.cases]
    assert len(set(names)) == len(names)
    assert 0 < sum(case.hidden for case in task.cases) < len(names)
    assert len({mistake.name for mistake in task.mistakes}) == len(task.mistakes) >= 5
    assert len(task.hints) == 3
    assert len(alternatives(stem, name)) >= 2


@pytest.mark.parametrize("stem", TASKS)
def test_an_exercise_is_worth_ten_points_and_has_the_tasks_of_the_list(stem):
    exercise = CATALOGUE.exercises[stem]
    assert [task.name for task in exercise.tasks] == TASKS[stem].split()
    assert exercise.max_score == 10
    is_lab = exercise.stem.startswith("lab_")  # as much again is marked by a person
    words = sum(one.points for one in exercise.written)
    assert words == 10 if is_lab else words <= 2  # what was measured is explained, in short

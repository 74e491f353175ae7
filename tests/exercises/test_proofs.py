"""The checker is proved against right and wrong answers, for every task of the catalogue.

Right answers that differ from the reference are kept in `alternatives/`, one file an exercise;
wrong ones are the task's own mistakes.
"""

import re
import runpy
from functools import cache
from pathlib import Path

import pytest

from course_lib.exercises import CATALOGUE
from course_lib.grading.judging.judge import draw_trials, judge, observe

SEEDS = range(5)
TASKS = list(CATALOGUE.tasks.values())
MISTAKES = [(task, mistake) for task in TASKS for mistake in task.mistakes]


def load_alternatives(stem):
    name = re.sub(r"^(lab_)?\d+_", "", stem)
    path = Path(__file__).parent / "alternatives" / f"{name}.py"
    return runpy.run_path(str(path))["ALTERNATIVES"]


ALTERNATIVES = {
    task: answers
    for stem in CATALOGUE.exercises
    for task, answers in load_alternatives(stem).items()
}
RIGHT = [(task, answer) for task in TASKS for answer in ALTERNATIVES.get(task.name, [])]


@cache
def trials_of(name, seed):
    return draw_trials(CATALOGUE.tasks[name], seed)


def report_on(task, answer, seed):
    trials = trials_of(task.name, seed)
    return judge(task, trials, observe(answer, trials))


def task_and_name(pairs):
    return [f"{task.name}-{getattr(x, 'name', None) or x.__name__}" for task, x in pairs]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_reference_passes(task, seed):
    report = report_on(task, task.reference, seed)
    assert report.passed, report
    assert report.score == task.points


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_reference_raises_only_where_the_case_says_so(task):
    for trial in trials_of(task.name, 0):
        says_so = "refused" in trial.case.name
        assert bool(trial.expected.error) == says_so, (trial.case.name, trial.expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("task", "answer"), RIGHT, ids=task_and_name(RIGHT))
def test_a_right_answer_written_differently_passes(task, answer, seed):
    report = report_on(task, answer, seed)
    assert report.passed, report


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("task", "mistake"), MISTAKES, ids=task_and_name(MISTAKES))
def test_a_mistake_fails_and_is_recognised(task, mistake, seed):
    report = report_on(task, mistake.answer, seed)
    assert not report.passed
    assert report.score < task.points if task.by_case else report.score == 0
    assert report.mistake == mistake.name, report
    assert report.diagnosis == mistake.sentence


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_case_catches_a_mistake(task):
    caught = set()
    for mistake in task.mistakes:
        report = report_on(task, mistake.answer, seed=0)
        caught |= {case.name for case in report.cases if not case.passed}
    assert caught == {case.name for case in task.cases}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_task_is_complete(task):
    names = [case.name for case in task.cases]
    assert len(set(names)) == len(names)
    assert 0 < sum(case.hidden for case in task.cases) < len(names)
    assert len({mistake.name for mistake in task.mistakes}) == len(task.mistakes) >= 5
    assert len(task.hints) == 3
    assert len(ALTERNATIVES.get(task.name, [])) >= 2


@pytest.mark.parametrize("exercise", CATALOGUE.exercises.values(), ids=lambda e: e.stem)
def test_an_exercise_is_worth_ten_points(exercise):
    assert exercise.max_score == 10
    is_lab = exercise.stem.startswith("lab_")  # as much again is marked by a person
    assert sum(one.points for one in exercise.written) == 10 * is_lab

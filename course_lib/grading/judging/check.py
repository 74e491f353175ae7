"""`check`: an answer in the student's own notebook against the task that carries its name."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from course_lib.grading.inside.answers import REFUSED
from course_lib.grading.inside.inputs import Observation
from course_lib.grading.judging.changes import hold_to_original
from course_lib.grading.judging.judge import draw_trials, judge, observe
from course_lib.grading.judging.limits import TimeLimit, within_limits
from course_lib.grading.judging.origins import leaning, not_sent, source_of
from course_lib.grading.judging.report import CaseResult, Report
from course_lib.grading.tasks.catalogue import Catalogue, name_of
from course_lib.grading.tasks.task import Task

NOT_SENT = (
    "{names} is defined in a cell that does more than define, which is not run when you hand in. "
    "Put the definition into the answer's cell, or into one that only defines."
)


def check_answer(catalogue: Catalogue, answer: Any, seed: int | None = None) -> Report:
    """Check an answer (a function or a class) against the task that carries its name.

    Inputs are new at each call unless `seed` is given. Never raises: what cannot be checked
    gets a report that says why.
    """
    task, problem = catalogue.task_of(answer)
    if problem:
        points = task.points if task else 0
        case = CaseResult("what was given", False, problem)
        return Report(task.name if task else name_of(answer), points, (case,))
    trials = draw_trials(task, secrets.randbits(63) if seed is None else seed)
    if package := _safely(lambda one: leaning(one, task.refused), answer):
        refused = Observation(error="ImportError", message=REFUSED[package])
        return judge(task, trials, [refused] * len(trials))
    too_slow = [Observation(error=TimeLimit.__name__)] * len(trials)
    report = judge(task, trials, within_limits(lambda: observe(answer, trials), too_slow))
    report = hold_to_original(task, report, _safely(source_of, answer) or "")
    lost = _safely(not_sent, answer)
    if lost:
        names = ", ".join(f"`{name}`" for name in lost)
        report = replace(report, notes=(*report.notes, NOT_SENT.format(names=names)))
    advice = _advice(task, answer)
    if not advice:
        return report
    refused = CaseResult("the rule of this task", False, advice)
    return replace(report, cases=(*report.cases, refused))


def _safely(question: Callable[[Any], Any], answer: Any) -> Any:
    """The answer to a question about an answer; None where its objects do not let themselves be
    asked."""
    try:
        return question(answer)
    except Exception:
        return None


def _advice(task: Task, answer: Any) -> str | None:
    try:
        return task.advice(answer) if task.advice else None
    except Exception:  # advice reads the answer's source, which may not be there
        return None

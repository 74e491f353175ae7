"""`check`: an answer in the student's own notebook against the task that carries its name."""

import secrets
from dataclasses import replace
from typing import Any

from course_lib.grading.judging.judge import draw_trials, judge, observe
from course_lib.grading.judging.report import CaseResult, Report
from course_lib.grading.tasks.catalogue import Catalogue, name_of
from course_lib.grading.tasks.task import Task


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
    report = judge(task, trials, observe(answer, trials))
    advice = _advice(task, answer)
    if not advice:
        return report
    refused = CaseResult("the rule of this task", False, advice)
    return replace(report, cases=(*report.cases, refused))


def _advice(task: Task, answer: Any) -> str | None:
    try:
        return task.advice(answer) if task.advice else None
    except Exception:  # advice reads the answer's source, which may not be there
        return None

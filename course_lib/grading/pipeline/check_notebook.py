"""`attn check`: a student's own notebook on the student's own machine, without a sandbox."""

import secrets
from collections.abc import Callable
from pathlib import Path

from course_lib.grading.errors import InputError
from course_lib.grading.inside.answers import answer_cells, own_text
from course_lib.grading.inside.inputs import Observation
from course_lib.grading.inside.respond import respond
from course_lib.grading.judging.changes import hold_to_original
from course_lib.grading.judging.earlier import blame_earlier
from course_lib.grading.judging.judge import draw_trials, judge
from course_lib.grading.judging.limits import TimeLimit, within_limits
from course_lib.grading.judging.report import CaseResult, Report
from course_lib.grading.submissions.names import last_exercise
from course_lib.grading.submissions.notebook import Notebook, Unreadable, parse_notebook, read_file
from course_lib.grading.tasks.catalogue import Catalogue
from course_lib.grading.tasks.task import Exercise, Task

HOLDS, NOT_YET = 0, 1


def check_notebook(path: Path, catalogue: Catalogue, say: Callable[[str], None]) -> int:
    """Report on every task of a notebook. Raises InputError when it cannot be used."""
    exercise = _exercise(path, catalogue)
    try:
        data, _ = read_file(str(path))
        notebook = parse_notebook(data, [task.name for task in exercise.tasks])
    except Unreadable as error:
        raise InputError(f"{str(path)!r}: {error}") from None
    reports = [check_task(task, notebook) for task in exercise.tasks]
    reports = blame_earlier(reports, notebook.answers)
    for report in reports:
        say(str(report))
    score = sum(report.score for report in reports)
    say(f"{exercise.stem}: {score} of {exercise.max_score} points")
    return HOLDS if score == exercise.max_score else NOT_YET


def check_task(task: Task, notebook: Notebook) -> Report:
    """The report on one task, its answer run here and now."""
    if not answer_cells(notebook.answers, task.name):
        sentence = "The notebook has no answer cell for this task."
        return Report(task.name, task.points, (CaseResult("an answer", False, sentence),))
    trials = draw_trials(task, secrets.randbits(63))
    request = {
        "task": task.name,
        "library": task.library,
        "refused": task.refused,
        "imports": notebook.imports,
        "answers": notebook.answers,
        "inputs": [trial.inputs for trial in trials],
    }
    too_slow = [Observation(error=TimeLimit.__name__)] * len(trials)
    report = judge(task, trials, within_limits(lambda: respond(request), too_slow))
    return hold_to_original(task, report, own_text(notebook.answers, task.name))


def _exercise(path: Path, catalogue: Catalogue) -> Exercise:
    """The exercise that the file's name says, whatever a browser added to it."""
    if not path.exists():
        raise InputError(f"{str(path)!r} does not exist.")
    _, stem, _ = last_exercise(path.stem, catalogue.exercises)
    if not stem:
        known = ", ".join(catalogue.exercises)
        raise InputError(f"{str(path)!r} is named after no exercise. The exercises are: {known}.")
    return catalogue.exercises[stem]

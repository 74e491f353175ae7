"""What an answer about a stranger returned, read as plain data."""

from collections.abc import Sequence
from typing import Any

from course_lib.checker.compare.diagnosis import NOT_WRITTEN
from course_lib.checker.compare.errors import ran
from course_lib.checker.run.inputs import Observation
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks import Task
from course_lib.exercises.drawn import hash_of, why_no_name


def answered(got: Observation, parts: int, form: str) -> tuple | str:
    """The parts of an answer, the name first; or the sentence that refuses it. `form` is what is
    said where there are fewer or more parts."""
    if got.error == "NotImplementedError":
        return NOT_WRITTEN
    if got.error:
        return f"It raises {got.error}: {got.message}"
    if not isinstance(got.value, tuple) or len(got.value) != parts:
        return form
    return why_no_name(got.value[0]) or got.value


def report_on(
    task: Task,
    got: Observation,
    cases: Sequence[tuple[str, bool]],
    problem: str = "",
    found: str = "",
    drawn: str = "",
) -> Report:
    """The report: each case with whether it holds, what is wrong, and else what was found. `drawn`
    is what the name drew, where all who drew it may well return the same."""
    named: dict[str, Any] = {}
    if isinstance(got.value, tuple) and not why_no_name(got.value[0]):
        me, *given = got.value
        named = {"me": me.strip(), "given": hash_of(tuple(given)), "drawn": drawn}
    results = tuple(CaseResult(name, held) for name, held in cases)
    said = {"diagnosis": problem} if problem else {"summary": found}
    return Report(task.name, task.points, results, ran=ran(got) or not problem, **said, **named)

"""What a student's name draws, a number that is the same at every call, and the answers that begin
with that name.

A notebook that is handed out is the same for all, so what is to differ from student to student
needs something of the student's own. The name stands in the answer, where the grader finds it.
"""

import hashlib
import unicodedata
from collections.abc import Sequence
from typing import Any

from course_lib.checker.compare.diagnosis import NOT_WRITTEN
from course_lib.checker.compare.errors import ran
from course_lib.checker.run.inputs import Array, Observation
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks import Task

LONGEST_NAME = 60
NAMELESS = "`ME` is empty. Write your name there: it draws what is yours in this task."
NO_NAME = (
    "Where `ME` belongs stands something else than a string. What you return begins with your "
    "name: `return ME, …`."
)
TOO_LONG = f"`ME` must be one line of at most {LONGEST_NAME} characters."


def why_no_name(me: Any) -> str:
    """The sentence that refuses a name; "" where it will do."""
    if not isinstance(me, str):
        return NO_NAME
    if not me.strip():
        return NAMELESS
    return "" if len(me) <= LONGEST_NAME and me.isprintable() else TOO_LONG


def number_of(me: str, *what: str) -> int:
    """A number from 0 to 2⁶⁴ − 1; capitals and spaces around the name do not count."""
    name = unicodedata.normalize("NFC", me.strip().casefold())
    digest = hashlib.sha256("\0".join((*what, name)).encode()).digest()
    return int.from_bytes(digest[:8])


def hash_of(given: Any) -> str:
    """A short hash of what an answer returned, plain data. Equal data have equal hashes, whatever
    library or dtype holds an array's numbers."""
    return hashlib.sha256(repr(_listed(given)).encode()).hexdigest()[:16]


def _listed(value: Any) -> Any:
    if isinstance(value, Array):
        return value.data.shape, value.data.tolist()
    return type(value)(map(_listed, value)) if isinstance(value, tuple | list) else value


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

"""The exceptions of a class: a table of extensions and of points that a person decided on."""

from collections.abc import Mapping
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import unguarded
from course_lib.checker.tasks.task import Exercise
from grader.gradebook.policy import Exception_
from grader.submissions.table import decimal, read_table

COLUMNS = ("student", "exercise", "task", "points", "days", "reason")
NEEDED = ("student", "exercise", "reason")


def read_exceptions(path: Path, exercises: Mapping[str, Exercise]) -> list[Exception_]:
    """Each line gives one student points (of a task, or of the whole exercise) or days, and says
    why. Raises InputError, with the line, for what cannot be used."""
    found = []
    for number, line in read_table(path, "The table of exceptions", NEEDED, COLUMNS)[1]:
        try:
            found.append(_exception(line, exercises))
        except ValueError as error:
            place = f"The table of exceptions {str(path)!r}, line {number}"
            raise InputError(f"{place}: {error}.") from None
    return found


def _exception(line: dict[str, str], exercises: Mapping[str, Exercise]) -> Exception_:
    exercise, task = line["exercise"], line.get("task", "")
    if not line["student"]:
        raise ValueError("it names no student")
    if exercise not in exercises:
        raise ValueError(f"the course has no exercise {exercise!r}")
    names = [one.name for one in exercises[exercise].tasks]
    if task and task not in names:
        raise ValueError(f"{exercise} has no task {task!r}; there are {', '.join(names)}")
    points, days = _number(line, "points"), _number(line, "days")
    if (points is None) == (days is None):
        raise ValueError("either points or days are needed, and not both")
    if not line["reason"]:
        raise ValueError("a reason is needed: it is what the student reads")
    student = unguarded(line["student"])
    return Exception_(student, exercise, task, points, days, line["reason"])


def _number(line: dict[str, str], name: str) -> float | None:
    if not (text := line.get(name, "")):
        return None
    if 0 <= (number := decimal(text)) <= 10_000:
        return number
    raise ValueError(f"{name} are {text!r}; a number of at least 0 is needed")

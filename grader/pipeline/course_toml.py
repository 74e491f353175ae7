"""`course.toml`: which exercises a class has, what they are worth, and the limits they run under.

Each key may be left out; without the file the course's own values hold.

    credit = "by property"           # for every task; else "all or nothing", or "by case"
    count = "last"                   # or "best", of several tries of one student
    written = true                   # false: answers in words are read, and do not count

    [limits]
    timeout = 10                     # seconds of the processor for one submission
    memory = 1024                    # MB

    [exercises.01_softmax]           # with such a table, the class has the named ones alone
    credit = "by case"
    points = { softmax = 4, masked_softmax = 6 }
    due = 2026-11-20T23:59:00+01:00  # with the offset of the zone in which it holds
    drop = ["softmax_backward"]      # does not count
    full = ["softmax"]               # full points for everybody who handed in
    written = false                  # for this exercise alone
    capstone = true                  # where an exercise has one: a minute of training for each

    [late]
    free_days = 3                    # of a whole term
    deduction = 10                   # percent of the points for each further day that has begun
    zone = "Europe/Berlin"           # days are those of its calendar; a due date needs no offset
"""

import datetime
import os
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from course_lib.checker.errors import InputError
from course_lib.checker.tasks.task import (
    ALL_OR_NOTHING,
    BY_CASE,
    BY_PROPERTY,
    Exercise,
    Task,
)
from grader.gradebook.policy import Policy
from grader.submissions.files import is_notebook

NAME = "course.toml"
CREDIT = {name: name for name in (ALL_OR_NOTHING, BY_PROPERTY, BY_CASE)}
COUNT = {"last": False, "best": True}
MOST_POINTS = 1_000  # of one task
MAX_BYTES = 100_000


@dataclass(frozen=True)
class Config:
    """What holds for a class: its exercises with their points and credit, and its limits."""

    exercises: Mapping[str, Exercise]
    timeout: float = 10.0  # seconds
    memory: int = 1024  # MB
    policy: Policy = field(default_factory=Policy)


def worth_of(exercises: Mapping[str, Exercise]) -> dict[str, dict[str, list]]:
    """Each task's points, and how they are given."""
    return {
        stem: {task.name: [task.points, task.credit] for task in one.tasks}
        for stem, one in exercises.items()
    }


def find_config(submissions: Path, given: Path | None = None) -> Path | None:
    """The `course.toml` in force: the given one, or one beside the submissions."""
    return given or beside(submissions, NAME)


def beside(submissions: Path, name: str) -> Path | None:
    """The instructor's file of a name beside the submissions. Among them it may be a student's, and
    beside a single notebook lie a student's files, too."""
    if is_notebook(submissions.name) and not submissions.is_dir():
        return None
    place = Path(os.path.relpath(submissions.absolute().parent / name))
    return place if place.is_file() else None


def load_config(path: Path | None, exercises: Mapping[str, Exercise]) -> Config:
    """Read a `course.toml`. Raises InputError with the line of what cannot be used."""
    if path is None:
        return Config(exercises, policy=Policy(worth_of(exercises)))
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
        given = tomllib.loads(text) if len(data) <= MAX_BYTES else None
    except OSError as error:
        raise InputError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"The file {str(path)!r} is not UTF-8 text.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"The file {str(path)!r} is not TOML: {error}.") from None
    if given is None:
        raise InputError(f"The file {str(path)!r} is larger than {MAX_BYTES} bytes.")
    return _config(_Table(path, text, (), given), exercises)


def _config(top: "_Table", course: Mapping[str, Exercise]) -> Config:
    top.allow(("credit", "count", "written", "limits", "late", "exercises"))
    limits, late, tables = top.table("limits"), top.table("late"), top.table("exercises")
    limits.allow(("timeout", "memory"))
    late.allow(("free_days", "deduction", "zone"))
    zone = late.zone("zone")
    tables.allow(course)
    stems = [stem for stem in course if stem in tables.values or "exercises" not in top.values]
    if not stems:
        raise top.wrong("exercises", "no exercise is named, so nothing would be graded.")
    best, credit = top.choice("count", COUNT, False), top.choice("credit", CREDIT, None)
    written = top.flag("written", True)
    exercises, drop, full, due, unmarked = {}, {}, {}, {}, []
    for stem in stems:
        table = tables.table(stem)
        table.allow(("points", "credit", "due", "drop", "full", "written", "capstone"))
        exercise = _with_capstone(table, stem, course)
        names = [task.name for task in exercise.tasks]
        exercises[stem] = _with_points(table, exercise, table.choice("credit", CREDIT, credit))
        drop[stem], full[stem] = table.names("drop", names), table.names("full", names)
        due[stem] = table.date("due", zone)
        unmarked += [] if table.flag("written", written) else [stem]
    return Config(
        exercises,
        float(limits.number("timeout", Config.timeout, 10**6, int | float)),
        limits.number("memory", Config.memory, 10**9, int),
        Policy(
            worth_of(exercises),
            *({stem: one for stem, one in part.items() if one} for part in (drop, full, due)),
            free_days=late.number("free_days", 0, 1_000, int, least=0),
            deduction=float(late.number("deduction", 0, 100, int | float, least=0)),
            best=best,
            unmarked=unmarked,
            zone=zone,
        ),
    )


def _with_capstone(table: "_Table", stem: str, course: Mapping[str, Exercise]) -> Exercise:
    wanted, exercise = table.flag("capstone", False), course[stem]
    if wanted and exercise.capstone is None:
        have = ", ".join(name for name, one in course.items() if one.capstone)
        raise table.wrong("capstone", f"{stem} has no capstone. There is one in: {have}.")
    return exercise.with_capstone() if wanted else exercise


def _with_points(table: "_Table", exercise: Exercise, credit: str | None) -> Exercise:
    points = table.table("points")
    points.allow([task.name for task in exercise.tasks])

    def changed(task: Task) -> Task:
        kind = int if task.points == int(task.points) else int | float  # halves, where it has one
        worth = points.number(task.name, task.points, MOST_POINTS, kind)
        given = task.credit if credit is None or task.judge else credit
        return replace(task, points=worth, credit=given)

    return replace(exercise, tasks=tuple(map(changed, exercise.tasks)))


@dataclass(frozen=True)
class _Table:
    """A table of the file; what is wrong in it is told with its line."""

    path: Path
    text: str
    keys: tuple[str, ...]  # that lead to it
    values: dict[str, Any]

    def allow(self, known: Collection[str]) -> None:
        for key in self.values:
            if key not in known:
                place = f" in {'.'.join(self.keys)}" if self.keys else ""
                names = ", ".join(known)
                raise self.wrong(key, f"there is no {key!r}{place}. There are: {names}.")

    def table(self, key: str) -> "_Table":
        """The table under a key; an empty one where it is left out."""
        value, keys = self.values.get(key, {}), (*self.keys, key)
        if type(value) is not dict:
            raise self.wrong(key, f"{'.'.join(keys)} is {value!r}; a table is needed.")
        return _Table(self.path, self.text, keys, value)

    def flag(self, key: str, default: bool) -> bool:
        value = self.values.get(key, default)
        if type(value) is not bool:
            raise self.wrong(key, f"{key} is {value!r}; true or false is needed.")
        return value

    def number(self, key: str, default: Any, most: int, kind: Any, least: int | None = None) -> Any:
        """The number under a key: at least `least`, else above 0, and at most `most`."""
        if key not in self.values:
            return default
        value = self.values[key]
        is_number = isinstance(value, kind) and type(value) is not bool
        if is_number and value <= most and (value > 0 or value == least):
            return value
        whole = "whole number" if kind is int else "number"
        from_ = "above 0" if least is None else f"from {least}"
        need = f"a {whole} {from_} and up to {most:,.0f} is needed."
        raise self.wrong(key, f"{key} is {value!r}; {need}")

    def choice(self, key: str, choices: dict[str, Any], default: Any) -> Any:
        value = self.values.get(key)
        if value is None:
            return default
        if type(value) is not str or value not in choices:
            *some, last = (f'"{name}"' for name in choices)
            named = f"{', '.join(some)} or {last}"
            raise self.wrong(key, f"{key} is {value!r}; {named} is needed.")
        return choices[value]

    def names(self, key: str, known: list[str]) -> list[str]:
        names = self.values.get(key, [])
        if type(names) is list and all(name in known for name in names):
            return names
        need = f"a list of tasks is needed. There are: {', '.join(known)}."
        raise self.wrong(key, f"{key} is {names!r}; {need}")

    def zone(self, key: str) -> str:
        name = self.values.get(key, "")
        try:
            if name:
                ZoneInfo(name)
        except (ValueError, OSError, TypeError, ZoneInfoNotFoundError):
            need = 'the name of a zone is needed, as "Europe/Berlin" is one.'
            raise self.wrong(key, f"{key} is {name!r}; {need}") from None
        return name

    def date(self, key: str, zone: str) -> str:
        due = self.values.get(key)
        if due is None:
            return ""
        if isinstance(due, datetime.datetime) and not due.tzinfo and zone:
            due = due.replace(tzinfo=ZoneInfo(zone))
        if isinstance(due, datetime.datetime) and due.tzinfo:
            return due.isoformat()
        need = "a date, a time and the zone's offset are needed, as in 2026-11-20T23:59:00+01:00."
        raise self.wrong(key, f"{key} is {str(due)!r}; {need}")

    def wrong(self, key: str, sentence: str) -> InputError:
        """With the line of the key: the end of the shortest beginning of the file that has it."""
        lines = self.text.split("\n")
        number = next((n for n in range(1, len(lines)) if self._holds(lines[:n], key)), len(lines))
        return InputError(f"{str(self.path)!r}, line {number}: {sentence}")

    def _holds(self, lines: list[str], key: str) -> bool:
        try:
            here: Any = tomllib.loads("\n".join(lines))
        except tomllib.TOMLDecodeError:
            return False
        for part in (*self.keys, key):
            here = here.get(part) if type(here) is dict else None
        return here is not None

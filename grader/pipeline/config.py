"""`course.toml`: which exercises a class has, what they are worth, and the limits they run under.

Each key may be left out; without the file the course's own values hold.

    credit = "all or nothing"        # or "by case", for every task
    count = "last"                   # or "best", of several tries of one student

    [limits]
    timeout = 10                     # seconds of the processor for one submission
    memory = 1024                    # MB

    [exercises.01_softmax]           # with such a table, the class has the named ones alone
    credit = "by case"
    points = { softmax = 4, masked_softmax = 6 }
    due = 2026-11-20T23:59:00+01:00  # with the offset of the zone in which it holds
    drop = ["softmax_backward"]      # does not count
    full = ["softmax"]               # full points for everybody who handed in
    capstone = true                  # where an exercise has one: a minute of training for each

    [late]
    free_days = 3                    # of a whole term
    deduction = 10                   # percent of the points for each further day that has begun
"""

import datetime
import os
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from course_lib.checker.errors import InputError
from course_lib.checker.tasks.task import Exercise, Task
from grader.gradebook.policy import Policy

NAME = "course.toml"
BY_CASE = {"all or nothing": False, "by case": True}
MOST_POINTS = 1_000  # of one task
MAX_BYTES = 100_000


@dataclass(frozen=True)
class Config:
    """What holds for a class: its exercises with their points and credit, and its limits."""

    exercises: dict[str, Exercise]
    timeout: float = 10.0  # seconds
    memory: int = 1024  # MB
    policy: Policy = field(default_factory=Policy)


def worth_of(exercises: dict[str, Exercise]) -> dict[str, dict[str, list]]:
    """Each task's points, and whether they are given by case."""
    return {
        stem: {task.name: [task.points, task.by_case] for task in one.tasks}
        for stem, one in exercises.items()
    }


def find_config(submissions: Path, given: Path | None = None) -> Path | None:
    """The `course.toml` in force: the given one, or one beside the submissions. Among them it may
    be a student's."""
    if given is not None:
        return given
    place = Path(os.path.relpath(submissions.absolute().parent / NAME))
    return place if place.is_file() else None


def load_config(path: Path | None, exercises: dict[str, Exercise]) -> Config:
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
    return _Reader(path, text, exercises).read(given)


@dataclass(frozen=True)
class _Reader:
    path: Path
    text: str
    exercises: dict[str, Exercise]

    def read(self, given: dict[str, Any]) -> Config:
        self._known(given, ("credit", "count", "limits", "late", "exercises"), ())
        if (count := given.get("count", "last")) not in ("last", "best"):
            raise self._wrong(("count",), f'count is {count!r}; "last" or "best" is needed.')
        limits = self._table(given, ("limits",))
        self._known(limits, ("timeout", "memory"), ("limits",))
        by_case = self._credit(given, (), None)
        tables = self._table(given, ("exercises",))
        self._known(tables, self.exercises, ("exercises",))
        self = replace(self, exercises=self._with_capstones(tables))
        stems = [stem for stem in self.exercises if stem in tables or "exercises" not in given]
        if not stems:
            raise self._wrong(("exercises",), "no exercise is named, so nothing would be graded.")
        exercises = {stem: self._exercise(tables, stem, by_case) for stem in stems}
        return Config(
            exercises,
            float(self._number(limits, ("limits", "timeout"), Config.timeout, 10**6, int | float)),
            int(self._number(limits, ("limits", "memory"), Config.memory, 10**9, int)),
            replace(self._policy(given, tables, exercises), best=count == "best"),
        )

    def _policy(
        self, given: dict[str, Any], tables: dict[str, Any], exercises: dict[str, Exercise]
    ) -> Policy:
        late = self._table(given, ("late",))
        self._known(late, ("free_days", "deduction"), ("late",))
        return Policy(
            worth_of(exercises),
            {stem: named for stem in exercises if (named := self._tasks(tables, stem, "drop"))},
            {stem: named for stem in exercises if (named := self._tasks(tables, stem, "full"))},
            {stem: due for stem in exercises if (due := self._due(tables, stem))},
            int(self._number(late, ("late", "free_days"), 0, 1_000, int)),
            float(self._number(late, ("late", "deduction"), 0, 100, int | float)),
        )

    def _with_capstones(self, tables: dict[str, Any]) -> dict[str, Exercise]:
        found = dict(self.exercises)
        for stem in tables:
            keys = ("exercises", stem, "capstone")
            wanted = self._table(tables, keys[:2]).get("capstone", False)
            if type(wanted) is not bool:
                raise self._wrong(keys, f"capstone is {wanted!r}; true or false is needed.")
            if wanted and found[stem].capstone is None:
                have = ", ".join(name for name, one in found.items() if one.capstone)
                raise self._wrong(keys, f"{stem} has no capstone. There is one in: {have}.")
            found[stem] = found[stem].with_capstone() if wanted else found[stem]
        return found

    def _tasks(self, tables: dict[str, Any], stem: str, key: str) -> list[str]:
        names = self._table(tables, ("exercises", stem)).get(key, [])
        known = [task.name for task in self.exercises[stem].tasks]
        if type(names) is list and all(name in known for name in names):
            return names
        need = f"a list of tasks is needed. There are: {', '.join(known)}."
        raise self._wrong(("exercises", stem, key), f"{key} is {names!r}; {need}")

    def _due(self, tables: dict[str, Any], stem: str) -> str:
        due = self._table(tables, ("exercises", stem)).get("due")
        if due is None:
            return ""
        if isinstance(due, datetime.datetime) and due.tzinfo:
            return due.isoformat()
        need = "a date, a time and the zone's offset are needed, as in 2026-11-20T23:59:00+01:00."
        raise self._wrong(("exercises", stem, "due"), f"due is {str(due)!r}; {need}")

    def _exercise(self, tables: dict[str, Any], stem: str, by_case: bool | None) -> Exercise:
        exercise, keys = self.exercises[stem], ("exercises", stem)
        table = self._table(tables, keys)
        self._known(table, ("points", "credit", "due", "drop", "full", "capstone"), keys)
        by_case = self._credit(table, keys, by_case)
        points = self._table(table, (*keys, "points"))
        self._known(points, [task.name for task in exercise.tasks], (*keys, "points"))

        def changed(task: Task) -> Task:
            at = (*keys, "points", task.name)
            worth = self._number(points, at, task.points, MOST_POINTS, int)
            share = task.by_case if by_case is None or task.judge else by_case
            return replace(task, points=worth, by_case=share)

        return replace(exercise, tasks=tuple(map(changed, exercise.tasks)))

    def _credit(
        self, table: dict[str, Any], keys: Sequence[str], default: bool | None
    ) -> bool | None:
        value = table.get("credit")
        if value is None:
            return default
        if type(value) is not str or value not in BY_CASE:
            named = " or ".join(f'"{name}"' for name in BY_CASE)
            raise self._wrong((*keys, "credit"), f"credit is {value!r}; {named} is needed.")
        return BY_CASE[value]

    def _table(self, table: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
        """The table under the last of the keys; an empty one where it is left out."""
        value = table.get(keys[-1], {})
        if type(value) is not dict:
            raise self._wrong(keys, f"{'.'.join(keys)} is {value!r}; a table is needed.")
        return value

    def _number(
        self, table: dict[str, Any], keys: Sequence[str], default: Any, below: int, kind: Any
    ) -> Any:
        """The number under the last of the keys: above 0 and at most `below`."""
        value = table.get(keys[-1], default)
        if keys[-1] not in table:
            return default
        if isinstance(value, kind) and type(value) is not bool and 0 < value <= below:
            return value
        whole = "whole number" if kind is int else "number"
        need = f"a {whole} above 0 and up to {below:,.0f} is needed."
        raise self._wrong(keys, f"{keys[-1]} is {value!r}; {need}")

    def _known(self, table: dict[str, Any], known: Collection[str], keys: Sequence[str]) -> None:
        for key in table:
            if key not in known:
                place = f" in {'.'.join(keys)}" if keys else ""
                names = ", ".join(known)
                raise self._wrong((*keys, key), f"there is no {key!r}{place}. There are: {names}.")

    def _wrong(self, keys: Sequence[str], sentence: str) -> InputError:
        return InputError(f"{str(self.path)!r}, line {self._line(keys)}: {sentence}")

    def _line(self, keys: Sequence[str]) -> int:
        """Where a key stands: the end of the shortest beginning of the file that has it."""
        lines = self.text.split("\n")
        for number in range(1, len(lines) + 1):
            try:
                here = tomllib.loads("\n".join(lines[:number]))
            except tomllib.TOMLDecodeError:
                continue
            for key in keys:
                here = here.get(key) if type(here) is dict else None
            if here is not None:
                return number
        return len(lines)

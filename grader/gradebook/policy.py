"""What a row is worth: points and credit of the class, dropped tasks, late days, exceptions.

Nothing here runs code. A result in the gradebook says which cases hold; this turns it into points,
each time that rows are read, so that other points or a later extension regrade nobody. Each step
leaves its reason, in words.
"""

import datetime
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from zoneinfo import ZoneInfo

from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks.task import ALL_OR_NOTHING, BY_CASE, as_points
from grader.submissions.moments import LATE

NO_DAYS = (
    "The platform marks it late, and not by how much: it counts as in time until its line in the "
    "table of the class has the date."
)
OF_OLD: dict[Any, Any] = {False: ALL_OR_NOTHING, True: BY_CASE}  # as older gradebooks have it
HOUR, NONE = datetime.timedelta(hours=1), datetime.timedelta()
FIRST = datetime.datetime.min.replace(tzinfo=datetime.UTC)


@dataclass(frozen=True)
class Exception_:
    """One line of the exceptions: points instead of what was earned, or days more."""

    student: str
    exercise: str
    task: str  # "" for the whole row
    points: float | None
    days: float | None
    reason: str


@dataclass(frozen=True)
class Policy:
    """What holds for a class, as plain data that the gradebook keeps."""

    worth: dict[str, dict[str, list]] = field(default_factory=dict)  # task → [points, credit]
    drop: dict[str, list[str]] = field(default_factory=dict)
    full: dict[str, list[str]] = field(default_factory=dict)
    due: dict[str, str] = field(default_factory=dict)  # ISO 8601 with an offset
    free_days: int = 0  # of a whole term
    deduction: float = 0.0  # percent of the points, for each further day that has begun
    exceptions: list[Exception_] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)  # exercises: answers in words do not count
    best: bool = False  # whether a row keeps the best of several tries, and not the last
    zone: str = ""  # the class's, by its name: where it is known, days are those of its calendar
    given: bool = False  # whether a file said so, and not the course itself

    def dumps(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Policy":
        """Out of what `dumps` wrote."""
        lines = [Exception_(**line) for line in data.get("exceptions", [])]
        return cls(**{**data, "exceptions": lines})


Part = tuple[str, str, str, dict[str, Any]]  # student, exercise, date, data


def apply_policy(policy: Policy, rows: Sequence[Part]) -> list[dict[str, Any]]:
    """The data of each row with the points that hold, and `reasons` for those that changed."""
    ours: dict[tuple[str, str], list[Exception_]] = defaultdict(list)
    for line in policy.exceptions:
        ours[line.student, line.exercise].append(line)
    data = [_points(policy, row, ours[row[:2]]) for row in rows]
    free: dict[str, int] = defaultdict(lambda: policy.free_days)
    due = {exercise: datetime.datetime.fromisoformat(date) for exercise, date in policy.due.items()}
    order = sorted(range(len(rows)), key=lambda i: (rows[i][0], due.get(rows[i][1], FIRST)))
    for i in order:
        student, exercise, date, _ = rows[i]
        late = _late(policy, data[i], ours[student, exercise], exercise, date)
        used = min(late, free[student])
        free[student] -= used
        if used:
            data[i]["reasons"].append(f"{used} of {policy.free_days} free late days used")
        share = min(100.0, policy.deduction * (late - used))
        if share and data[i]["score"]:
            lost = as_points(data[i]["score"] * share / 100)  # as it is said, so that it adds up
            data[i]["score"] = as_points(data[i]["score"] - lost)
            data[i]["reasons"].append(f"{late - used} days late: {lost} points less")
    for i, (student, exercise, *_) in enumerate(rows):
        for line in ours[student, exercise]:
            if line.points is not None and not line.task:
                data[i]["score"] = as_points(line.points)
                data[i]["status"] = "graded"
                data[i]["reasons"].append(f"{as_points(line.points)} points in all: {line.reason}")
    return data


def _points(policy: Policy, row: Part, lines: list[Exception_]) -> dict[str, Any]:
    """A row's data with the points of the class, before lateness."""
    _, exercise, _, data = row
    worth = policy.worth.get(exercise, {})
    dropped, full = policy.drop.get(exercise, ()), policy.full.get(exercise, ())
    decided = {
        line.task: (as_points(line.points), line.reason)
        for line in lines
        if line.points is not None and line.task
    }
    reasons, tasks = [], []
    for task in data["tasks"] or [_nothing(name, worth) for name in worth if decided]:
        task, name = dict(task), task["name"]
        credit: Any
        points, credit = worth.get(name, (task["max_score"], None))
        if name in dropped:
            task["score"] = points = 0
            reasons.append(f"{name} does not count in this class")
        elif name in full:
            task["score"] = points
            reasons.append(f"{name}: full points for everybody who handed in")
        elif credit is not None:
            cases = [
                CaseResult(c["name"], c["passed"], required=c.get("required", False))
                for c in task["cases"]
            ]
            credit = OF_OLD.get(credit, credit)
            task["score"] = Report(name, points, tuple(cases), credit=credit).score
        task["max_score"] = points
        if name in decided:
            task["score"], reason = decided[name]
            if task["status"] == "needs-attention":
                task["status"] = "graded"
            reasons.append(f"{name}: {task['score']} points: {reason}")
        tasks.append(task)
    unjudged = not data["tasks"] or data["status"] == "needs-attention"
    data = data | {"tasks": tasks, "reasons": reasons}
    if exercise in policy.unmarked:
        data["written"] = {}
    if decided and unjudged and all(task["status"] != "needs-attention" for task in tasks):
        data |= {"status": "graded", "score": 0}  # a person has looked, and decided
    if worth:
        data["max_score"] = as_points(
            sum(points for name, (points, _) in worth.items() if name not in dropped)
        )
    if tasks and data["score"] is not None:
        data["score"] = as_points(sum(task["score"] for task in tasks))
    return data


def _nothing(name: str, worth: dict[str, list]) -> dict[str, Any]:
    """A task of a row that has no work, as a result has it."""
    none = dict.fromkeys(("mistake", "diagnosis", "hint", "example"))
    points = {"score": 0, "max_score": worth[name][0]}
    return {"name": name, "status": "missing", **points, "cases": [], **none}


def worth_alone(policy: Policy, row: Part) -> float:
    """What a try is worth beside others of the same student: after deductions, without free days,
    which other work may need. -1 where that is not known."""
    (data,) = apply_policy(replace(policy, free_days=0), [row])
    return -1 if data["score"] is None else data["score"]


def earlier(one: str, other: str) -> str:
    """Of two dates of the same file the one that counts: it was there by then."""
    known = [date for date in (one, other) if date not in ("", LATE)]
    if len(known) < 2:
        return known[0] if known else one or other
    first, second = map(datetime.datetime.fromisoformat, known)
    if (first.tzinfo is None) != (second.tzinfo is None):  # of other clocks: the one seen first
        return one
    return one if first <= second else other


def _late(
    policy: Policy, data: dict[str, Any], lines: list[Exception_], exercise: str, date: str
) -> int:
    """The days by which a row is late; one that has begun counts."""
    due, marked = policy.due.get(exercise), date == LATE
    more = sum(line.days or 0 for line in lines)
    for line in lines:
        if line.days:
            data["reasons"].append(f"due {line.days:g} days later: {line.reason}")
    if marked and not more:
        data["reasons"].append(NO_DAYS)
    if not due or not date or marked:
        return 0
    limit = datetime.datetime.fromisoformat(due)
    came = datetime.datetime.fromisoformat(date)
    return _days(limit, came, more, policy.zone)


def _days(limit: datetime.datetime, came: datetime.datetime, more: float, zone: str) -> int:
    """The days of the calendar from a due date, and those that were given, to a moment: one ends
    at the hour of the due date, also in the nights in which summer time begins or ends.

    Without the zone's name two offsets that are an hour apart are read as summer's and winter's,
    unless one is UTC, in which platforms write.
    """
    if zone:
        limit = limit.astimezone(ZoneInfo(zone))
    if came.tzinfo is None:  # an archive's clock, which says no zone: the class's
        came = came.replace(tzinfo=limit.tzinfo)
    if zone:
        came = came.astimezone(limit.tzinfo)
    apart = abs((came.utcoffset() or NONE) - (limit.utcoffset() or NONE))
    if not zone and not (apart == HOUR and came.utcoffset() and limit.utcoffset()):
        came = came.astimezone(limit.tzinfo)
    end = limit + datetime.timedelta(days=more)  # on the clock of the zone
    late = came.timestamp() > limit.timestamp()
    seconds = (came.replace(tzinfo=None) - end.replace(tzinfo=None)).total_seconds()
    return max(0, math.ceil(seconds / 86_400)) if late else 0

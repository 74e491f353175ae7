"""The gradebook's rows as reports and exports see them, and `grades.csv`."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_lib.checker.errors import GradebookError
from course_lib.checker.tasks.task import as_points
from grader.gradebook.answers_and_marks import Marks, find_marks
from grader.gradebook.database import GO_ON, RESTORE, Gradebook
from grader.gradebook.policy import Policy, apply_policy
from grader.submissions.table import as_csv

COLUMNS = (
    "student", "exercise", "score", "max_score", "status", "submission_sha256", "profile",
    "marks", "max_marks", "total",
)  # fmt: skip
GRADES = "grades.csv"
INSTEAD = "Handed in instead: "  # begins the note on who handed in no notebook of the exercise
PEOPLE = "people"  # the setting that holds the rows by what is a person's alone
CALLED = "called"  # the one that holds the full names of rows
POLICY = "policy"  # the setting that holds it
STATUSES = (  # from best to worst: a row has the status of its worst task
    "graded", "missing", "no-result", "memory", "timeout", "crashed",
    "unreadable", "needs-attention",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One student's result for one exercise. `score` is None when the fault was ours, and where
    nothing was handed in: whether that is a zero is the instructor's to say."""

    student: str
    exercise: str
    sha: str
    lms_id: str
    data: dict[str, Any]
    place: str = ""  # the file's path in the input, as a platform named it
    date: str = ""  # when it was handed in
    marks: Marks = field(default_factory=dict)  # what a person gave for written answers
    missing_as_zero: bool = False
    look: str = ""  # what a person should see of whose it is, and which file counts

    @property
    def is_empty(self) -> bool:
        """Whether nothing was handed in, and nobody said that this is a zero."""
        return self.status == "missing" and not self.sha and not self.missing_as_zero

    @property
    def is_something_else(self) -> bool:
        """Whether what was handed in is no notebook of the exercise: no fault of the grader's."""
        return self.status == "needs-attention" and self.data["note"].startswith(INSTEAD)

    @property
    def score(self) -> int | float | None:
        return None if self.is_empty else self.data["score"]

    @property
    def max_score(self) -> int | float:
        return self.data["max_score"]

    @property
    def reasons(self) -> list[str]:
        """Why the points are not those that the cases give: lateness, exceptions, dropped tasks."""
        return self.data.get("reasons", [])

    @property
    def status(self) -> str:
        return self.data["status"]

    @property
    def tasks(self) -> list[dict[str, Any]]:
        return self.data["tasks"]

    @property
    def questions(self) -> dict[str, int]:
        """The points of each question that is answered in words."""
        return self.data.get("written", {})

    @property
    def to_mark(self) -> int:
        """How many written answers nobody has marked. Where there is no work there are none."""
        nothing = self.status in ("missing", "unreadable")
        return 0 if nothing else len(self.questions.keys() - self.marks.keys())

    @property
    def marked_before(self) -> set[str]:
        """The questions whose marks are for another file than today's."""
        return {
            item
            for item in self.questions.keys() & self.marks.keys()
            if self.marks[item].sha != self.sha
        }

    @property
    def max_marks(self) -> int:
        return sum(self.questions.values())

    @property
    def marked(self) -> int | float | None:
        """The marks so far; None where nothing is answered in words, or nothing marked yet."""
        given = [self.marks[item].points for item in self.questions if item in self.marks]
        none = not self.questions or self.is_empty or (self.to_mark and not given)
        return None if none else as_points(sum(given))

    @property
    def total(self) -> int | float | None:
        """Score and marks together; None while either is not final."""
        if self.score is None or self.to_mark:
            return None
        return as_points(self.score + (self.marked or 0))

    @property
    def max_total(self) -> int | float:
        return self.max_score + self.max_marks


def load_policy(gradebook: Gradebook) -> Policy:
    """What holds for the class, as the last run left it."""
    data = gradebook.loaded(gradebook.setting(POLICY) or "{}")
    try:
        return Policy.of(data)
    except (TypeError, AttributeError):
        sentence = f"The gradebook {str(gradebook.path)!r} cannot be used. {RESTORE}"
        raise GradebookError(sentence) from None


def load_people(gradebook: Gradebook) -> tuple[dict[str, str], dict[str, str]]:
    """The rows' names by what stays the same of a person (an address, the institution's number),
    and the full names of rows, as rosters had them."""
    people, called = (gradebook.setting(one) or "{}" for one in (PEOPLE, CALLED))
    return gradebook.loaded(people), gradebook.loaded(called)


def keep_people(gradebook: Gradebook, people: dict[str, str], called: dict[str, str]) -> None:
    """Add to what `load_people` gives."""
    known = load_people(gradebook)
    for name, before, new in zip((PEOPLE, CALLED), known, (people, called), strict=True):
        gradebook.set_setting(name, json.dumps(before | new, ensure_ascii=False))


def load_rows(
    gradebook: Gradebook, missing_as_zero: bool = False, student: str | None = None
) -> list[Row]:
    """Every row, or one student's, ordered by student and exercise."""
    marks = find_marks(gradebook)
    rows = gradebook.rows(student)
    policy = load_policy(gradebook)
    worth = apply_policy(policy, [(r.student, r.exercise, r.date, r.data) for r in rows])
    return [
        Row(
            r.student,
            r.exercise,
            r.sha,
            r.lms_id,
            data,
            r.place,
            r.date,
            marks.get((r.student, r.exercise), {}),
            missing_as_zero,
            r.look,
        )
        for r, data in zip(rows, worth, strict=True)
    ]


Column = tuple[str, int | float, dict[str, int | float | None]]


def grade_columns(rows: Iterable[Row]) -> list[Column]:
    """(header, points possible, grade by student) of each exercise; the marks for its written
    answers have a column of their own, empty until the last of them is marked."""
    columns: dict[tuple[str, bool], Column] = {}
    for row in rows:
        parts = [(False, row.exercise, row.max_score, row.score)]
        marks = None if row.to_mark else row.marked
        parts += [(True, f"{row.exercise} written", row.max_marks, marks)]
        for written, header, points, grade in parts:
            if points:
                column = columns.setdefault((row.exercise, written), (header, points, {}))
                column[2][row.student] = grade
    return [columns[key] for key in sorted(columns)]


def write_grades(path: Path, rows: Iterable[Row]) -> None:
    """Write `grades.csv`."""
    body = [
        (
            r.student,
            r.exercise,
            r.score,
            r.max_score,
            r.status,
            r.sha,
            r.data["profile"],
            r.marked,
            r.max_marks or None,
            r.total,
        )
        for r in rows
    ]
    write_text(path, as_csv(COLUMNS, body))


def write_text(path: Path, text: str) -> None:
    """`write_bytes`, in UTF-8."""
    write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, for its owner's eyes: a reader never sees half of it."""
    part = path.with_name(f".{path.name[:100]}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
        os.replace(part, path)
    except OSError as error:
        raise GradebookError(
            f"{str(path)!r} cannot be written: {error.strerror}. {GO_ON}"
        ) from None
    finally:
        part.unlink(missing_ok=True)

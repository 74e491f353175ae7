"""The gradebook's rows as reports and exports see them, and `grades.csv`."""

import csv
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_lib.grading import escape
from course_lib.grading.errors import GradebookError
from course_lib.grading.gradebook.database import GO_ON, Gradebook
from course_lib.grading.gradebook.written import Marks, find_marks
from course_lib.grading.judging.report import as_points

COLUMNS = (
    *("student", "exercise", "score", "max_score", "status", "submission_sha256", "profile"),
    *("marks", "max_marks", "total"),
)
GRADES = "grades.csv"
STATUSES = (  # from best to worst: a row has the status of its worst task
    *("graded", "missing", "no-result", "memory", "timeout", "crashed"),
    *("unreadable", "needs-attention"),
)


@dataclass(frozen=True)
class Row:
    """One student's result for one exercise. `score` is None when the fault was ours."""

    student: str
    exercise: str
    sha: str
    lms_id: str
    data: dict[str, Any]
    place: str = ""  # the file's path in the input, as a platform named it
    marks: Marks = field(default_factory=dict)  # what a person gave for written answers

    @property
    def score(self) -> int | float | None:
        return self.data["score"]

    @property
    def max_score(self) -> int:
        return self.data["max_score"]

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
        none = not self.questions or (self.to_mark and not given)
        return None if none else as_points(sum(given))

    @property
    def total(self) -> int | float | None:
        """Score and marks together; None while either is not final."""
        unknown = self.score is None or self.to_mark
        return None if unknown else as_points(self.score + (self.marked or 0))

    @property
    def max_total(self) -> int:
        return self.max_score + self.max_marks


def load_rows(gradebook: Gradebook) -> list[Row]:
    """Every row, ordered by student and exercise."""
    marks = find_marks(gradebook)
    return [Row(*parts, marks.get(parts[:2], {})) for parts in gradebook.rows()]


Column = tuple[str, int, dict[str, int | float | None]]


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
            *(r.student, r.exercise, r.score, r.max_score, r.status, r.sha, r.data["profile"]),
            *(r.marked, r.max_marks or None, r.total),
        )
        for r in rows
    ]
    write_text(path, table(COLUMNS, body))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A CSV table whose fields a spreadsheet cannot run, whatever it takes for a separator."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows([escape.field(value) for value in row] for row in rows)
    return out.getvalue()


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: a reader never sees half of it."""
    part = path.with_name(f".{path.name[:100]}.part")
    try:
        part.write_bytes(text.encode("utf-8", "replace"))
        os.replace(part, path)
    except OSError as error:
        raise GradebookError(
            f"{str(path)!r} cannot be written: {error.strerror}. {GO_ON}"
        ) from None
    finally:
        part.unlink(missing_ok=True)

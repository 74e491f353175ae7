"""The gradebook's rows as reports and exports see them, and `grades.csv`."""

import csv
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_lib.grading.escape import field
from course_lib.grading.gradebook.database import Gradebook

COLUMNS = ("student", "exercise", "score", "max_score", "status", "submission_sha256", "profile")
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


def load_rows(gradebook: Gradebook) -> list[Row]:
    """Every row, ordered by student and exercise."""
    return [Row(*parts) for parts in gradebook.rows()]


def write_grades(path: Path, rows: Iterable[Row]) -> None:
    """Write `grades.csv`."""
    body = [
        (r.student, r.exercise, r.score, r.max_score, r.status, r.sha, r.data["profile"])
        for r in rows
    ]
    write_text(path, table(COLUMNS, body))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A CSV table whose fields a spreadsheet cannot run, whatever it takes for a separator."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows([field(value) for value in row] for row in rows)
    return out.getvalue()


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: a reader never sees half of it."""
    part = path.with_name(f".{path.name[:100]}.part")
    try:
        part.write_bytes(text.encode("utf-8", "replace"))
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)

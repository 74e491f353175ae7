"""nbgrader: the columns of its own `nbgrader export`, with every field that needs it quoted."""

from pathlib import Path

from grader.gradebook.rows import Row, write_text
from grader.submissions.roster import Roster
from grader.submissions.table import as_csv

HEADER = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)


def write(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`nbgrader.csv`."""
    lines = []
    for row in rows:
        who = roster.person(row.student, row.lms_id)
        first, _, last = who.full_name.rpartition(" ")
        identity = (who.student, who.last_name or last, who.first_name or first, who.email)
        grades = (row.total, 0, row.total, row.max_total)
        lines.append((row.exercise, "", "", *identity, *grades))
    path = folder / "nbgrader.csv"
    write_text(path, as_csv(HEADER, lines))
    return [path]

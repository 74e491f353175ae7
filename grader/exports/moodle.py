"""Moodle: one line for each student; the teacher maps the columns when importing.

An empty identifier is never written: in the version we read, its grade goes to the student of the
line before. A student whom the roster does not know has the row's name as identifier.

The number in a Moodle folder's name is a participant's in that one assignment. Moodle would match
it with another student's ID number, so it stands only where Moodle itself writes it: in the
assignment's worksheet, as "Participant 101". There the time of a grade is left empty: so Moodle
overwrites none that it has, unless told to allow it.
"""

from pathlib import Path

from grader.gradebook.rows import Row, grade_columns, write_text
from grader.submissions.roster import Roster
from grader.submissions.table import as_csv

HEADER = ("Identifier", "ID number", "Full name", "Email address")
MODIFIED = "Last modified (grade)"  # without this column Moodle refuses the whole worksheet
WORKSHEET = ("Identifier", "Full name", "Email address", "Grade", "Maximum grade", MODIFIED)


def write(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`moodle.csv` for *Grades › Import › CSV file*; for each assignment whose participants are
    known a `worksheet-<exercise>.csv` for *Upload grading worksheet*."""
    exercises = sorted({row.exercise for row in rows if row.max_score})
    columns = grade_columns(rows)
    lines = []
    for student in dict.fromkeys(row.student for row in rows):
        who = roster.person(student)
        identity = (who.login or who.student, who.sis_id or who.student, who.full_name)
        grades = (grades.get(student) for *_, grades in columns)
        lines.append((*identity, who.email or "unknown", *grades))
    path = folder / "moodle.csv"
    write_text(path, as_csv((*HEADER, *(header for header, *_ in columns)), lines))
    sheets = [_worksheet(rows, roster, folder, exercise) for exercise in exercises]
    return [path, *filter(None, sheets)]


def _worksheet(rows: list[Row], roster: Roster, folder: Path, exercise: str) -> Path | None:
    lines = [
        (
            f"Participant {row.lms_id}",
            *(who.full_name, who.email, row.total, row.max_total, ""),
        )
        for row in rows
        if row.exercise == exercise and row.lms_id
        for who in [roster.person(row.student)]
    ]
    if not lines:
        return None
    path = folder / f"worksheet-{exercise}.csv"
    write_text(path, as_csv(WORKSHEET, lines))
    return path

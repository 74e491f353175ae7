"""Moodle: one line for each student; the teacher maps the columns when importing.

An empty identifier is never written: in the version we read, its grade goes to the student of the
line before. A student whom the roster does not know has the folder's name as identifier.
"""

from pathlib import Path

from course_lib.grading.gradebook.rows import Row, table, write_text
from course_lib.grading.submissions.roster import Roster

HEADER = ("Identifier", "ID number", "Full name", "Email address")


def write(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`moodle.csv`, ready for *Grades › Import › CSV file*."""
    exercises = sorted({row.exercise for row in rows if row.max_score})
    scores = {(row.student, row.exercise): row.score for row in rows}
    students = {row.student: row.lms_id for row in rows}
    lines = []
    for student, lms_id in students.items():
        who = roster.person(student, lms_id)
        number = who.sis_id or who.lms_id or who.student
        identity = (who.login or who.student, number, who.full_name, who.email or "unknown")
        lines.append((*identity, *(scores.get((student, e)) for e in exercises)))
    path = folder / "moodle.csv"
    write_text(path, table((*HEADER, *exercises), lines))
    return [path]

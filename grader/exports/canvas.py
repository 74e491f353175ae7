"""Canvas: one line for each student, one column for each exercise.

Canvas matches a column by its header: write `<name> (<assignment id>)` for an assignment that
exists; a header it does not know makes a new assignment.
"""

from pathlib import Path

from grader.gradebook.rows import Row, grade_columns, write_text
from grader.submissions.roster import Roster
from grader.submissions.table import as_csv

HEADER = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def write(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`canvas.csv`, ready for *Grades › Import*."""
    columns = grade_columns(rows)
    students = {row.student: row.lms_id for row in rows}
    lines = [("Points Possible", "", "", "", "", *(points for _, points, _ in columns))]
    for student, lms_id in students.items():
        who = roster.person(student, lms_id)
        identity = (who.full_name, who.lms_id, who.sis_id, who.login or student, who.section)
        lines.append((*identity, *(grades.get(student) for *_, grades in columns)))
    path = folder / "canvas.csv"
    write_text(path, as_csv((*HEADER, *(header for header, *_ in columns)), lines))
    return [path]

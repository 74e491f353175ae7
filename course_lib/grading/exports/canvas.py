"""Canvas: one line for each student, one column for each exercise.

Canvas matches a column by its header: write `<name> (<assignment id>)` for an assignment that
exists; a header it does not know makes a new assignment.
"""

from pathlib import Path

from course_lib.grading.gradebook.rows import Row, table, write_text
from course_lib.grading.submissions.roster import Roster

HEADER = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def write(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`canvas.csv`, ready for *Grades › Import*."""
    points = {row.exercise: row.max_score for row in rows if row.max_score}
    exercises = sorted(points)
    scores = {(row.student, row.exercise): row.score for row in rows}
    students = {row.student: row.lms_id for row in rows}
    lines = [("Points Possible", "", "", "", "", *(points[e] for e in exercises))]
    for student, lms_id in students.items():
        who = roster.person(student, lms_id)
        identity = (who.full_name, who.lms_id, who.sis_id, who.login or student, who.section)
        lines.append((*identity, *(scores.get((student, e)) for e in exercises)))
    path = folder / "canvas.csv"
    write_text(path, table((*HEADER, *exercises), lines))
    return [path]

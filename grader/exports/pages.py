"""Our own formats again, for a folder that can be given away without the gradebook."""

from pathlib import Path

from grader.gradebook.rows import GRADES, Row, write_grades, write_text
from grader.reports.overview import write_overview
from grader.reports.student import write_reports
from grader.submissions.roster import Roster
from grader.submissions.table import as_csv

COLUMNS = ("student", "name", "exercise", "task", "score", "max_score", "status", "mistake")


def write_csv(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`grades.csv`, and `tasks.csv` with one line for each task."""
    grades, tasks = folder / GRADES, folder / "tasks.csv"
    write_grades(grades, rows)
    lines = [
        (
            *(row.student, roster.person(row.student, row.lms_id).full_name, row.exercise),
            *(task["name"], task["score"], task["max_score"], task["status"], task["mistake"]),
        )
        for row in rows
        for task in row.tasks
    ]
    write_text(tasks, as_csv(COLUMNS, lines))
    return [grades, tasks]


def write_html(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """The overview and every report."""
    write_reports(folder / "reports", rows)
    write_overview(folder / "overview.html", rows)
    return [folder / "overview.html", folder / "reports"]

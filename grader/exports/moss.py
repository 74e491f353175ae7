"""Plain files, one for each student and task, for services that look for similar work: MOSS, JPlag
and Dolos take such folders. A file is there where it was when it was graded, or left out."""

from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import safe_name
from course_lib.checker.notebook import Unreadable, parse_notebook
from grader.gradebook.rows import Row, write_text
from grader.submissions.class_table import file_at
from grader.submissions.roster import Roster


def write(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`<exercise>/<task>/<student>.py`. Raises InputError where no graded file is there."""
    tasks: dict[Path, None] = {}
    for row in rows:
        names = [task["name"] for task in row.tasks]
        read = file_at(row.place) if names and safe_name(f"{row.student}.py") else None
        try:
            data, sha = read() if read else (None, "")
            cells = parse_notebook(data, names).cells if sha == row.sha else ()
        except Unreadable:
            continue
        own = {name: source for name, source in cells if name in names}
        for name, text in own.items():
            if text.strip():
                place = folder / row.exercise / name
                place.mkdir(parents=True, exist_ok=True)
                write_text(place / f"{row.student}.py", text.rstrip() + "\n")
                tasks[place] = None
    if not tasks:
        raise InputError("None of the graded files is where it was: run this where you graded.")
    return list(tasks)

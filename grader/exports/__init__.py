"""Grades for other systems. An export is a function from rows to the files it wrote."""

import tempfile
from pathlib import Path

from course_lib.checker.errors import InputError
from grader.exports import files, tables
from grader.gradebook.database import Gradebook, in_folder
from grader.gradebook.rows import load_people, load_rows
from grader.submissions.roster import load_roster

FORMATS = {
    "csv": tables.write_csv,
    "canvas": tables.write_canvas,
    "moodle": tables.write_moodle,
    "nbgrader": tables.write_nbgrader,
    "ranking": tables.write_ranking,
    "html": files.write_html,
    "junit": files.write_junit,
    "moss": files.write_moss,
    "gradescope": files.write_gradescope,
    "github-classroom": files.write_github,
}


def export(
    out: Path, to: str, missing_as_zero: bool, roster: Path | None, output: Path | None
) -> int:
    """`attn export`: write one format, and say where."""
    database, people = in_folder(out), load_roster(roster)
    target = writable(output or out / "export" / to)
    with Gradebook(database, to_read=True) as gradebook:
        rows = load_rows(gradebook, missing_as_zero)
        people = people.known_as(load_people(gradebook))
    print(*FORMATS[to](rows, people, target), sep="\n")
    return 0


def writable(folder: Path) -> Path:
    """The folder that a command writes into, made where it is not there. Raises InputError where
    nothing can be written in it, as beside a gradebook that may only be read."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise InputError(
            f"The folder {str(folder)!r} cannot be written: {error.strerror}. Name another one "
            "with --output."
        ) from None

"""Grades for other systems. An export is a function from rows to the files it wrote."""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import one_line
from grader.exports import files, tables
from grader.gradebook.database import Gradebook, in_folder
from grader.gradebook.rows import Row, load_people, load_rows
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
WITH_MARKS = ("canvas", "moodle", "nbgrader")  # where a grade waits for the last mark


def export(
    out: Path, to: str, missing_as_zero: bool, roster: Path | None, output: Path | None
) -> int:
    """`attn export`: write one format, and say where."""
    database, people = in_folder(out), load_roster(roster)
    target = writable(output or out / "export" / to)
    with Gradebook(database, to_read=True) as gradebook:
        rows = load_rows(gradebook, missing_as_zero)
        people = people.known_as(*load_people(gradebook))
    for line in people.remarks:
        print(f"attn: {one_line(line)}", file=sys.stderr)
    print(*FORMATS[to](rows, people, target), sep="\n")
    for line in waiting(rows) if to in WITH_MARKS else ():
        print(f"attn: {line}", file=sys.stderr)
    return 0


def waiting(rows: Iterable[Row]) -> Iterator[str]:
    """Of each exercise whose answers in words are not all marked: whose grades are empty, and what
    to do."""
    rows = list(rows)
    theirs = Counter(row.exercise for row in rows)
    for exercise, count in Counter(row.exercise for row in rows if row.to_mark).items():
        yield (
            f"{exercise}: in {count} of {theirs[exercise]} rows an answer in words is not marked, "
            "and a grade that needs it is empty. Fill in the table in the folder 'written', then "
            "attn marks; or let them not count: written = false in course.toml, then attn grade."
        )


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

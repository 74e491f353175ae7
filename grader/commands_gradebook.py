"""The `attn` commands over a gradebook, after a class was graded."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

SYSTEMS = ("github-classroom", "gradescope", "nbgrader")
FORMATS = tuple(sorted((*SYSTEMS, "canvas", "csv", "html", "junit", "moodle", "moss", "ranking")))
SHARED = """
    submissions: a folder, a zip as the platform gave it, or a table that attn collect wrote
    from_ PLATFORM: whose layout it has: %(choices)s (default for a folder: folders)
    assignment NAME: what GitHub's repositories are called before the login, such as hw1
    roster FILE: a CSV with the column student; also name, email, lms_id, sis_id, section
    out DIR: the gradebook: what attn grade had as --out
    missing_as_zero: write 0 for who handed in nothing (default: leave it empty)
"""


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no number: it stands in the course's address")


def needs_linux(sentence: str) -> None:
    """Raises ProfileError with this sentence anywhere else."""
    from course_lib.checker.errors import ProfileError

    if not sys.platform.startswith("linux"):
        raise ProfileError(sentence)


def export(
    _,
    /,
    out: Path,
    *,
    to: Annotated[str, FORMATS],
    missing_as_zero: bool = False,
    roster: Path | None = None,
    output: Path | None = None,
) -> int:
    """Write a gradebook's grades for another system.

    Write the grades of a gradebook in another system's format.

    Args:
        to FORMAT: %(choices)s
        output FOLDER: where to write (default: DIR/export/FORMAT)

    Example: attn export grades --to canvas --roster class.csv.
    """
    from grader.exports import export

    return export(out, to, missing_as_zero, roster, output)


def push(
    _,
    /,
    out: Path,
    *,
    to: Annotated[str, ("canvas",)],
    url: str = "",
    course: Annotated[int, _number],
    assignment: Sequence[str],
    yes: bool = False,
    missing_as_zero: bool = False,
    roster: Path | None = None,
) -> int:
    """Send a gradebook's grades to a course on Canvas.

    Show which grades would change on Canvas; with --yes, send them and read them back. Only rows of
    the gradebook are sent. The access token is read from the environment, CANVAS_TOKEN.

    Args:
        to PLATFORM: canvas
        url: of Canvas (default: CANVAS_URL)
        course NUMBER: the numbers in the addresses of Canvas's course and assignment
        assignment EXERCISE=NUMBER: such as 01_softmax=4711; may be given several times
        yes: send what is shown

    Example: attn push grades --to canvas --url https://canvas.example.org --course 1234
    --assignment 01_softmax=4711. Exit status: 0 shown, or sent; 2 something is missing, or Canvas
    refused.
    """
    from grader.exports.push import push

    return push(out, url, course, assignment, yes, missing_as_zero, roster)


def feedback(
    _, /, out: Path, *, for_: Annotated[str, ("canvas", "moodle")], output: Path | None = None
) -> int:
    """Put the reports into a zip that Moodle or Canvas takes back.

    Write the students' report pages into one zip for each exercise, under the names of the
    platform's own download.

    Args:
        for_ PLATFORM: %(choices)s
        output FOLDER: where to write (default: DIR/feedback)

    Example: attn feedback grades --for moodle. Then in Moodle: View all submissions, Upload
    multiple feedback files in a zip (the assignment needs feedback files switched on). In Canvas:
    the assignment, Upload Submissions; there a page keeps the name of the notebook that it answers.
    Exit status: 0 written; 2 the graded files do not have the platform's names.
    """
    from grader.exports.feedback import feedback

    return feedback(out, for_, output)


def marks(exercises, /, out: Path, file: Path, *, by: str = "") -> int:
    """Merge the points that a person gave for written answers.

    Merge a table of marks into the gradebook: all of it, or nothing. attn grade writes such a table
    to fill in, DIR/written/EXERCISE.csv, beside a page with all answers.

    Args:
        file FILE.csv: a CSV with the columns student, exercise, item, points; also comment,
            submission_sha256
        by NAME: who marked (default: your login)

    Example: attn marks grades grades/written/lab_2_find_the_bug.csv. A line without points is not
    marked yet. Exit status: 0 merged; 2 a line cannot be used, and nothing was merged.
    """
    needs_linux("Marks are merged on Linux, as the class was graded.")
    from grader.pipeline.marks import merge_marks

    return merge_marks(out, file, by, exercises())


def show(exercises, /, out: Path, student: str, exercise: str) -> int:
    """Show one row in full, for an appeal.

    Print all that is known of one row: points, each deduction with its reason, each case's verdict;
    where points were lost the code is run again in the sandbox, on the inputs that it was graded
    with, and the first that fails is printed, with what came and what is right. Not for students:
    who sees hidden inputs can write an answer for them.

    Args:
        student: the name in grades.csv
        exercise: such as 01_softmax

    Example: attn show grades 'Ann Lee' 01_softmax. Exit status: 0 the row was printed; 2 there is
    no such row.
    """
    needs_linux("Showing a row needs Linux, as grading it did.")
    from grader.pipeline.show import show_row

    return show_row(out, student, exercise, exercises())


COMMANDS = (export, push, feedback, marks, show)

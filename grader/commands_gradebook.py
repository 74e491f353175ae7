"""The `attn` commands over a gradebook, after a class was graded."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from grader import options
from grader.options import needs_linux

SYSTEMS = ("github-classroom", "gradescope", "nbgrader")
FORMATS = tuple(sorted((*SYSTEMS, "canvas", "csv", "html", "junit", "moodle", "moss", "ranking")))


def _number(_: Any, tokens: Sequence[Any]) -> int:
    text = tokens[0].value
    if text.isdecimal():
        return int(text)
    raise ValueError(f"{text!r} is no number: it stands in the course's address")


def export(
    out: options.Gradebook,
    /,
    *,
    to: Annotated[str, Parameter(metavar="FORMAT", choices=FORMATS)],
    missing_as_zero: options.MissingAsZero = False,
    roster: options.Roster | None = None,
    output: options.Folder | None = None,
) -> int:
    """Write a gradebook's grades for another system, in its format.

    Example: attn export grades --to canvas --roster class.csv

    Args:
        to: what the grades are written as
        output: where to write (default: DIR/export/FORMAT)
    """
    from grader.exports import export

    return export(out, to, missing_as_zero, roster, output)


def push(
    out: options.Gradebook,
    /,
    *,
    to: Annotated[str, Parameter(metavar="PLATFORM", choices=("canvas",))],
    url: Annotated[str, Parameter(metavar="URL")] = "",
    course: Annotated[int, Parameter(metavar="NUMBER", converter=_number)],
    assignment: Annotated[Sequence[str], Parameter(metavar="EXERCISE=NUMBER")],
    yes: bool = False,
    missing_as_zero: options.MissingAsZero = False,
    roster: options.Roster | None = None,
) -> int:
    """Send a gradebook's grades to a course on Canvas.

    Which grades would change on Canvas is shown; with --yes, they are sent and read back. Only rows
    of the gradebook are sent. The access token is read from the environment, CANVAS_TOKEN.

    Example: attn push grades --to canvas --url https://canvas.example.org --course 1234
    --assignment 01_softmax=4711

    Exit status: 0 shown, or sent; 2 something is missing, or Canvas refused.

    Args:
        to: where the grades go
        url: of Canvas (default: CANVAS_URL)
        course: the number in the address of Canvas's course
        assignment: the number in the address of an exercise's assignment, such as 01_softmax=4711;
            may be given several times
        yes: send what is shown
    """
    from grader.exports.push import push

    return push(out, url, course, assignment, yes, missing_as_zero, roster)


def feedback(
    out: options.Gradebook,
    /,
    *,
    for_: Annotated[str, Parameter(metavar="PLATFORM", choices=("canvas", "moodle"))],
    output: options.Folder | None = None,
) -> int:
    """Put the reports into a zip that Moodle or Canvas takes back.

    There is one zip for each exercise, with the students' report pages under the names of the
    platform's own download.

    Example: attn feedback grades --for moodle

    Then in Moodle: View all submissions, Upload multiple feedback files in a zip (the assignment
    needs feedback files switched on). In Canvas: the assignment, Upload Submissions; there a page
    keeps the name of the notebook that it answers.

    Exit status: 0 written; 2 the graded files do not have the platform's names.

    Args:
        for_: who takes them back
        output: where to write (default: DIR/feedback)
    """
    from grader.exports.feedback import feedback

    return feedback(out, for_, output)


def marks(
    out: options.Gradebook,
    file: Annotated[Path, Parameter(metavar="FILE.csv")],
    /,
    *,
    by: Annotated[str, Parameter(metavar="NAME")] = "",
    exercises: options.Exercises,
) -> int:
    """Merge the points that a person gave for written answers.

    All of the table is merged into the gradebook, or nothing. attn grade writes such a table to
    fill in, DIR/written/EXERCISE.csv, beside a page with all answers. A line without points is not
    marked yet.

    Example: attn marks grades grades/written/lab_2_find_the_bug.csv

    Exit status: 0 merged; 2 a line cannot be used, and nothing was merged.

    Args:
        file: a CSV with the columns student, exercise, item, points; also comment,
            submission_sha256
        by: who marked (default: your login)
    """
    needs_linux("Marks are merged on Linux, as the class was graded.")
    from grader.pipeline.marks import merge_marks

    return merge_marks(out, file, by, exercises())


def show(
    out: options.Gradebook,
    student: str,
    exercise: str,
    /,
    *,
    exercises: options.Exercises,
) -> int:
    """Show one row in full, for an appeal.

    All that is known of it is printed: points, each deduction with its reason, each case's verdict;
    where points were lost the code is run again in the sandbox, on the inputs that it was graded
    with, and the first that fails is printed, with what came and what is right. Not for students:
    who sees hidden inputs can write an answer for them.

    Example: attn show grades 'Ann Lee' 01_softmax

    Exit status: 0 the row was printed; 2 there is no such row.

    Args:
        student: the name in grades.csv
        exercise: such as 01_softmax
    """
    needs_linux("Showing a row needs Linux, as grading it did.")
    from grader.pipeline.show import show_row

    return show_row(out, student, exercise, exercises())


def unnamed(out: options.Gradebook, /, *, exercises: options.Exercises) -> int:
    """Show wrong answers that are no known mistake, those that do the same together.

    The most frequent group comes first, each with its shortest answer and an input on which it is
    wrong, so that the next mistake of an exercise can be named. The files have to be where they
    were; their code runs again in the sandbox.

    Example: attn unnamed grades
    """
    needs_linux("Running answers again needs Linux, as grading did.")
    from grader.pipeline.unnamed import unnamed

    return unnamed(out, exercises())


COMMANDS = (export, push, feedback, marks, show, unnamed)

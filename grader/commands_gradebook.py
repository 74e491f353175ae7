"""The `attn` commands over a gradebook, after a class was graded."""

import argparse
import sys
from pathlib import Path

SYSTEMS = ("github-classroom", "gradescope", "nbgrader")
FORMATS = (*SYSTEMS, "canvas", "csv", "html", "junit", "moodle", "moss")


def add(commands) -> None:
    """Add them to the parser of `attn`."""
    _add_export(commands)
    _add_push(commands)
    _add_feedback(commands)
    _add_marks(commands)
    _add_show(commands)


def _add_export(commands) -> None:
    export = commands.add_parser(
        "export",
        help="write a gradebook's grades for another system",
        description="Write the grades of a gradebook in another system's format.",
        epilog="Example: attn export grades --to canvas --roster class.csv.",
    )
    _add_gradebook(export)
    export.add_argument(
        "--to",
        required=True,
        choices=sorted(FORMATS),
        metavar="FORMAT",
        help=", ".join(sorted(FORMATS)),
    )
    _add_zero(export)
    add_roster(export)
    add_output(export, None, "DIR/export/FORMAT")
    export.set_defaults(command=_export)


def _add_push(commands) -> None:
    push = commands.add_parser(
        "push",
        help="send a gradebook's grades to a course on Canvas",
        description="Show which grades would change on Canvas; with --yes, send them and read "
        "them back. Only rows of the gradebook are sent. The access token is read from the "
        "environment, CANVAS_TOKEN.",
        epilog="Example: attn push grades --to canvas --url https://canvas.example.org --course "
        "1234 --assignment 01_softmax=4711. Exit status: 0 shown, or sent; 2 something is missing, "
        "or Canvas refused.",
    )
    _add_gradebook(push)
    push.add_argument("--to", required=True, choices=("canvas",), metavar="PLATFORM", help="canvas")
    push.add_argument("--url", default="", metavar="URL", help="of Canvas (default: CANVAS_URL)")
    words = "the numbers in the addresses of Canvas's course and assignment"
    push.add_argument("--course", required=True, type=_number, metavar="NUMBER", help=words)
    push.add_argument(
        "--assignment",
        action="append",
        required=True,
        metavar="EXERCISE=NUMBER",
        help="such as 01_softmax=4711; may be given several times",
    )
    push.add_argument("--yes", action="store_true", help="send what is shown")
    _add_zero(push)
    add_roster(push)
    push.set_defaults(command=_push)


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no number: it stands in the course's address")


def _add_zero(parser) -> None:
    words = "write 0 for who handed in nothing (default: leave it empty)"
    parser.add_argument("--missing-as-zero", action="store_true", help=words)


def _push(arguments, exercises) -> int:
    from grader.exports.push import push

    return push(arguments)


def _add_feedback(commands) -> None:
    feedback = commands.add_parser(
        "feedback",
        help="put the reports into a zip that Moodle or Canvas takes back",
        description="Write the students' report pages into one zip for each exercise, under the "
        "names of the platform's own download.",
        epilog="Example: attn feedback grades --for moodle. Then in Moodle: View all submissions, "
        "Upload multiple feedback files in a zip (the assignment needs feedback files switched "
        "on). In Canvas: the assignment, Upload Submissions; there a page keeps the name of the "
        "notebook that it answers. Exit status: 0 written; 2 the graded files do not have the "
        "platform's names.",
    )
    _add_gradebook(feedback)
    feedback.add_argument(
        "--for",
        dest="platform",
        required=True,
        choices=("canvas", "moodle"),
        metavar="PLATFORM",
        help="canvas, moodle",
    )
    add_output(feedback, None, "DIR/feedback")
    feedback.set_defaults(command=_feedback)


def _add_marks(commands) -> None:
    marks = commands.add_parser(
        "marks",
        help="merge the points that a person gave for written answers",
        description="Merge a table of marks into the gradebook: all of it, or nothing. attn grade "
        "writes such a table to fill in, DIR/written/EXERCISE.csv, beside a page with all answers.",
        epilog="Example: attn marks grades grades/written/lab_2_find_the_bug.csv. A line without "
        "points is not marked yet. Exit status: 0 merged; 2 a line cannot be used, and nothing "
        "was merged.",
    )
    _add_gradebook(marks)
    words = (
        "a CSV with the columns student, exercise, item, points; also comment, submission_sha256"
    )
    marks.add_argument("file", type=Path, metavar="FILE.csv", help=words)
    marks.add_argument("--by", default="", metavar="NAME", help="who marked (default: your login)")
    marks.set_defaults(command=_marks)


def _add_show(commands) -> None:
    show = commands.add_parser(
        "show",
        help="show one row in full, for an appeal",
        description="Print all that is known of one row: points, each deduction with its reason, "
        "each case's verdict; where points were lost the code is run again in the sandbox, on the "
        "inputs that it was graded with, and the first that fails is printed, with what came and "
        "what is right. Not for students: who sees hidden inputs can write an answer for them.",
        epilog="Example: attn show grades 'Ann Lee' 01_softmax. Exit status: 0 the row was "
        "printed; 2 there is no such row.",
    )
    _add_gradebook(show)
    show.add_argument("student", metavar="STUDENT", help="the name in grades.csv")
    show.add_argument("exercise", metavar="EXERCISE", help="such as 01_softmax")
    show.set_defaults(command=_show)


def add_roster(parser) -> None:
    """`--roster`, as more than one command has it."""
    parser.add_argument(
        "--roster",
        type=Path,
        metavar="FILE",
        help="a CSV with the column student; also name, email, lms_id, sis_id, section",
    )


def add_output(parser, default: Path | None, said: str) -> None:
    """`--output`, with what holds without it."""
    words = f"where to write (default: {said})"
    parser.add_argument("--output", type=Path, default=default, metavar="FOLDER", help=words)


def _add_gradebook(parser) -> None:
    words = "the gradebook: what attn grade had as --out"
    parser.add_argument("out", type=Path, metavar="DIR", help=words)


def _export(arguments, exercises) -> int:
    from grader.exports.command import export

    return export(arguments)


def _feedback(arguments, exercises) -> int:
    from grader.exports.feedback import feedback

    return feedback(arguments)


def _marks(arguments, exercises) -> int:
    from course_lib.checker.errors import ProfileError

    if not sys.platform.startswith("linux"):
        raise ProfileError("Marks are merged on Linux, as the class was graded.")
    from grader.pipeline.marks import merge_marks

    return merge_marks(arguments, exercises())


def _show(arguments, exercises) -> int:
    from course_lib.checker.errors import ProfileError

    if not sys.platform.startswith("linux"):
        raise ProfileError("Showing a row needs Linux, as grading it did.")
    from grader.pipeline.show import show_row

    return show_row(arguments, exercises())

"""The `attn` commands for the person who grades, after a class was graded."""

import sys
from pathlib import Path


def add(commands) -> None:
    """Add them to the parser of `attn`."""
    _add_show(commands)


def _add_show(commands) -> None:
    show = commands.add_parser(
        "show",
        help="show one row in full, for an appeal",
        description="Print all that is known of one row: how it ended, under which limits, each "
        "case's verdict, and the hidden inputs, drawn again from the gradebook's key. Not for "
        "students: who sees hidden inputs can write an answer for them.",
        epilog="Example: attn show grades 'Ann Lee' 01_softmax. Exit status: 0 the row was "
        "printed; 2 there is no such row.",
    )
    _add_gradebook(show)
    show.add_argument("student", metavar="STUDENT", help="the name in grades.csv")
    show.add_argument("exercise", metavar="EXERCISE", help="such as 01_softmax")
    show.set_defaults(command=_show)


def _add_gradebook(parser) -> None:
    words = "the gradebook: what attn grade had as --out"
    parser.add_argument("out", type=Path, metavar="DIR", help=words)


def _show(arguments) -> int:
    from course_lib.grading.errors import ProfileError

    if not sys.platform.startswith("linux"):
        raise ProfileError("Showing a row needs Linux, as grading it did.")
    from course_lib.exercises import CATALOGUE
    from course_lib.grading.pipeline.show import show_row

    return show_row(arguments, CATALOGUE.exercises)

"""The `attn` commands for the person who grades a class; `attn` itself comes with course_lib."""

import argparse
import contextlib
import sys
from pathlib import Path

from grader import commands_gradebook
from grader.commands_gradebook import SYSTEMS, add_output, add_roster
from grader.submissions.platforms import PLATFORMS

STATUSES = ("missing", "no-result", "memory", "timeout", "crashed", "unreadable", "graded")


def add(commands) -> None:
    """Add them to the parser of `attn`. Each is called with its arguments and a function
    that loads the exercises."""
    _add_collect(commands)
    _add_grade(commands)
    commands_gradebook.add(commands)
    _add_package(commands)


def _add_collect(commands) -> None:
    collect = commands.add_parser(
        "collect",
        help="say whose file is whose: a table to read and edit before grading",
        description="Print the table of a class: student, exercise, path, date, and why it is "
        "this student's. attn grade takes it, edited or not.",
        epilog="Example: attn collect class.zip --from moodle --roster worksheet.csv > class.csv. "
        "Exit status: 0 the table was printed; 2 the input cannot be used.",
    )
    _add_input(collect)
    collect.set_defaults(command=_collect)


def _add_input(parser) -> None:
    parser.add_argument(
        "submissions",
        type=Path,
        metavar="SUBMISSIONS",
        help="a folder, a zip as the platform gave it, or a table that attn collect wrote",
    )
    parser.add_argument(
        "--from",
        dest="platform",
        choices=PLATFORMS,
        metavar="PLATFORM",
        help=f"whose layout it has: {', '.join(PLATFORMS)} (default for a folder: folders)",
    )
    parser.add_argument(
        "--assignment",
        default="",
        metavar="NAME",
        help="what GitHub's repositories are called before the login, such as hw1",
    )
    add_roster(parser)


def _add_grade(commands) -> None:
    grade = commands.add_parser(
        "grade",
        help="grade a folder of submissions, each in a sealed cell",
        description="Grade a class. Run it again at any time: it goes on where it stopped.",
        epilog="Examples: attn grade class --out grades --jobs 2; "
        "attn grade class --out grades --exercise 01_softmax. Exit status: 0 every submission "
        "got a row, whatever it scored; 2 the input cannot be used; 3 it had to stop.",
    )
    _add_input(grade)
    grade.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where the gradebook is kept; one notebook needs none, and its report is printed",
    )
    where = grade.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        type=_positive_int,
        default=1,
        metavar="N",
        help="submissions to grade side by side (default 1)",
    )
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask cluster to grade on")
    grade.add_argument(
        "--timeout",
        type=_positive,
        metavar="S",
        help="seconds of the processor for all code of one submission (default 10)",
    )
    grade.add_argument(
        "--memory",
        type=_positive_int,
        metavar="MB",
        help="memory that one submission may hold, torch's 240 MB included (default 1024)",
    )
    grade.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="exercises, points, credit and limits (default: course.toml beside "
        "SUBMISSIONS); what stands on the command line comes first",
    )
    grade.add_argument(
        "--exceptions",
        type=Path,
        metavar="FILE",
        help="a CSV of extensions and decided points: student, exercise, task, points, days, "
        "reason (default: exceptions.csv beside SUBMISSIONS)",
    )
    grade.add_argument(
        "--exercise",
        metavar="STEM",
        help="only the work for this exercise, such as 01_softmax; other rows stay as they are",
    )
    grade.add_argument(
        "--again",
        action="append",
        default=[],
        choices=STATUSES,
        metavar="STATUS",
        help="grade rows of this status again, whatever is known; may be given several times",
    )
    grade.add_argument(
        "--forget",
        action="append",
        default=[],
        metavar="ROW",
        help="give up STUDENT/EXERCISE, or all of STUDENT: every other row that SUBMISSIONS does "
        "not hold stays as it is; may be given several times",
    )
    grade.add_argument(
        "--anonymous",
        action="store_true",
        help="collect written answers without names, in an order that tells nothing",
    )
    grade.add_argument(
        "--profile", choices=("strong", "portable", "container"), help=argparse.SUPPRESS
    )
    grade.add_argument(
        "--trust-submissions",
        action="store_true",
        help="run them without any sandbox: only for notebooks that you wrote yourself",
    )
    grade.set_defaults(command=_grade)


def _add_package(commands) -> None:
    package = commands.add_parser(
        "package",
        help="make an exercise into another system's assignment",
        description="Write what another system needs to hand out and grade one exercise.",
        epilog="Example: attn package 01_softmax --for gradescope.",
    )
    package.add_argument("exercise", metavar="EXERCISE", help="such as 01_softmax")
    package.add_argument(
        "--for",
        dest="system",
        required=True,
        choices=SYSTEMS,
        metavar="SYSTEM",
        help=", ".join(SYSTEMS),
    )
    add_output(package, Path("."), "here")
    package.set_defaults(command=_package)


def _grade(arguments, exercises) -> int:
    from course_lib.checker.errors import ProfileError

    if not sys.platform.startswith("linux"):
        raise ProfileError(
            "Grading needs Linux, which can seal strangers' code; here, run the same command in "
            "the container that the Containerfile builds."
        )
    from grader.pipeline.command import grade

    return grade(arguments, exercises())


def _collect(arguments, exercises) -> int:
    from grader.pipeline.collected import collect_class

    return collect_class(arguments, exercises())


def _package(arguments, exercises) -> int:
    from grader.packages import package

    return package(arguments.exercise, arguments.system, arguments.output, exercises())


def _positive(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (number := float(text)) < 1e6:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")


def _positive_int(text: str) -> int:
    with contextlib.suppress(ValueError):
        if (number := int(text)) > 0:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")

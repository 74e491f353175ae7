"""The `attn` command: check a notebook, grade a class, export grades, package an exercise."""

import argparse
import contextlib
import sys
from pathlib import Path

from course_lib import cli_gradebook
from course_lib.cli_gradebook import SYSTEMS

GRADED, NOT_YET, UNUSABLE, STOPPED = 0, 1, 2, 3
STATUSES = ("missing", "no-result", "memory", "timeout", "crashed", "unreadable", "graded")
EXTRAS = {"rich": "grade", "dask": "cluster", "distributed": "cluster"}


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status is returned and, from the shell, is the process's."""
    arguments = _parser().parse_args(argv)
    from course_lib.grading.errors import GradebookError, InputError, ProfileError

    try:
        return arguments.command(arguments)
    except (InputError, ProfileError) as error:
        print(f"attn: {error}", file=sys.stderr)
        return UNUSABLE
    except (GradebookError, OSError) as error:
        print(f"attn: stopped: {error}", file=sys.stderr)
        return STOPPED
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            raise
        need = f"it comes with `pip install -e '.[{EXTRAS[missing]}]'` in the course's folder"
        print(f"attn: this needs the package {missing}; {need}.", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("attn: stopped; run the command again to go on", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attn",
        description="Check a notebook, grade a class, hand the grades on.",
        epilog="attn COMMAND --help says more, with an example.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_check(commands)
    _add_grade(commands)
    cli_gradebook.add(commands)
    _add_package(commands)
    return parser


def _add_check(commands) -> None:
    check = commands.add_parser(
        "check",
        help="check one notebook, on your own machine",
        description="Check every answer of a notebook and say what is wrong with it.",
        epilog="Example: attn check 01_softmax.ipynb. "
        "Exit status: 0 every task holds; 1 not yet; 2 the notebook cannot be used.",
    )
    check.add_argument("notebook", type=Path, metavar="NOTEBOOK", help="such as 01_softmax.ipynb")
    check.set_defaults(command=_check)


def _add_grade(commands) -> None:
    grade = commands.add_parser(
        "grade",
        help="grade a folder of submissions, each in a sealed cell",
        description="Grade a class. Run it again at any time: it goes on where it stopped.",
        epilog="Examples: attn grade class --out grades --jobs 2; "
        "attn grade class --out grades --exercise 01_softmax. Exit status: 0 every submission "
        "got a row, whatever it scored; 2 the input cannot be used; 3 it had to stop.",
    )
    grade.add_argument(
        "submissions",
        type=Path,
        metavar="SUBMISSIONS",
        help="a folder of <student>/<exercise>.ipynb or <student>_<exercise>.ipynb, "
        "or a zip from Canvas or Moodle",
    )
    grade.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where the gradebook is kept"
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
        help="seconds that all code of one submission may take (default 10)",
    )
    grade.add_argument(
        "--memory",
        type=_positive_int,
        metavar="MB",
        help="memory that one submission may hold, torch's 240 MB included (default 1024)",
    )
    cli_gradebook.add_roster(grade)
    grade.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="exercises, points, credit and limits (default: course.toml in SUBMISSIONS or beside "
        "it); what stands on the command line comes first",
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
        "--add",
        action="store_true",
        help="keep earlier rows that are not in SUBMISSIONS, such as everyone's but a late one's",
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
    cli_gradebook.add_output(package, Path("."), "here")
    package.set_defaults(command=_package)


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


def _check(arguments) -> int:
    from course_lib.exercises import CATALOGUE
    from course_lib.grading.pipeline.check_notebook import check_notebook

    return check_notebook(arguments.notebook, CATALOGUE, print)


def _grade(arguments) -> int:
    from course_lib.grading.errors import ProfileError

    if not sys.platform.startswith("linux"):
        raise ProfileError(
            "Grading needs Linux, which can seal strangers' code; here, run the same command in "
            "the container that the Containerfile builds."
        )
    from course_lib.exercises import CATALOGUE
    from course_lib.grading.pipeline.command import grade

    return grade(arguments, CATALOGUE.exercises)


def _package(arguments) -> int:
    from course_lib.exercises import CATALOGUE
    from course_lib.grading.packages import package

    return package(arguments.exercise, arguments.system, arguments.output, CATALOGUE.exercises)


if __name__ == "__main__":
    sys.exit(main())

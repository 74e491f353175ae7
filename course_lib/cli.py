"""The `attn` command: check a notebook; with the grader installed, grade a class."""

import argparse
import sys
from collections.abc import Mapping
from importlib.metadata import entry_points, version
from pathlib import Path

NOT_YET, UNUSABLE, STOPPED = 1, 2, 3
GRADER_COMMANDS = (*("collect", "export", "feedback", "grade", "marks", "package", "push", "show"),)
EXTRAS = {
    "rich": "grader",
    "dask": "grader[cluster]",
    "distributed": "grader[cluster]",
    "canvasapi": "grader[canvas]",
}


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status is returned and, from the shell, is the process's."""
    argv = sys.argv[1:] if argv is None else list(argv)
    commands = entry_points(group="attn.commands")
    if argv[:1] and argv[0] in GRADER_COMMANDS and not commands:
        print(
            f"attn: `attn {argv[0]}` needs the grader, a package of its own: "
            "`pip install ./grader` in the course's folder.",
            file=sys.stderr,
        )
        return UNUSABLE
    arguments = _parser(commands).parse_args(argv)
    from course_lib.checker.errors import GradebookError, InputError, ProfileError

    try:
        return arguments.command(arguments, _exercises)
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
        need = f"it comes with `pip install './{EXTRAS[missing]}'` in the course's folder"
        print(f"attn: this needs the package {missing}; {need}.", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("attn: stopped; run the command again to go on", file=sys.stderr)
        return 130


def _parser(more) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attn",
        description="Check a notebook, grade a class, hand the grades on.",
        epilog="attn COMMAND --help says more, with an example.",
    )
    parser.add_argument("--version", action="version", version=f"attn {version('course-lib')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_check(commands)
    _add_new_exercise(commands)
    for entry in more:
        entry.load()(commands)
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


def _add_new_exercise(commands) -> None:
    new = commands.add_parser(
        "new-exercise",
        help="write an exercise of your own, to begin with, into a copy of the course",
        description="Write a small exercise that works: its task and notebook are yours to change.",
        epilog="Example: attn new-exercise masked_mean, in the folder that holds `solutions`.",
    )
    new.add_argument("name", metavar="NAME", help="that of its first task, such as masked_mean")
    new.set_defaults(command=_new_exercise)


def _exercises() -> Mapping:
    """The course's exercises, which bring torch: loaded by the commands that need them."""
    from course_lib.exercises import CATALOGUE

    return CATALOGUE.exercises


def _new_exercise(arguments, exercises) -> int:
    from course_lib.scaffold import new_exercise

    new_exercise(Path.cwd(), arguments.name, print)
    return 0


def _check(arguments, exercises) -> int:
    from course_lib.checker.check_notebook import check_notebook

    words = "This runs the notebook's code on this machine, without a sandbox: for your own work."
    print(words, file=sys.stderr)
    return check_notebook(arguments.notebook, exercises(), print)


if __name__ == "__main__":
    sys.exit(main())

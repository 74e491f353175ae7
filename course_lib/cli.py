"""The `attn` command: check a notebook; with the grader installed, grade a class."""

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

NOT_YET, UNUSABLE, STOPPED = 1, 2, 3
GRADER_COMMANDS = (*("collect", "export", "feedback", "grade", "marks", "package", "push", "show"),)
EXTRAS = {
    "rich": "grader",
    "dask": "grader[cluster]",
    "distributed": "grader[cluster]",
}
ENTRY = re.compile(r"^    (either |or )?(\w+)(?: (\S+))?: (.+(?:\n {8}.+)*)", re.MULTILINE)


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
    arguments = vars(_parser(commands).parse_args(argv))
    from course_lib.checker.errors import GradebookError, InputError, ProfileError

    try:
        return arguments.pop("command")(_exercises, **arguments)
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


def check(exercises: Callable[[], Mapping], /, notebook: Path) -> int:
    """Check one notebook, on your own machine.

    Check every answer of a notebook and say what is wrong with it.

    Args:
        notebook: such as 01_softmax.ipynb

    Example: attn check 01_softmax.ipynb.
    Exit status: 0 every task holds; 1 not yet; 2 the notebook cannot be used.
    """
    from course_lib.checker.check_notebook import check_notebook

    words = "This runs the notebook's code on this machine, without a sandbox: for your own work."
    print(words, file=sys.stderr)
    return check_notebook(notebook, exercises(), print)


def new_exercise(exercises: Callable[[], Mapping], /, name: str) -> int:
    """Write an exercise of your own, to begin with, into a copy of the course.

    Write a small exercise that works: its task and notebook are yours to change.

    Args:
        name: that of its first task, such as masked_mean

    Example: attn new-exercise masked_mean, in the folder that holds `solutions`.
    """
    from course_lib.scaffold import new_exercise

    new_exercise(Path.cwd(), name, print)
    return 0


def _exercises() -> Mapping:
    """The course's exercises, which bring torch: loaded by the commands that need them."""
    from course_lib.exercises import CATALOGUE

    return CATALOGUE.exercises


def _parser(more) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attn",
        description="Check a notebook, grade a class, hand the grades on.",
        epilog="attn COMMAND --help says more, with an example.",
    )
    parser.add_argument("--version", action="version", version=f"attn {version('course-lib')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add = partial(add_command, commands)
    add(check)
    add(new_exercise)
    for entry in more:
        entry.load()(add)
    return parser


def add_command(commands, function: Callable[..., int], shared: str = "") -> None:
    """Add a function whose signature and docstring are its command line.

    Args:
        commands: argparse's subparsers.
        function: before `/` stands what `main` gives it, then its arguments, after `*` its options.
            Its docstring has a summary, what `--help` begins with, perhaps `Args:`, and examples.
            `either` and `or` are options that exclude each other; what has no words is not shown.
        shared: such words for arguments that several commands have.
    """
    summary, description, *own, examples = (inspect.getdoc(function) or "").split("\n\n")
    entries = ENTRY.findall("\n".join([shared, *own]))
    words = {name: (join, metavar, text) for join, name, metavar, text in entries}
    parser: Any = commands.add_parser(
        function.__name__.replace("_", "-"),
        help=summary[0].lower() + summary[1:].rstrip("."),
        description=description,
        epilog=examples,
    )
    parser.set_defaults(command=function)
    types = get_type_hints(function, include_extras=True)
    either = None
    for name, one in inspect.signature(function).parameters.items():
        if one.kind is one.POSITIONAL_ONLY:
            continue
        join, metavar, text = words.get(name, ("", "", argparse.SUPPRESS))
        flag = name.strip("_").replace("_", "-")
        how = {"help": text} | _reading(types[name])
        if how.get("action") != "store_true":
            how["metavar"] = metavar or flag.upper()
        if one.kind is one.POSITIONAL_OR_KEYWORD:
            parser.add_argument(name, **how)
            continue
        default = [] if one.default == () else one.default
        how |= {"required": True} if default is one.empty else {"default": default}
        either = parser.add_mutually_exclusive_group() if join == "either " else either
        (either if join else parser).add_argument(f"--{flag}", dest=name, **how)


def _reading(hint: Any) -> dict[str, Any]:
    """How a value of this type is read: Annotated names the choices, or what reads the text."""
    kind, inside = get_origin(hint), get_args(hint)
    if hint is bool:
        return {"action": "store_true"}
    if kind is Sequence:
        return {"action": "append"} | _reading(inside[0])
    if kind is Annotated:
        return {"choices" if isinstance(inside[1], tuple) else "type": inside[1]}
    return _reading(inside[0]) if inside else {"type": hint}


if __name__ == "__main__":
    sys.exit(main())

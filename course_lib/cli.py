"""The `attn` command: check a notebook; with the grader installed, grade a class.

Signature and docstring of a command are its command line, read by cyclopts. A package adds commands
by an entry point of the group `attn.commands`: a function that takes the App.
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Annotated, Any

from course_lib.terminal import run_command

try:
    from cyclopts import App, CycloptsError, Parameter
except ModuleNotFoundError as missing:  # the core was installed without the course
    sys.exit(
        f"attn: {missing.name} is not installed; it comes with the course: python -m pip install "
        "'course-lib[course]', in the course's folder '.[course]'."
    )

NOT_YET, UNUSABLE, STOPPED = 1, 2, 3
NO_GRADER = (
    "What grades a class comes with the grader, a package of its own: `pip install ./grader` in "
    "the course's folder."
)
# What `main` gives to a command that asks for it: it brings torch, so it is loaded when it is used.
Exercises = Annotated[Callable[[], Mapping[str, Any]], Parameter(parse=False)]


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status is returned and, from the shell, is the process's."""
    return run_command(partial(_run, argv))


def _run(argv: list[str] | None) -> int:
    argv = sys.argv[1:] if argv is None else list(argv)
    more = entry_points(group="attn.commands")
    attn = App(
        name="attn",
        help="Check a notebook, grade a class, hand the grades on.",
        help_epilogue="" if more else NO_GRADER,
        version=f"attn {version('course-lib')}",
        default_parameter=Parameter(negative=(), show_default=False),
    )
    for function in (check, new_exercise, new_mistake):
        attn.command(function)
    for entry in more:
        entry.load()(attn)
    try:
        command, given, wanted = attn.parse_args(argv, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        asked = " ".join(["attn", *(error.command_chain or ())])
        advice = f"`{asked} --help` says more." if more else NO_GRADER
        print(f"attn: {str(error).rstrip('.')}. {advice}", file=sys.stderr)
        return UNUSABLE
    from course_lib.checker.errors import GradebookError, InputError, ProfileError

    try:
        status = command(*given.args, **given.kwargs, **dict.fromkeys(wanted, _exercises))
        return (status or 0) if argv else UNUSABLE
    except (InputError, ProfileError) as error:
        print(f"attn: {error}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        raise
    except (GradebookError, OSError) as error:
        print(f"attn: stopped: {error}", file=sys.stderr)
        return STOPPED
    except KeyboardInterrupt:
        print("attn: stopped; run the command again to go on", file=sys.stderr)
        return 130


def check(notebook: Path, /, *, exercises: Exercises) -> int:
    """Check one notebook, on your own machine.

    Every answer is checked, and what is wrong with it is said.

    Example: attn check 01_softmax.ipynb

    Exit status: 0 every task holds; 1 not yet; 2 the notebook cannot be used.

    Args:
        notebook: such as 01_softmax.ipynb
    """
    from course_lib.checker.check_notebook import check_notebook

    words = "This runs the notebook's code on this machine, without a sandbox: for your own work."
    print(words, file=sys.stderr)
    return check_notebook(notebook, exercises(), print)


def new_exercise(name: str, /) -> int:
    """Write an exercise of your own, to begin with, into a copy of the course.

    It is small and works: its task and notebook are yours to change.

    Example: attn new-exercise masked_mean, in the folder that holds `solutions`

    Args:
        name: that of its first task, such as masked_mean
    """
    from course_lib.scaffold import new_exercise

    new_exercise(Path.cwd(), name, print)
    return 0


def new_mistake(
    task: str,
    /,
    *,
    old: str | None = None,
    new: str | None = None,
    says: str | None = None,
    name: str | None = None,
    exercises: Exercises,
) -> int:
    """Add a mistake of your course's own to a task, and prove it.

    What is not given is asked for. The mistake is a change of the task's reference: it has to fail,
    nothing may say as much already, and no answer that the course holds may be told its sentence.
    It is written into a package of your own, `own_course`, which an update leaves as it is.

    Example: attn new-mistake softmax

    Args:
        task: such as softmax
        old: words of the reference, which occur in it once
        new: what stands in their place
        says: the sentence for whoever wrote that
        name: a short one, such as no-keepdims
    """
    from course_lib.scaffold.mistake import new_mistake

    given = {"old": old, "new": new, "says": says, "name": name}
    new_mistake(Path.cwd(), exercises(), task, given, print)
    return 0


def _exercises() -> Mapping[str, Any]:
    from course_lib.exercises import CATALOGUE

    return CATALOGUE.exercises


if __name__ == "__main__":
    sys.exit(main())

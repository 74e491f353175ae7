"""The `attn` commands for the person who grades a class; `attn` itself comes with course_lib.

Signature and docstring of each are its command line (`course_lib.cli.add_command`). What they are
called with first loads the exercises.
"""

import argparse
import contextlib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

from grader import commands_gradebook
from grader.commands_gradebook import SHARED, SYSTEMS, needs_linux
from grader.submissions.platforms import PLATFORMS

STATUSES = ("missing", "no-result", "memory", "timeout", "crashed", "unreadable", "graded")
PROFILES = ("strong", "portable", "container")


def add(command) -> None:
    """Give each to `command`, which adds it to the parser of `attn`."""
    for function in (collect, grade, *commands_gradebook.COMMANDS, package):
        command(function, SHARED)


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


def collect(
    exercises,
    /,
    submissions: Path,
    *,
    from_: Annotated[str, PLATFORMS] | None = None,
    assignment: str = "",
    roster: Path | None = None,
) -> int:
    """Say whose file is whose: a table to read and edit before grading.

    Print the table of a class: student, exercise, path, date, and why it is this student's.
    attn grade takes it, edited or not.

    Example: attn collect class.zip --from moodle --roster worksheet.csv > class.csv.
    Exit status: 0 the table was printed; 2 the input cannot be used.
    """
    from grader.pipeline.collected import collect_class

    return collect_class(submissions, from_, assignment, exercises(), roster)


def grade(
    exercises,
    /,
    submissions: Path,
    *,
    from_: Annotated[str, PLATFORMS] | None = None,
    assignment: str = "",
    roster: Path | None = None,
    out: Path | None = None,
    jobs: Annotated[int, _positive_int] = 1,
    scheduler: str | None = None,
    timeout: Annotated[float, _positive] | None = None,
    memory: Annotated[int, _positive_int] | None = None,
    config: Path | None = None,
    exceptions: Path | None = None,
    exercise: str | None = None,
    again: Sequence[Annotated[str, STATUSES]] = (),
    forget: Sequence[str] = (),
    anonymous: bool = False,
    profile: Annotated[str, PROFILES] | None = None,
    trust_submissions: bool = False,
) -> int:
    """Grade a folder of submissions, each in a sandboxed process.

    Grade a class. Run it again at any time: it goes on where it stopped.

    Args:
        out DIR: where the gradebook is kept; one notebook needs none, and its report is printed
        either jobs N: submissions to grade side by side (default 1)
        or scheduler ADDRESS: a Dask cluster to grade on
        timeout S: seconds of the processor for all code of one submission (default 10)
        memory MB: memory that one submission may hold, torch's 240 MB included (default 1024)
        config FILE: exercises, points, credit and limits (default: course.toml beside
            SUBMISSIONS); what stands on the command line comes first
        exceptions FILE: a CSV of extensions and decided points: student, exercise, task, points,
            days, reason (default: exceptions.csv beside SUBMISSIONS)
        exercise STEM: only the work for this exercise, such as 01_softmax; other rows stay as
            they are
        again STATUS: grade rows of this status again, whatever is known; may be given several times
        forget ROW: give up STUDENT/EXERCISE, or all of STUDENT: every other row that SUBMISSIONS
            does not hold stays as it is; may be given several times
        anonymous: collect written answers without names, in an order that tells nothing
        trust_submissions: run them without any sandbox: only for notebooks that you wrote yourself

    Examples: attn grade class --out grades --jobs 2;
    attn grade class --out grades --exercise 01_softmax. Exit status: 0 every submission got a row,
    whatever it scored; 2 the input cannot be used; 3 it had to stop.
    """
    given = SimpleNamespace(**locals())
    needs_linux(
        "Grading needs Linux, which can seal strangers' code; here, run the same command in the "
        "container that the Containerfile builds."
    )
    from grader.pipeline.command import grade

    return grade(given, exercises())


def package(
    exercises,
    /,
    exercise: str,
    *,
    for_: Annotated[str, SYSTEMS],
    output: Path = Path("."),
) -> int:
    """Make an exercise into another system's assignment.

    Write what another system needs to hand out and grade one exercise.

    Args:
        exercise: such as 01_softmax
        for_ SYSTEM: %(choices)s
        output FOLDER: where to write (default: here)

    Example: attn package 01_softmax --for gradescope.
    """
    from grader.packages import package

    return package(exercise, for_, output, exercises())

"""The `attn` commands for the person who grades a class; `attn` itself comes with course_lib."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

from cyclopts import App, Group, Parameter, validators

from grader import commands_gradebook, options
from grader.commands_gradebook import SYSTEMS
from grader.options import needs_linux

STATUSES = ("missing", "no-result", "memory", "timeout", "crashed", "unreadable", "graded")
PROFILES = ("strong", "portable", "container")
WHERE = Group("One of these", validator=validators.mutually_exclusive)


def add(attn: App) -> None:
    """Give `attn` the grader's commands; it finds this function by its entry point."""
    for function in (collect, grade, *commands_gradebook.COMMANDS, package):
        attn.command(function)


def collect(
    submissions: options.Submissions,
    /,
    *,
    from_: options.Platform | None = None,
    assignment: options.Assignment = "",
    roster: options.Roster | None = None,
    exercises: options.Exercises,
) -> int:
    """Say whose file is whose: a table to read and edit before grading.

    It is printed: student, exercise, path, date, and why it is this student's. attn grade takes it,
    edited or not.

    Example: attn collect class.zip --from moodle --roster worksheet.csv > class.csv

    Exit status: 0 the table was printed; 2 the input cannot be used.
    """
    from grader.pipeline.collected import collect_class

    return collect_class(submissions, from_, assignment, exercises(), roster)


def grade(
    submissions: options.Submissions,
    /,
    *,
    from_: options.Platform | None = None,
    assignment: options.Assignment = "",
    roster: options.Roster | None = None,
    out: Annotated[Path, Parameter(metavar="DIR")] | None = None,
    jobs: Annotated[options.Whole, Parameter(group=WHERE)] = 1,
    scheduler: Annotated[str, Parameter(metavar="ADDRESS", group=WHERE)] | None = None,
    timeout: options.Seconds | None = None,
    memory: options.Megabytes | None = None,
    config: options.File | None = None,
    exceptions: options.File | None = None,
    exercise: Annotated[str, Parameter(metavar="STEM")] | None = None,
    again: Annotated[Sequence[str], Parameter(metavar="STATUS", choices=STATUSES)] = (),
    forget: Annotated[Sequence[str], Parameter(metavar="ROW")] = (),
    anonymous: bool = False,
    profile: Annotated[str, Parameter(choices=PROFILES, show=False)] | None = None,
    trust_submissions: bool = False,
    exercises: options.Exercises,
) -> int:
    """Grade a folder of submissions, each in a sandboxed process.

    Run it again at any time: it goes on where it stopped.

    Examples: attn grade class --out grades --jobs 2;
    attn grade class --out grades --exercise 01_softmax

    Exit status: 0 every submission got a row, whatever it scored; 2 the input cannot be used; 3 it
    had to stop.

    Args:
        out: where the gradebook is kept; one notebook needs none, and its report is printed
        jobs: submissions to grade side by side (default 1)
        scheduler: a Dask cluster to grade on
        timeout: seconds of the processor for all code of one submission (default 10)
        memory: memory that one submission may hold, torch's 240 MB included (default 1024)
        config: exercises, points, credit and limits (default: course.toml beside SUBMISSIONS); what
            stands on the command line comes first
        exceptions: a CSV of extensions and decided points: student, exercise, task, points, days,
            reason (default: exceptions.csv beside SUBMISSIONS)
        exercise: only the work for this exercise, such as 01_softmax; other rows stay as they are
        again: grade rows of this status again, whatever is known; may be given several times
        forget: give up STUDENT/EXERCISE, or all of STUDENT: every other row that SUBMISSIONS does
            not hold stays as it is; may be given several times
        anonymous: collect written answers without names, in an order that tells nothing
        trust_submissions: run them without any sandbox: only for notebooks that you wrote yourself
    """
    given = SimpleNamespace(**locals())
    needs_linux(
        "Grading needs Linux, which can seal strangers' code; here, run the same command in the "
        "container that the Containerfile builds."
    )
    from grader.pipeline.command import grade

    return grade(given, exercises())


def package(
    exercise: str,
    /,
    *,
    for_: Annotated[str, Parameter(metavar="SYSTEM", choices=SYSTEMS)],
    output: options.Folder = Path("."),
    exercises: options.Exercises,
) -> int:
    """Make an exercise into another system's assignment.

    What that system needs to hand out and grade one exercise is written.

    Example: attn package 01_softmax --for gradescope

    Args:
        exercise: such as 01_softmax
        for_: who will hand it out
        output: where to write (default: here)
    """
    from grader.packages import package

    return package(exercise, for_, output, exercises())

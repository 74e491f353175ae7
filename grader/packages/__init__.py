"""An exercise as another system's assignment."""

from collections.abc import Mapping
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.tasks.task import Exercise
from grader.packages import github_classroom, gradescope, nbgrader

WRITERS = {
    "gradescope": gradescope.write,
    "github-classroom": github_classroom.write,
    "nbgrader": nbgrader.write,
}


def package(name: str, system: str, output: Path, exercises: Mapping[str, Exercise]) -> int:
    """Write the assignment and say where. Raises InputError for an exercise the course lacks."""
    if name not in exercises:
        known = ", ".join(exercises)
        raise InputError(f"There is no exercise {name!r}. The exercises are: {known}.")
    output.mkdir(parents=True, exist_ok=True)
    print(*WRITERS[system](exercises[name], output), sep="\n")
    return 0

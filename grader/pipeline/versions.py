"""What decides which cases of an answer hold, as a hash: where it changes, work is graded anew."""

import hashlib
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from course_lib.checker.tasks.task import Exercise

ROOT = Path(__file__).parents[2]
SHARED = (
    "course_lib/exercises/*.py", "course_lib/exercises/stranger_forms/*.py",
    "course_lib/checker/**/*.py",
    "grader/sandbox/inside/*.py", "grader/sandbox/results.py", "grader/pipeline/submission.py",
)  # fmt: skip
FOLDERS = "course_lib.exercises."


def course_version() -> str:
    """Of all exercises: how answers are run and judged, and the libraries that compute them."""
    return _hash((*SHARED, "course_lib/exercises/*/**/*.py"))


def exercise_version(exercise: Exercise) -> str:
    """Of one exercise: another one's change is none to it. One that is not the course's has the
    version of the course."""
    parts = {part for task in exercise.tasks for part in (task.reference, *_draws(task))}
    modules = {part.__module__ for part in parts}
    own = {name.removeprefix(FOLDERS).partition(".")[0] for name in modules if FOLDERS in name}
    names = [task.name for task in exercise.tasks]  # a class may have added the capstone
    return _hash(
        (*SHARED, *(f"course_lib/exercises/{name}/**/*.py" for name in sorted(own))), names
    )


def _draws(task):
    return [case.draw for case in task.cases]


def _hash(patterns: Iterable[str], names: Iterable[str] = ()) -> str:
    """A correction release of Python and the processor that torch was built for decide nothing."""
    digest = hashlib.sha256(repr((sys.version_info[:2], *names)).encode())
    for library in ("numpy", "torch"):
        digest.update(f"{library} {metadata.version(library).partition('+')[0]}".encode())
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]

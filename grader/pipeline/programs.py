"""What a notebook hands in for each task, read in a sandbox: even Python's parser is not run on
a stranger's text in the trusted parent."""

from collections.abc import Mapping

from course_lib.checker.notebook import Notebook
from course_lib.checker.run.program import Program, from_data, unread
from course_lib.checker.say.report import SHADOWED
from course_lib.checker.tasks.task import Exercise
from grader.sandbox.inside.protocol import encode
from grader.sandbox.pool import Pool
from grader.sandbox.results import run_request
from grader.sandbox.sandbox import Sandbox


def read_programs(
    notebook: Notebook, exercise: Exercise, sandbox: Sandbox | Pool, timeout: float
) -> dict[str, Program]:
    """The program of each task. Nothing of the notebook runs; where the parser itself does not come
    to an end, each task has its own cell alone. Raises FrameError when the notebook's text does not
    fit into a frame."""
    names = [task.name for task in exercise.tasks]
    request = encode({"cells": list(notebook.cells), "tasks": names, "seconds": int(timeout) + 2})
    try:
        (seen,) = run_request(sandbox, request, timeout, 1).seen
        return from_data(seen.value, notebook.cells)
    except Exception:  # it timed out, it crashed, its frame is none
        return unread(notebook.cells, names)


def shadowed(programs: Mapping[str, Program]) -> str:
    """What `check` says of a notebook that gives its name another meaning."""
    return SHADOWED if any(one.shadows is True for one in programs.values()) else ""

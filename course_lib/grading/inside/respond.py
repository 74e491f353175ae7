"""Answer one request: the task's answer out of a notebook's cells, run on each of its inputs.

A cell of the sandbox does this, and so does `attn check` on a student's own machine.
"""

from typing import Any

from course_lib.grading.inside.answers import answer_cells, import_that_failed, run_answer
from course_lib.grading.inside.execute import describe_error, execute
from course_lib.grading.inside.inputs import Observation

MISSING = "MissingAnswer"  # the error of a task that the notebook has no cell for


def respond(request: dict[str, Any]) -> list[Observation]:
    """One observation for each of the request's inputs."""
    task, inputs = request["task"], request["inputs"]
    sources = answer_cells(request["answers"], task)
    if not sources:
        return [Observation(error=MISSING) for _ in inputs]
    answer = run_answer(task, request["imports"], sources, request["refused"])
    if type(answer) is Observation:
        return [answer for _ in inputs]
    seen: list[Observation] = []
    for one in inputs:
        full = bool(seen) and out_of_memory(seen[-1])  # once full, always full: do not fill again
        seen.append(seen[-1] if full else _execute_safely(answer, one, request["library"]))
    return seen


def _execute_safely(answer: Any, inputs: Any, library: str) -> Observation:
    try:
        return import_that_failed(answer, execute(answer, inputs, library))
    except BaseException as error:  # an answer may raise KeyboardInterrupt; nobody presses keys
        return describe_error(error)


def out_of_memory(seen: Observation) -> bool:
    """Whether this is Python's, NumPy's or torch's way to say that memory is short."""
    error = seen.error or ""
    return "MemoryError" in error or "can't allocate memory" in seen.message

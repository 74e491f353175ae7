"""Answer one request: read which program a notebook hands in for each task, or run one.

A cell of the sandbox does this; `check` and `attn check` call the same two functions.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from course_lib.checker.run.answers import run_program, why_undefined
from course_lib.checker.run.execute import describe_error, execute
from course_lib.checker.run.inputs import Inputs, Observation
from course_lib.checker.run.program import Program, assemble, to_data

MISSING = "MissingAnswer"  # the error of a task that the notebook has no cell for


def respond(request: dict[str, Any]) -> list[Observation]:
    """One observation for each of the request's inputs; to a request without inputs, one whose
    value are the programs of its cells."""
    if "inputs" not in request:
        cells = request["cells"]
        return [Observation(to_data(assemble(cells, request["tasks"]), cells))]
    program = Program(request["task"], request["pieces"])
    return observe_program(program, request["inputs"], request["library"], request["refused"])


def observe_program(
    program: Program, inputs: Sequence[Inputs], library: str, refused: Iterable[str]
) -> list[Observation]:
    """What a program's answer does on each of the inputs."""
    if not program.pieces:
        return [Observation(error=MISSING) for _ in inputs]
    answer = run_program(program, refused)
    if type(answer) is Observation:
        return [answer for _ in inputs]
    seen: list[Observation] = []
    for one in inputs:
        full = bool(seen) and out_of_memory(seen[-1])  # once full, always full: do not fill again
        seen.append(seen[-1] if full else _execute_safely(answer, one, library))
    return seen


def _execute_safely(answer: Any, inputs: Inputs, library: str) -> Observation:
    try:
        return why_undefined(answer, execute(answer, inputs, library))
    except BaseException as error:  # an answer may raise KeyboardInterrupt; nobody presses keys
        return describe_error(error)


def out_of_memory(seen: Observation) -> bool:
    """Whether this is Python's, NumPy's or torch's way to say that memory is short."""
    error = seen.error or ""
    return "MemoryError" in error or "can't allocate memory" in seen.message

"""What a cell answers: `respond(request)` is the seam between the grader, which draws and judges,
and the strangers' code that it never runs itself."""

from typing import Any

from course_lib.checker.run.answers import observe_program
from course_lib.checker.run.inputs import Observation
from course_lib.checker.run.program import Cells, Program, assemble


def respond(request: dict[str, Any]) -> list[Observation]:
    """One observation for each of the request's inputs; to a request without inputs, one whose
    value are the programs of its cells."""
    if "inputs" not in request:
        cells = request["cells"]
        return [Observation(as_data(assemble(cells, request["tasks"]), cells))]
    program = Program(request["task"], request["pieces"])
    return observe_program(program, request["inputs"], request["library"], request["refused"])


def as_data(programs: dict[str, Program], cells: Cells) -> dict[str, Any]:
    """Programs as plain data that names each cell by its number; `programs_in`, outside,
    reads it."""
    numbers = {source: number for number, (_, source) in enumerate(cells)}
    return {
        task: (
            tuple((numbers[source], chosen) for source, chosen in one.pieces),
            one.lines,
            one.others,
            one.names,
            one.undefined,
            one.idle,
            one.shadows,
        )
        for task, one in programs.items()
    }

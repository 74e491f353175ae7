"""The life of one cell: read the request, lock down, run the answer, send one frame, die.

This is the only file in which a stranger's code runs. It holds no expected value, no judge and no
seed; whatever the code does to this process, what leaves it is one frame that nobody trusts.
"""

import contextlib
import mmap
import os
import resource
from typing import Any

from course_lib.checker.run.answers import observe_program
from course_lib.checker.run.inputs import Observation, Opaque, out_of_memory
from course_lib.checker.run.program import Cells, Program, assemble
from grader.sandbox.inside.lockdown import OPEN_FILES, Lockdown
from grader.sandbox.inside.orders import OUT_OF_MEMORY, READY
from grader.sandbox.inside.protocol import (
    MAX_ARRAYS,
    MAX_FRAME,
    MAX_HEADER,
    PREFIX,
    FrameError,
    decode,
    encode,
    frame_length,
)

RESERVE = 16 << 20


def live(request_fd: int, result_fd: int, lockdown: Lockdown | None) -> None:
    """Never returns. Without a lockdown (trusted submissions) nothing is closed."""
    code = 1
    try:
        request = decode(_read_frame(request_fd))
        os.close(request_fd)
        _quiet()
        if lockdown is not None:
            _close_all_but(result_fd, lockdown.ruleset)
            lockdown.apply(request["seconds"])
        reserve = mmap.mmap(-1, RESERVE)  # address space alone: its pages are never touched
        os.write(result_fd, READY)
        try:
            seen = respond(request)
            if any(out_of_memory(item) for item in seen):
                reserve.close()
            _write(result_fd, _frame(seen))
            code = 0
        except MemoryError:
            code = OUT_OF_MEMORY
    finally:
        os._exit(code)


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


def _frame(seen: list[Observation]) -> bytes:
    """The frame of all observations; values that are not data or too large become Opaque."""
    try:
        return encode(seen)
    except FrameError:
        room = MAX_ARRAYS // 2
        kept = []
        for item in seen:
            size = _size(item)
            fits = size <= min(room, MAX_HEADER // 2)
            room -= size if fits else 0
            kept.append(item if fits else Observation(Opaque("value that is too large")))
        return encode(kept)


def _size(item: Observation) -> int:
    try:
        return len(encode(item))
    except FrameError:
        return MAX_FRAME


def _read_frame(fd: int) -> bytes:
    prefix = _read(fd, PREFIX.size)
    return prefix + _read(fd, frame_length(prefix) - len(prefix))


def _read(fd: int, count: int) -> bytes:
    parts = []
    while count > 0:
        part = os.read(fd, min(count, 1 << 20))
        if not part:
            raise EOFError("the request ends early")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _close_all_but(*kept: int | None) -> None:
    """Close every other descriptor from 3 on that a worker may have."""
    for fd in range(3, OPEN_FILES):
        if fd not in kept:
            with contextlib.suppress(OSError):
                os.close(fd)


def _quiet() -> None:
    """Standard streams go nowhere; no core is written."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

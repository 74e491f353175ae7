"""The life of one cell: read the request, seal, say ready, run the answer, send one frame, die.

This is the only file in which a stranger's code runs. It holds no expected value, no judge and no
seed; whatever the code does to this process, what leaves it is one frame that nobody trusts.
"""

import contextlib
import mmap
import os
import resource
from typing import Any

from course_lib.grading.answers import answer_cells, run_answer
from course_lib.grading.codec import (
    MAX_ARRAYS,
    MAX_HEADER,
    PREFIX,
    FrameError,
    decode,
    encode,
    frame_length,
)
from course_lib.grading.perform import Observation, describe_error, perform
from course_lib.grading.seal import OPEN_FILES, Seal
from course_lib.grading.values import Opaque

READY = b"R"
OUT_OF_MEMORY = 77  # an exit code: a hint for the status, never a proof
RESERVE = 16 << 20
MISSING = "MissingAnswer"  # the error of a task that the notebook has no cell for


def live(request_fd: int, result_fd: int, seal: Seal | None) -> None:
    """Never returns. Without a seal (submissions that the instructor trusts) nothing is closed."""
    code = 1
    try:
        request = decode(_read_frame(request_fd))
        os.close(request_fd)
        _quiet()
        if seal is not None:
            _close_all_but(result_fd, seal.ruleset)
            seal.apply(request["seconds"])
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
    """One observation for each of the request's inputs."""
    task, inputs = request["task"], request["inputs"]
    sources = answer_cells(request["answers"], task)
    if not sources:
        return [Observation(error=MISSING) for _ in inputs]
    answer = run_answer(task, request["imports"], sources)
    if type(answer) is Observation:
        return [answer for _ in inputs]
    seen: list[Observation] = []
    for one in inputs:
        full = bool(seen) and out_of_memory(seen[-1])  # once full, always full: do not fill again
        seen.append(seen[-1] if full else _perform(answer, one, request["library"]))
    return seen


def _perform(answer: Any, inputs: Any, library: str) -> Observation:
    try:
        return perform(answer, inputs, library)
    except BaseException as error:  # an answer may raise KeyboardInterrupt; nobody presses keys
        return describe_error(error)


def out_of_memory(seen: Observation) -> bool:
    """Whether this is Python's, NumPy's or torch's way to say that memory is short."""
    error = seen.error or ""
    return "MemoryError" in error or "can't allocate memory" in seen.message


def _frame(seen: list[Observation]) -> bytes:
    """The frame of all observations; values that are not data or too large become Opaque."""
    try:
        return encode(seen)
    except FrameError:
        room = MAX_ARRAYS // 2
        kept = []
        for item in seen:
            size = _size(item)
            fits = size is not None and size <= min(room, MAX_HEADER // 2)
            room -= size if fits else 0
            kept.append(item if fits else Observation(Opaque("value that is too large")))
        return encode(kept)


def _size(item: Observation) -> int | None:
    try:
        return len(encode(item))
    except FrameError:
        return None


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

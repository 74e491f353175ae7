"""Limits for answers that run in a student's own process: an endless loop ends, and the kernel
lives. Grading a class does not need them: there a cell is killed from outside.

What counts is the processor's time, so that a busy machine, or a first import, ends no answer that
works; only what sleeps or waits is ended by the clock on the wall.

On Linux and macOS a timer's signal ends the answer, even one that sleeps or waits. Elsewhere, and
in a thread, a second thread raises the exception in the first, which works between two steps of
Python. No limit reaches into a single call of C that never returns, such as
`sum(itertools.count())`: there the kernel has to be restarted.

Memory is limited on Linux: what the process may write to, not its addresses, of which CUDA reserves
far more than it uses. On a GPU, torch refuses what does not fit.
"""

import contextlib
import ctypes
import inspect
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from course_lib.checker.run import answers, execute

try:
    import resource
except ImportError:  # Windows
    resource = None

SECONDS = 10.0  # of the processor, for all inputs of one task
PATIENCE = 6  # times as many on the wall, after which an answer that waits is ended too
TICK = 0.05  # seconds that each input has even after the limit, or after it was ended and went on
ROOM = 4 << 30  # bytes beside what the process has
STATM = Path("/proc/self/statm")  # Linux, in pages; the sixth number is what it may write to
# Where an exception is caught and becomes part of the result; it must not be raised elsewhere.
# Their own code: a wrapper that checks shapes, as in the tests, shares one with all it wraps.
CAUGHT = {
    inspect.unwrap(function).__code__
    for function in (execute._call, execute.name_and_message, answers._execute)
}


class TimeLimit(BaseException):
    """Raised in an answer that runs on and on."""


def within_limits(run: Callable[[], Any], instead: Any) -> Any:
    """What `run` returns. What it executes is ended after `SECONDS`, and its observation says so;
    `instead` is returned in the rare case that nobody could note it down."""
    clock = _signals if _has_signals() else _thread
    try:
        with _memory(), clock(SECONDS):
            return run()
    except TimeLimit:
        return instead


def _is_over(seconds: float) -> Callable[[FrameType | None], bool]:
    """Asked with a frame at each tick: whether what runs there is to be ended. The processor has
    worked for so long since now, or all patience is over; and this input, whose call is on the
    stack, has had its own tick: one that waits for a busy machine is not ended for one before."""
    start = _clocks()
    seen: tuple[FrameType | None, tuple[float, float]] = (None, start)

    def is_over(frame: FrameType | None) -> bool:
        nonlocal seen
        if not _passed(start, seconds) or (call := _call_of(frame)) is None:
            return False
        if call is not seen[0]:
            seen = call, _clocks()
        return _passed(seen[1], TICK)

    return is_over


def _clocks() -> tuple[float, float]:
    return time.process_time(), time.monotonic()


def _passed(since: tuple[float, float], seconds: float) -> bool:
    work, wall = (now - then for now, then in zip(_clocks(), since, strict=True))
    return work >= seconds or wall >= PATIENCE * seconds


def _call_of(frame: FrameType | None) -> FrameType | None:
    """The call of an answer that this frame is part of."""
    while frame is not None and frame.f_code not in CAUGHT:
        frame = frame.f_back
    return frame


def _has_signals() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def _signals(seconds: float) -> Iterator[None]:
    is_over = _is_over(seconds)

    def ring(number: int, frame: FrameType | None) -> None:
        if is_over(frame):
            raise TimeLimit

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _thread(seconds: float) -> Iterator[None]:
    mine, done, is_over = threading.get_ident(), threading.Event(), _is_over(seconds)
    throw = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch() -> None:
        if done.wait(seconds):
            return
        while not done.wait(TICK):
            if is_over(sys._current_frames().get(mine)):
                throw(ctypes.c_ulong(mine), ctypes.py_object(TimeLimit))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        throw(ctypes.c_ulong(mine), None)


@contextlib.contextmanager
def _memory() -> Iterator[None]:
    if resource is None or not STATM.exists():
        yield
        return
    used = int(STATM.read_text().split()[5]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [used + ROOM, *(x for x in (soft, hard) if x != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))

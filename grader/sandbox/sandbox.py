"""The sandbox: start a worker that sees only what it needs, and hand it cells to run.

The parent holds both ends that matter: it writes the request, reads the answer and keeps the clock.

What counts is the processor's time, so that no verdict depends on what else the machine does. Only
a cell that sleeps or waits is ended by the clock on the wall, after `PATIENCE` times as long.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.sandbox.filesystem import build_root, site_entries
from grader.sandbox.inside.orders import (
    CLOCK,
    FORK,
    FORK_FAILED,
    HELLO,
    KILL,
    LINGERED,
    OUT_OF_MEMORY,
    READY,
    SECONDS,
    SIZE,
    STATUS,
    WAIT,
)
from grader.sandbox.inside.protocol import MAX_FRAME
from grader.sandbox.profiles import Profile
from grader.sandbox.scratch import new_folder

START_SECONDS = 120  # importing torch on a busy machine
READY_SECONDS = 30
LEAST_MEMORY = 64 << 20
TICK = 0.01  # seconds between two looks at the processor's clock, at least
PATIENCE = 4  # times as many seconds on the wall as of the processor
# Nothing of ours, but for two requests to the C library. A heap on huge pages has 500 times fewer
# of them to copy, so a fork takes half the time; where they cannot be had, nothing changes. And
# torch's functions are looked up once, at the start, not again in every cell that calls them first.
ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "LD_BIND_NOW": "1"}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


# Where the machine's memory is short, the kernel ends cells, which are tried again, and not us.
SCORE = '{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null; exec "$@"'
FIRST_TO_GO = ("/bin/sh", "-c", SCORE, "sh")


class OurFault(RuntimeError):
    """The machinery failed before or beside the student's code; the cell is to be tried again."""


@dataclass(frozen=True)
class Outcome:
    """How a cell ended: "frame" with its bytes, or timeout, memory, crashed, no-result."""

    kind: str
    frame: bytes
    seconds: float  # of the processor; of one that waits, those on the wall / PATIENCE


class Sandbox:
    """One worker; `run` gives it one cell at a time. Restarts it when it dies."""

    def __init__(self, profile: Profile, memory_mb: int) -> None:
        self.profile = profile
        self.memory_mb = memory_mb
        self.process: subprocess.Popen | None = None
        self.folder: Path | None = None

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def run(self, request: bytes, seconds: float) -> Outcome:
        """Run one request in a fresh cell. Raises OurFault when the fault is not the student's."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        try:
            return self._run(request, seconds)
        except (OSError, EOFError) as error:
            self.stop()
            raise OurFault(f"the worker did not answer ({type(error).__name__})") from error
        except OurFault:
            self.stop()
            raise

    def _run(self, request: bytes, seconds: float) -> Outcome:
        with contextlib.ExitStack() as stack:
            ends = [os.pipe2(os.O_CLOEXEC), os.pipe2(os.O_CLOEXEC)]
            (theirs_in, ours_in), (ours_out, theirs_out) = ends
            requests = stack.enter_context(open(ours_in, "wb", buffering=0))
            stack.callback(os.close, ours_out)
            try:
                socket.send_fds(self.control, [FORK], [theirs_in, theirs_out])
            finally:
                os.close(theirs_in)
                os.close(theirs_out)
            _send(requests, request)
            requests.close()
            if _read_some(ours_out, 1, time.monotonic() + READY_SECONDS) != READY:
                raise OurFault("the cell was not ready")
            start = time.monotonic()
            data, ended = self._read(ours_out, start, seconds)
            spent = max(self._worked(), (time.monotonic() - start) / PATIENCE)
            status = self._end(WAIT if ended and not data else KILL)
        isolated = self.profile.program is not None
        return Outcome(_kind(data, ended, status, isolated), data, spent)

    def _read(self, fd: int, start: float, seconds: float) -> tuple[bytes, bool]:
        """What the cell wrote, and whether it ended by itself: before its time was up, within
        bounds."""
        parts, size, deadline = [], 0, start + seconds
        while size <= MAX_FRAME:
            part = _read_some(fd, 1 << 20, deadline)
            if part is None:
                left = start + PATIENCE * seconds - time.monotonic()
                left = min(left, seconds - self._worked())
                if left <= 0:
                    return b"", False
                deadline = time.monotonic() + left + TICK
                continue
            if not part:
                return b"".join(parts), True
            parts.append(part)
            size += len(part)
        return b"too long", True

    def _worked(self) -> float:
        return self._ask(CLOCK, SECONDS)

    def _end(self, order: bytes) -> int:
        return self._ask(order, STATUS)

    def _ask(self, order: bytes, form: struct.Struct) -> Any:
        self.control.sendall(order)
        reply = self.control.recv(form.size)
        if len(reply) != form.size:
            raise EOFError("the worker is gone")
        return form.unpack(reply)[0]

    def start(self) -> None:
        """Build the tree, start the worker, wait until it is warm."""
        self.stop()
        self.folder, self.hold = new_folder()
        build_root(self.folder)
        self.control, theirs = socket.socketpair()
        with theirs, open(self.folder / "worker.log", "wb") as log:
            self.process = subprocess.Popen(
                [*FIRST_TO_GO, *self.profile.command(self.folder, site_entries())],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=ENVIRONMENT,
                cwd="/",
                start_new_session=True,
            )
        self.control.settimeout(START_SECONDS)
        try:
            settings = self._settings(self.folder)
            self.control.sendall(SIZE.pack(len(settings)) + settings)
            hello = self.control.recv(1)
        except OSError:
            hello = b""
        if hello != HELLO:
            logged = (self.folder / "worker.log").read_text(errors="replace").strip()[-500:]
            self.stop()
            raise OurFault(f"the worker did not start: {logged or 'it said nothing'}")
        self.control.settimeout(READY_SECONDS)

    def _settings(self, folder: Path) -> bytes:
        """Not on the command line, where a cell could read what the machine is like."""
        program = self.profile.program
        readable, listable = self.profile.readable(folder, site_entries())
        return json.dumps(
            {
                "one_thread": THREADS,
                "uid": self.profile.uid,
                "program": program.hex() if program is not None else None,
                "private": self.profile.private,
                "readable": readable,
                "listable": listable,
                "memory": self.memory_mb << 20,
                "least_memory": LEAST_MEMORY,
            }
        ).encode()

    def stop(self) -> None:
        """End the worker and with it everything inside it."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.wait()
            self.control.close()
            self.process = None
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(self.hold)
            self.folder = None


def _send(requests, request: bytes) -> None:
    view = memoryview(request)
    while view:
        view = view[requests.write(view) :]


def _read_some(fd: int, count: int, deadline: float) -> bytes | None:
    """Up to `count` bytes; None when the deadline comes first."""
    wait = max(0.0, deadline - time.monotonic())
    poll = select.poll()  # unlike select, it knows descriptors beyond 1023
    poll.register(fd, select.POLLIN)
    return os.read(fd, count) if poll.poll(wait * 1000) else None


def _kind(data: bytes, ended: bool, status: int, isolated: bool) -> str:
    """How a cell ended. Raises OurFault where it was not the cell's doing: the filter lets none
    send a signal, the worker says which it has killed itself, and the clock here ends one long
    before the kernel's limit of processor time would. So who killed it sat outside, as the kernel
    does where the machine's memory is short."""
    if not ended:
        return "timeout"
    if data:
        return "frame"
    if status == FORK_FAILED:
        raise OurFault("the worker could not fork")
    if status == LINGERED:
        return "no-result"
    if os.WIFSIGNALED(status):
        by = os.WTERMSIG(status)
        if by == signal.SIGKILL and isolated:
            raise OurFault("the cell was killed from outside")
        known: dict[int, str] = {signal.SIGXCPU: "timeout", signal.SIGKILL: "no-result"}
        return known.get(by, "crashed")
    return "memory" if os.WEXITSTATUS(status) == OUT_OF_MEMORY else "no-result"

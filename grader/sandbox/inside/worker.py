"""The preloaded worker: import everything once, then fork one cell for each request.

It never reads a request and never sees a result: the parent passes two pipe ends over the control
socket, the fork reads one and writes the other. So nothing of one submission lies in the memory
that the next one's fork inherits. Four orders arrive on the socket, one byte each: FORK (with the
two pipe ends), CLOCK (answered with the processor's time for the cell), WAIT (for the cell's own
end, then kill) and KILL; the last two are answered with how the cell ended. The socket's end
means that the parent is gone.
"""

import json
import os
import signal
import socket
import time

from grader.sandbox.inside.orders import (
    CLOCK,
    FORK,
    FORK_FAILED,
    HELLO,
    LINGERED,
    SECONDS,
    SIZE,
    STATUS,
    WAIT,
)

PATIENCE = 1.0  # seconds that a cell may take to end after it closed its pipe


def main() -> None:
    """Standard input is the control socket; the settings come first on it."""
    control = socket.socket(fileno=os.dup(0))
    (size,) = SIZE.unpack(control.recv(SIZE.size, socket.MSG_WAITALL))
    settings = json.loads(control.recv(size, socket.MSG_WAITALL))
    os.environ.update(dict.fromkeys(settings["one_thread"], "1"))
    from grader.sandbox.inside import lockdown
    from grader.sandbox.inside.preload import preload

    lockdown.hide_host_name()
    _drop_privileges(settings["uid"], lockdown if settings["private"] else None)
    lockdown.die_with_parent()
    preload()
    prepared = _prepare_lockdown(settings, lockdown)
    del settings  # a cell has no use for where things lie on this machine
    os.environ.clear()
    control.sendall(HELLO)
    serve(control, prepared)


def serve(control: socket.socket, lockdown) -> None:
    """Obey until the parent goes."""
    from grader.sandbox.inside.cell import live
    from grader.sandbox.inside.lockdown import die_with_parent

    worker = os.getpid()
    while True:
        order, fds, _, _ = socket.recv_fds(control, 1, 2)
        if order != FORK or len(fds) != 2:
            os._exit(0)
        try:
            pid = os.fork()
        except OSError:
            pid = None
        if pid == 0:
            control.close()
            die_with_parent()
            if os.getppid() != worker:  # it died before we could say so
                os._exit(1)
            live(fds[0], fds[1], lockdown)
        for fd in fds:
            os.close(fd)
        while (order := control.recv(1)) == CLOCK:
            control.sendall(SECONDS.pack(_worked(pid)))
        status = _end(pid, patient=order == WAIT)
        if not order:
            os._exit(0)
        control.sendall(STATUS.pack(status))


def _worked(pid: int | None) -> float:
    """Seconds of the processor that a process has had: Linux has a clock for each."""
    try:
        return time.clock_gettime((~pid << 3) | 2) if pid else 0.0
    except OSError:
        return 0.0


def _end(pid: int | None, patient: bool) -> int:
    """The cell's wait status, after which it is dead whatever it wanted. Of one that is killed here
    for going on this is said, so that nobody takes it for a kill from outside."""
    if pid is None:
        return FORK_FAILED
    deadline = time.monotonic() + (PATIENCE if patient else 0)
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    return LINGERED if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL else status


def _drop_privileges(uid: int | None, private) -> None:
    """Become another user; where Python lies in a private folder, keep the right to read it."""
    if uid is not None:
        os.setgroups([])
        if private:
            private.keep_capabilities()
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        if private:
            private.reading_alone()


def _prepare_lockdown(settings: dict, lockdown):
    if settings["program"] is None:
        return None
    import resource

    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    room = max(settings["memory"] - base, settings["least_memory"])
    return lockdown.Lockdown(
        program=bytes.fromhex(settings["program"]),
        ruleset=lockdown.landlock_ruleset(settings["readable"], settings["listable"]),
        address_space=lockdown.address_space_in_use() + room,
    )


if __name__ == "__main__":
    main()

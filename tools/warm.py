"""Kernels that start warm: each is forked from one process that has imported torch and matplotlib.

Nearly every page imports them, which takes a processor three seconds, and a page's first optimizer
makes torch import its compiler, which takes as long again. A forked kernel has all of it, and
nothing that another page made: each page still has a process to itself. Only Linux can fork such a
process safely; elsewhere kernels start as usual.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

IMPORTS = ("ipykernel.kernelapp", "ipykernel.ipkernel", "matplotlib.pyplot", "torch._dynamo")
INLINE = "module://matplotlib_inline.backend_inline"  # each kernel imports it, to show its figures


class Forked:
    """What jupyter_client asks of a process, for one that is a child of another process."""

    stdin = stdout = stderr = None
    returncode = None  # who forked it takes the number

    def __init__(self, pid: int):
        self.pid = pid

    def poll(self) -> int | None:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 1
        return None

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.02)
        return 1

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


@contextlib.contextmanager
def warm_kernels(wanted: bool = True) -> Iterator[type | None]:
    """A class of kernel managers for NotebookClient, whose kernels start warm; None for its own."""
    if not wanted or sys.platform != "linux":
        yield None
        return
    from jupyter_client.manager import AsyncKernelManager
    from jupyter_client.provisioning import LocalProvisioner

    one_at_a_time = threading.Lock()
    command = [sys.executable, __file__]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as server:

        class Provisioner(LocalProvisioner):
            async def launch_kernel(self, cmd, **kwargs):
                with one_at_a_time:
                    wish = {"command": cmd, "env": dict(kwargs["env"]), "cwd": str(kwargs["cwd"])}
                    print(json.dumps(wish), file=server.stdin, flush=True)
                    answer = server.stdout.readline()
                    if not answer:
                        raise RuntimeError(
                            "The process that the kernels are forked from has ended; what it said "
                            "stands above. `make book` again goes on where this build stopped."
                        )
                    self.pid = self.pgid = int(answer)
                self.process, self.cwd = Forked(self.pid), kwargs["cwd"]
                return self.connection_info

        class Manager(AsyncKernelManager):
            async def _async_pre_start_kernel(self, **kwargs):
                settings = {"kernel_id": "warm", "kernel_spec": self.kernel_spec, "parent": self}
                self.provisioner = self.provisioner or Provisioner(**settings)
                return await super()._async_pre_start_kernel(**kwargs)

        ready = server.stdout.readline()  # it has imported; a page's time begins after that
        yield Manager if ready else None  # it ended, and has said why: kernels start as usual


def become_kernel(wish: dict) -> None:
    """In the child: the process that `python -m ipykernel_launcher` would be."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(wish["env"])
    os.chdir(wish["cwd"])
    launcher = wish["command"].index("ipykernel_launcher")
    sys.argv = wish["command"][launcher:]
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance()


def serve() -> None:
    """Import once; then a kernel for each line that comes, until there are no more."""
    import gc
    from importlib import import_module

    del sys.path[0]  # this folder: a kernel has none of it
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    # A kernel has these before it imports; it ends when the process of this number does.
    os.environ.update(MPLBACKEND=INLINE, JPY_PARENT_PID=str(os.getpid()))
    for name in IMPORTS:
        with contextlib.suppress(ImportError):  # a page that needs it will say so
            import_module(name)
    gc.freeze()  # children share these pages of memory
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets a child that ended
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when the build does
    print("ready", file=answers)
    while line := sys.stdin.readline():
        if pid := os.fork():
            print(pid, file=answers)
            continue
        answers.close()
        os.dup2(nothing, 0)
        become_kernel(json.loads(line))
        os._exit(0)


if __name__ == "__main__":
    serve()

"""Runs one attack with no wall around it, in a namespace that is thrown away afterwards.

python without_sandbox.py ATTACK.py RESULT MARK

A grandchild of this process makes the attack, as a cell is a worker's child, and writes `harm` or
the exception into RESULT. It finds what the attacks look for: a neighbour's words in memory, a
terminal with a line typed into it, servers on the ports that they call. The process between is
there to be killed. This one is the first of its namespace, which no signal from within can end: it
lives until the word is written.
"""

import fcntl
import http.server
import os
import pty
import socket
import sys
import termios
import threading
from pathlib import Path

import numpy as np

NEIGHBOURS = [[f"{sys.argv[3]} {number}"] for number in range(9)]


class Quiet(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def serve() -> socket.socket:
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 80), Quiet)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    return socket.create_server(("127.0.0.1", 22))


def attack(source: str, terminal: int) -> str:
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    space: dict = {}
    try:
        exec(compile(source, "attack", "exec"), space)
        space["target"](np.ones((2, 3)))
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return "harm"


def worker(source: str, terminal: int, result: Path) -> int:
    """The attack's parent: ends as the attack ends."""
    child = os.fork()
    if child == 0:
        outcome = attack(source, terminal)
        result.with_suffix(".part").write_text(outcome, encoding="utf-8")
        result.with_suffix(".part").rename(result)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return 0 if status == 0 else 1


def main() -> None:
    assert os.getpid() == 1, "bwrap --as-pid-1 was not given"
    source = Path(sys.argv[1]).read_text(encoding="utf-8")
    result = Path(sys.argv[2])
    ours, terminal = pty.openpty()
    os.write(ours, b"typed\n")
    listening = serve()
    if os.fork() == 0:
        os._exit(worker(source, terminal, result))
    statuses = []
    while True:
        try:
            statuses.append(os.wait()[1])  # orphans of the attack as well
        except ChildProcessError:
            break
    listening.close()
    if not result.exists():
        # Another program in the attack's place, which ended well, is harm too.
        word = "harm" if not any(statuses) else f"ended with statuses {statuses}"
        result.write_text(word, encoding="utf-8")
    os._exit(0)


if __name__ == "__main__":
    main()

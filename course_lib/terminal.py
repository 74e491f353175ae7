"""A command's output on any terminal, into any pipe and file."""

import contextlib
import io
import os
import sys
from collections.abc import Callable

STOPPED = 3
PIPE_CLOSED = 128 + 13  # as of a program that SIGPIPE ended


def run_command(command: Callable[[], int]) -> int:
    """Run a command; its exit status. What it prints is UTF-8 where it is piped or kept in a file,
    whatever the system's own encoding; a console gets its own, with `?` for what it cannot show.
    Where the reader of a pipe has gone, as `head` does, it ends quietly; where the output cannot be
    kept, with a sentence."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")
    try:
        status = command()
    except BrokenPipeError:
        status = PIPE_CLOSED
    except OSError as error:
        status = _stopped(error)
    return _lost() or status


def _lost() -> int:
    """The exit status where what was printed could not all be written; 0 where it was."""
    status = 0
    for stream in filter(None, (sys.stdout, sys.stderr)):  # none where a program has taken it away
        try:
            stream.flush()
        except BrokenPipeError:
            status = PIPE_CLOSED
        except OSError as error:
            status = _stopped(error)
        else:
            continue
        # Python writes what is left once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return status


def _stopped(error: OSError) -> int:
    with contextlib.suppress(OSError):
        print(f"Stopped: {error}. What is printed may not be all.", file=sys.stderr)
    return STOPPED

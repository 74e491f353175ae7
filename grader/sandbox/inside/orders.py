"""The one-byte words between the trusted side, a worker and a cell."""

import struct

FORK, CLOCK, WAIT, KILL = b"F", b"C", b"W", b"K"  # the parent's orders to a worker
HELLO = b"H"  # a worker is preloaded
READY = b"R"  # a cell is locked down; from here on time is counted
SIZE = struct.Struct("<I")  # how long the settings are, which a worker reads first
STATUS = struct.Struct("<i")  # a cell's wait status, FORK_FAILED or LINGERED
SECONDS = struct.Struct("<d")  # how long the processor has worked for a cell
FORK_FAILED = -1
LINGERED = -2  # a cell closed its pipe and went on, until the worker killed it
OUT_OF_MEMORY = 77  # a cell's exit code: a hint for the status, never a proof

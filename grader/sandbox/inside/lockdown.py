"""Lock the process down before a stranger's code runs in it: in order, with no way back.

Resource limits, no new privileges, Landlock (where the kernel has it), then the system-call filter.
Everything here is plain `ctypes` on purpose: in here there is nothing but Python, NumPy and torch.
"""

import ctypes
import os
import resource
import struct
from dataclasses import dataclass

PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 8, 22, 38
CLONE_NEWUTS = 0x04000000
CAPABILITY_VERSION, CAP_DAC_READ_SEARCH = 0x20080522, 1 << 2
SECCOMP_MODE_FILTER = 2
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # Landlock, the same on every processor
RULE_PATH_BENEATH = 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FS_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # by ABI: how many file rights it knows
NET_RIGHTS = 0b11  # bind and connect TCP
SCOPES = 0b11  # abstract sockets and signals
OPEN_FILES = 64

libc = ctypes.CDLL(None, use_errno=True)


class LockdownError(RuntimeError):
    """The kernel refused a part of the lockdown; nothing of a submission may run."""


@dataclass(frozen=True)
class Lockdown:
    """What every process of a worker is locked down with, prepared once."""

    program: bytes  # the seccomp filter, compiled
    ruleset: int | None  # an open Landlock ruleset, or None where the kernel has none
    address_space: int  # bytes, all in all

    def apply(self, seconds: int) -> None:
        """Lockdown this process. Raises LockdownError when any part does not hold."""
        limit_resources(self.address_space, seconds)
        _need(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        if self.ruleset is not None:
            _need(libc.syscall(RESTRICT_SELF, self.ruleset, 0), "Landlock")
            os.close(self.ruleset)
        install_filter(self.program)


def limit_resources(address_space: int, seconds: int) -> None:
    """Hard limits. Each is already tight without the filter, and the filter is without them."""
    for kind, value in (
        (resource.RLIMIT_AS, address_space),  # not RLIMIT_DATA: it misses shared mappings
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(kind, (value, value))


def install_filter(program: bytes) -> None:
    """Load a compiled seccomp program: struct sock_fprog {unsigned short len; filter *}."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    address = ctypes.create_string_buffer(header, len(header))
    result = libc.prctl(
        PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_void_p(ctypes.addressof(address)), 0, 0
    )
    _need(result, "the system-call filter")


def landlock_abi() -> int:
    """The kernel's Landlock version; 0 where it has none."""
    return max(0, libc.syscall(CREATE_RULESET, None, 0, 1))


def landlock_ruleset(paths: list[str], listed: list[str]) -> int | None:
    """A ruleset that allows reading beneath `paths`, and the names of what lies beneath `listed`,
    and nothing else; None without Landlock."""
    abi = landlock_abi()
    if not abi:
        return None
    rights = (1 << FS_RIGHTS[min(abi, 5)]) - 1
    attributes = struct.pack("QQQ", rights, NET_RIGHTS if abi >= 4 else 0, SCOPES * (abi >= 6))
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = libc.syscall(CREATE_RULESET, attributes, size, 0)
    if ruleset < 0:
        raise LockdownError("the kernel refused a Landlock ruleset")
    for path in paths:
        _allow(ruleset, path, READ_FILE | READ_DIR)
    for path in listed:
        _allow(ruleset, path, READ_DIR)
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        rights &= READ_FILE | (READ_DIR if os.path.isdir(path) else 0)
        rule = struct.pack("=Qi", rights, place)
        _need(libc.syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule, 0), f"a rule for {path}")
    finally:
        os.close(place)


def hide_host_name() -> None:
    """A name that says nothing, where the kernel lets this process have its own."""
    if libc.unshare(CLONE_NEWUTS) == 0:
        libc.sethostname(b"cell", 4)


def keep_capabilities() -> None:
    """Before root becomes another user: what it was able to do may be taken up again."""
    _need(libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), "to keep capabilities")


def reading_alone() -> None:
    """After that: of all capabilities keep the one to read. Landlock says what, whoever asks."""
    header = struct.pack("Ii", CAPABILITY_VERSION, 0)
    kept = struct.pack("6I", CAP_DAC_READ_SEARCH, CAP_DAC_READ_SEARCH, 0, 0, 0, 0)
    _need(libc.capset(header, kept), "root's right to read, without which Python is out of reach")


def die_with_parent() -> None:
    """SIGKILL when the parent goes. A change of uid clears it: call it afterwards."""
    libc.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)


def address_space_in_use() -> int:
    """This process's virtual size in bytes, found without /proc: the smallest limit under which
    one more page can still be mapped."""
    page = resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    low, high = 0, 1 << 46
    try:
        while high - low > page:
            middle = (low + high) // 2 // page * page
            resource.setrlimit(resource.RLIMIT_AS, (middle, hard))
            low, high = (low, middle) if _can_map(page) else (middle, high)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return high


def _can_map(size: int) -> bool:
    libc.mmap.restype = ctypes.c_void_p
    address = libc.mmap(None, ctypes.c_size_t(size), 0, 0x22, -1, ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value:
        return False
    libc.munmap(ctypes.c_void_p(address), ctypes.c_size_t(size))
    return True


def _need(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise LockdownError(f"the kernel refused {what} ({os.strerror(code)})")

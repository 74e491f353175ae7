"""The allow-list of system calls in a cell, compiled to a seccomp program by libseccomp.

A list of what is allowed, not of what is forbidden: a deny-list missed `prlimit`, `setpriority` and
`sched_setaffinity` on the grader. What is not named here fails with EPERM, so an answer that tries
gets an ordinary exception. `clone` is absent: a cell has no threads and no children.
"""

import errno
import os
import tempfile

MEMORY = ("brk", "mmap", "mprotect", "munmap", "mremap", "madvise")
FILES = (
    "read", "pread64", "readv", "preadv", "write", "writev", "close", "lseek",
    "fstat", "newfstatat", "stat", "lstat", "statx", "access", "faccessat", "faccessat2",
    "getdents64", "readlink", "readlinkat", "getcwd", "fadvise64", "dup",
)  # fmt: skip
TIME = ("clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time")
SIGNALS = ("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall")
SELF = (
    "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getrusage",
    "getrlimit", "sched_yield", "sched_getaffinity", "futex", "set_robust_list", "rseq",
    "getrandom", "uname", "sysinfo", "times", "poll", "ppoll", "select", "pselect6",
    "exit", "exit_group", "arch_prctl", "getcpu",
)  # fmt: skip
ALLOWED = MEMORY + FILES + TIME + SIGNALS + SELF
OPEN_MODE = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | os.O_APPEND | (os.O_TMPFILE & ~os.O_DIRECTORY)
FCNTL_COMMANDS = (1, 2, 3, 1030)  # GETFD, SETFD, GETFL, DUPFD_CLOEXEC: no locks, no owners


class FilterError(RuntimeError):
    """The filter cannot be compiled here; the message says what to install."""


def compile_filter() -> bytes:
    """The seccomp program, for this machine's processor. Raises FilterError without libseccomp."""
    try:
        import pyseccomp as seccomp
    except Exception as error:  # it raises several kinds when the C library is missing
        raise FilterError(
            "The system-call filter needs libseccomp and pyseccomp: install the package "
            "`libseccomp2` and `pip install pyseccomp`."
        ) from error
    program = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    for name in ALLOWED:
        _allow(seccomp, program, name)
    reading = seccomp.Arg(2, seccomp.MASKED_EQ, OPEN_MODE, 0)
    _allow(seccomp, program, "openat", reading)
    _allow(seccomp, program, "open", seccomp.Arg(1, seccomp.MASKED_EQ, OPEN_MODE, 0))
    for command in FCNTL_COMMANDS:
        _allow(seccomp, program, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    own_limits = (seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(2, seccomp.EQ, 0))
    _allow(seccomp, program, "prlimit64", *own_limits)
    with tempfile.TemporaryFile() as file:
        program.export_bpf(file)
        file.seek(0)
        return file.read()


def _allow(seccomp, program, name: str, *conditions) -> None:
    """Allow one call; a name that this processor does not have is left out."""
    try:
        program.add_rule(seccomp.ALLOW, name, *conditions)
    except (OSError, ValueError):
        if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) >= 0:
            raise

"""Answers that try to read, send or touch what is not theirs. Each one that gets through answers
the task rightly, so an escape shows as points."""

from tests.grader.hostile.exercise import RIGHT

MARK = "the-neighbour-s-own-words"


def reach(statement, imports="os"):
    """An answer that is right only when the statement raises nothing and is not false."""
    body = f"import {imports}\ndef reach(x):\n    return {statement}\n"
    return RIGHT + body + "def target(x):\n    assert reach(x) is not False\n    return right(x)\n"


def call(number, *arguments):
    """An answer that is right only when the system call succeeds.

    A number fills its register: ctypes passes an int in half of one, with anything in the other.
    """
    words = (f"ctypes.c_long({x})" if isinstance(x, int) else x for x in (number, *arguments))
    return reach(f"libc.syscall({', '.join(words)}) >= 0").replace(
        "def reach", "import ctypes\nlibc = ctypes.CDLL(None)\ndef reach"
    )


def load(module):
    """The same when a module can be imported, past what an `import` statement is refused."""
    return reach(f"importlib.import_module({module!r})", "importlib")


FILES = {
    "solutions": "{solutions}",
    "the course": "{course}",
    "the secret": "{out}/gradebook.sqlite",
    "a neighbour": "{class_}/good/98_attacked.ipynb",
    "passwords": "/etc/passwd",
    "the parent's environment": "/proc/1/environ",
    "own environment": "/proc/self/environ",
    "own memory map": "/proc/self/maps",
    "the kernel's memory": "/dev/mem",
    "a terminal": "/dev/tty",
    "the cell's own log": "/cell/worker.log",
}

READING = {f"read {name}": reach(f"open({path!r}, 'rb').read(1)") for name, path in FILES.items()}
READING |= {
    "bits of an input in an exception's name": "import builtins, numpy as np\n"
    "kinds = [k for k in vars(builtins).values() if isinstance(k, type)]\n"
    "NAMES = sorted(k.__name__ for k in kinds if issubclass(k, Exception))\n"
    "def target(x):\n    raise getattr(builtins, NAMES[int(abs(x.flat[0]) * 1e6) % len(NAMES)])\n",
    "import the exercises": load("course_lib.exercises"),
    "import the solutions": load("course_lib.formulas.softmax"),
    "import the judge": load("course_lib.checker.compare.judge"),
    "list the class": reach("os.listdir('{class_}')"),
    "list the temporary folder": reach("bool(os.listdir('/tmp'))"),
    "read the environment": reach("bool(os.environ)"),
    "a network socket": reach("socket.create_connection(('127.0.0.1', 22), 1)", "socket"),
    "a UDP socket": reach("socket.socket(2, 2)", "socket"),
    "a UNIX socket": reach("socket.socketpair()", "socket"),
    "a VSOCK socket": reach("socket.socket(40, 1)", "socket"),
    "a netlink socket": reach("socket.socket(16, 3)", "socket"),
    "a name look-up": reach("socket.gethostbyname('localhost')", "socket"),
    "download": reach("urllib.request.urlopen('http://127.0.0.1')", "urllib.request"),
    "search memory for a neighbour": RIGHT
    + "import gc\n"
    + "def target(x):\n"
    + f"    word = {MARK!r}[::-1][::-1]\n"
    + "    mine = sum(word in t for t in map(str, gc.get_objects()) if 'def target' not in t)\n"
    + "    assert mine > 3\n    return right(x)\n",
}

TOUCHING = {
    "write to the temporary folder": reach("open('{tmp}/hostile', 'w')"),
    "write in place": reach("open('{class_}/good/98_attacked.ipynb', 'r+')"),
    "write where it runs": reach("open('/cell/grader/sandbox/inside/cell.py', 'a')"),
    "make a folder": reach("os.mkdir('{tmp}/hostile')"),
    "remove a file": reach("os.remove('{class_}/good/98_attacked.ipynb')"),
    "link": reach("os.symlink('/', '{tmp}/hostile')"),
    "shared memory": reach(
        "multiprocessing.shared_memory.SharedMemory(create=True, size=9)",
        "multiprocessing.shared_memory",
    ),
    "fork": reach("os.fork()"),
    "spawn": reach("os.posix_spawn('/bin/true', ['true'], {})"),
    "execute": reach("os.execv('/bin/true', ['true'])"),
    "a shell": reach("os.system('true') == 0"),
    "a subprocess": reach("subprocess.run(['/bin/true'])", "subprocess"),
    "a process pool": reach("multiprocessing.Process(target=print).start()", "multiprocessing"),
    "a thread": reach("threading.Thread(target=print).start()", "threading"),
    "kill the parent": reach("os.kill(os.getppid(), 9)"),
    "kill everyone": reach("os.kill(-1, 9)"),
    "stop the parent": reach("os.kill(os.getppid(), 19)"),
    "change priority": reach("os.setpriority(0, os.getppid(), 19)"),
    "change own priority": reach("os.nice(1)"),
    "pin the parent": reach("os.sched_setaffinity(os.getppid(), {0})"),
    "raise own limits": reach("resource.setrlimit(resource.RLIMIT_AS, (-1, -1))", "resource"),
    "lower the parent's limits": reach(
        "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))", "os, resource"
    ),
    "become root": reach("os.setuid(0)"),
    "leave the root": reach("os.chroot('/')"),
    "take a lock": reach("fcntl.flock(2, fcntl.LOCK_EX)", "fcntl"),
    "take a record lock": reach("fcntl.lockf(0, fcntl.LOCK_SH)", "fcntl"),
    "own a descriptor's signals": reach(
        "fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())", "os, fcntl"
    ),
    "control a device": reach("fcntl.ioctl(0, 0x5451)", "fcntl"),  # FIOCLEX: any descriptor has it
    "a file in memory": reach("os.memfd_create('x')"),
    "a pidfd": reach("os.pidfd_open(os.getppid())"),
    "trace the parent (ptrace)": call(101, 16, "__import__('os').getppid()", 0, 0),
    "read the parent's memory": call(310, "__import__('os').getppid()", 0, 0, 0, 0, 0),
    "io_uring": call(425, 8, "b'\\0' * 120"),
    "new user namespace": call(272, 0x10000000),
    "mount": call(165, "b'none'", "b'/proc'", "b'tmpfs'", 0, 0),
    "open_tree": call(428, -100, "b'/'", 1),
    "openat2": call(437, -100, "b'/'", "b'\\0' * 24", 24),
    "keyring": call(250, 0, -3, 1),
    "add a key": call(248, "b'user'", "b'x'", "b'x'", 1, -3),
    "bpf": call(321, 0, "bytes([2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1]) + bytes(59)", 72),
    "perf events": call(298, "b'\\1' + bytes(119)", 0, -1, -1, 0),
    "userfaultfd": call(323, 1),
    "system V shared memory": call(29, 0, 4096, 0o1600),
    "system V semaphores": call(64, 0, 1, 0o1600),
    "message queue": call(240, "b'x'", 66, 0o600, 0),
    "inotify": call(294, 0),
    "a second filter": call(317, 2, 0, "b'\\0\\0\\xff\\x7f'"),
    "dumpable": call(157, 4, 1, 0, 0, 0),
    "clone3": call(435, "b'\\0' * 88", 88),
    "vfork": call(58),
    "personality": call(135, 0x0040000),
    # SIGURG (23) is ignored by who gets it: a parent that was killed could not tell of the harm.
    "send a signal to a thread": call(
        234, "__import__('os').getppid()", "__import__('os').getppid()", 23
    ),
    "a timer": call(222, 0, 0, "b'\\0' * 8"),
    "32-bit system calls": call(0x40000000 + 41, 2, 1, 0),
}

"""Make the environment: the Python part in .venv, and what the tests need of the system.

    python tools/environment.py python EXTRAS    .venv with this repository and its extras
    python tools/environment.py system           browser, sandbox, epubcheck; says what is missing

The second installs system packages only as root with apt-get, says so first, and leaves the system
as it is where COURSE_SYSTEM=no.

Runs on a bare Python: standard library only, and in words that an old one understands.
"""

import ctypes.util
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

VENV = Path(".venv")
OLDEST = (3, 11)
# Only the weights inside are read, so what its code asks for stays away.
DATA_ALONE = "g2p-en"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# What to install, and how to see that it is there.
SYSTEM = {
    "chromium": lambda: any(shutil.which(name) for name in BROWSERS),
    "bubblewrap": lambda: shutil.which("bwrap"),
    "libseccomp2": lambda: ctypes.util.find_library("seccomp"),
    "epubcheck": lambda: shutil.which("epubcheck"),
}
# What does not work without it, and what still does.
WITHOUT = {
    "chromium": "no PDF, and the browser tests are skipped; the book and all other tests work",
    "bubblewrap": "processes are held by Landlock alone (profile portable), and the tests of the "
    "strong profile are skipped; students' commands work",
    "libseccomp2": "nothing can be graded but what you trust, and its tests are skipped",
    "epubcheck": "the EPUB is made and not checked",
}


def interpreter() -> Path:
    """The environment's Python, where this platform keeps it."""
    windows = VENV / "Scripts" / "python.exe"
    return windows if os.name == "nt" else VENV / "bin" / "python"


def run(*command: object) -> bool:
    """Run a command in view of the user; whether it went well."""
    words = [str(word) for word in command]
    print("+", " ".join(words), flush=True)
    return subprocess.run(words, check=False).returncode == 0


def too_old(command: str) -> str:
    """What to say where this Python is too old for `make command`; "" where it is not."""
    found, oldest = sys.version.split()[0], ".".join(map(str, OLDEST))
    sentence = f"Python {found} is too old: {oldest} or later is needed. With another one: "
    return sentence + f"make {command} PYTHON=python3.12" if sys.version_info < OLDEST else ""


def make_python(extras: str) -> int:
    """Install the repository with its extras, through constraints.txt, with uv or else pip."""
    if too_old("env"):
        print(too_old("env"))
        return 1
    if not interpreter().exists():
        print("The environment comes first: 2.5 GB in .venv, 2 to 10 minutes once.", flush=True)
        venv.create(VENV, with_pip=True)
    wanted = ["-c", "constraints.txt", "-e", f".[{extras}]", "-e", "./grader[cluster]"]
    python = interpreter()
    # uv resolves in seconds what takes pip minutes; it is worth fetching.
    if not shutil.which("uv"):
        run(python, "-m", "pip", "install", "-q", "-c", "constraints.txt", "uv")
    uv = shutil.which("uv") or shutil.which("uv", path=str(python.parent))
    installers = [[python, "-m", "pip", "install", "-q"]]
    if uv:  # compiled once, as pip does: where no Python may write bytecode, each would compile all
        command = [uv, "pip", "install", "-q", "--compile-bytecode", "--python", python]
        installers.insert(0, command)
    for install in installers:
        if run(*install, *wanted):
            run(*install, "-c", "constraints.txt", "--no-deps", DATA_ALONE)
            return 0
    print("The packages could not be installed: is the package registry in reach, and is there")
    print("room on the disk (3 GB)? What an environment holds already goes on working.")
    return 1


def fetched_browser() -> bool:
    """Whether Playwright could bring its own Chromium; what it says when it cannot helps nobody."""
    command = [str(interpreter()), "-m", "playwright", "install", "chromium"]
    print("Chromium is missing: Playwright fetches its own (150 MB), if it can.", flush=True)
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def make_system() -> int:
    """Install what is missing where we may, else say what it is for. Tests skip with a reason."""
    allowed = os.environ.get("COURSE_SYSTEM") != "no"
    missing = [name for name, there in SYSTEM.items() if not there()]
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if missing and root and allowed and shutil.which("apt-get"):
        print(f"Installing system packages: {', '.join(missing)} (COURSE_SYSTEM=no prevents it).")
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        run("apt-get", "update", "-q")
        run("apt-get", "install", "-q", "-y", "--no-install-recommends", *missing)
        missing = [name for name, there in SYSTEM.items() if not there()]
    if "chromium" in missing and allowed and fetched_browser():
        missing.remove("chromium")
    if sys.platform != "linux":
        missing = [name for name in missing if name == "chromium"]
    for name in missing:
        print(f"{name} is missing: {WITHOUT[name]}.")
    if missing:
        print("Install them with your package manager, then run `make env` again.")
    elif VENV.exists():
        (VENV / "system-ready").touch()
    return 0


if __name__ == "__main__":
    # Not `match`: a Python before 3.10 could not even read the sentence that it is too old.
    if sys.argv[1:2] == ["python"] and len(sys.argv) == 3:
        sys.exit(make_python(sys.argv[2]))
    sys.exit(make_system() if sys.argv[1:] == ["system"] else __doc__)

"""How strongly this machine can hold a stranger's code: probed at the start, never assumed.

strong      bubblewrap (own network, process, ipc and file namespaces) around sandboxed processes
portable    no namespaces: processes held by Landlock, seccomp and resource limits
container   the same without Landlock, inside a container that hides everything from its own user
trusted     nothing; only on request, for submissions that the instructor wrote
"""

import ctypes
import os
import shutil
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from course_lib.checker.errors import ProfileError
from grader.sandbox.filesystem import (
    DEVICES,
    PACKAGES,
    SYSTEM_LIBRARIES,
    foreign_packages,
    interpreter,
    python_places,
    site_entries,
    without,
)
from grader.sandbox.seccomp import FilterError, compile_filter

CREATE_RULESET = 444  # Landlock's first system call, the same on every processor
CELL_USER = 65534  # nobody
HOME = Path("/cell")
START = "import sys; sys.path[:] += {path!r}; from grader.sandbox.inside.worker import main; main()"


@dataclass(frozen=True)
class Profile:
    """A sandbox that was seen to hold on this machine."""

    name: str
    program: bytes | None  # the seccomp filter; None for trusted submissions
    uid: int | None  # whom the worker becomes, when the command runs as root
    private: bool = False  # whether that user could not reach Python without root's right to read

    def command(self, folder: Path, site: dict[str, Path]) -> list[str]:
        """The command line that starts a worker."""
        inside = self.name == "strong"
        home = HOME if inside else folder
        if not inside:
            _link_site(folder / "site", site)
        start = START.format(path=[str(home), str(home / "site")])
        python = [str(interpreter()), "-I", "-S", "-B", "-c", start]
        return _bubblewrap(folder, site, self.uid is not None) + python if inside else python

    def readable(self, folder: Path, site: dict[str, Path]) -> tuple[list[str], list[str]]:
        """What Landlock lets a cell read, and the folders whose names alone it lets it list. Behind
        bubblewrap there is nothing else anyway."""
        if self.name == "strong":
            return ["/"], []
        libraries = [Path(place) for place in SYSTEM_LIBRARIES if Path(place).is_dir()]
        read, listed = without([*python_places(), *libraries], foreign_packages())
        read += [folder, *site.values()]
        return [*map(str, read), *DEVICES], [str(place) for place in listed]


def _link_site(folder: Path, site: dict[str, Path]) -> None:
    folder.mkdir(exist_ok=True)
    for name, place in site.items():
        (folder / name).symlink_to(place)


def _bubblewrap(folder: Path, site: dict[str, Path], as_root: bool) -> list[str]:
    """Read-only places by name, no network, own processes; as root it may change its user."""
    binds: list[str] = []
    for place in SYSTEM_LIBRARIES:
        binds += ["--ro-bind-try", place, place]
    for place in foreign_packages():
        binds += ["--tmpfs", str(place)] if _beneath(place, SYSTEM_LIBRARIES) else []
    for place in python_places():
        binds += ["--ro-bind", str(place), str(place)]
    for place in foreign_packages():
        binds += ["--tmpfs", str(place)] if _beneath(place, python_places()) else []
    for name in PACKAGES:
        binds += ["--ro-bind", str(folder / name), str(HOME / name)]
    for name, place in site.items():
        binds += ["--ro-bind", str(place), str(HOME / "site" / name)]
    for place in DEVICES:
        binds += ["--dev-bind" if place.startswith("/dev") else "--ro-bind-try", place, place]
    powers = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if as_root else []
    user = [] if as_root else ["--unshare-user"]
    return [
        shutil.which("bwrap") or "bwrap", "--die-with-parent", "--new-session", *user,
        "--unshare-pid", "--unshare-net", "--unshare-ipc",
        "--unshare-uts", "--hostname", "cell",
        "--unshare-cgroup-try", *powers, "--tmpfs", "/tmp",
        *_open_folders(), *binds,
        "--remount-ro", "/", "--chdir", "/", "--",
    ]  # fmt: skip


def _open_folders() -> list[str]:
    """Make the folders that hold the places, so that every user can walk through them: bubblewrap
    would make them for root alone."""
    places = [*python_places(), *map(Path, DEVICES)]
    folders = {parent for place in places for parent in place.parents}
    folders |= {HOME, HOME / "site"}
    made = sorted(f for f in folders if f != Path("/") and not _beneath(f, SYSTEM_LIBRARIES))
    return [part for folder in made for part in ("--dir", str(folder))]


def _beneath(place: Path, roots) -> bool:
    return any(place.is_relative_to(root) for root in roots)


def candidates(trust: bool = False, only: str | None = None) -> list[Profile]:
    """The profiles worth trying here, strongest first. Raises ProfileError when there is none."""
    if trust:
        return [Profile("trusted", None, None)]
    if not sys.platform.startswith("linux"):
        raise ProfileError(
            "The sandbox needs Linux. Here, run the same command in the container "
            "that the Containerfile builds."
        )
    try:
        program = compile_filter()
    except FilterError as error:
        raise ProfileError(str(error)) from error
    root = os.geteuid() == 0
    found = []
    if shutil.which("bwrap"):
        found.append(Profile("strong", program, CELL_USER if root else None))
    if _has_landlock():
        places = [interpreter(), *site_entries().values()]
        private = root and not all(map(_open_to_others, places))
        found.append(Profile("portable", program, CELL_USER if root else None, private))
    if _in_container() and root and _open_to_others(interpreter()):
        found.append(Profile("container", program, CELL_USER))
    return [profile for profile in found if only in (None, profile.name)]


def refusal() -> str:
    """What to say when no profile holds."""
    return (
        "This machine offers no sandbox to run strangers' code behind, so nothing was run. Install "
        "bubblewrap (Debian and Ubuntu: apt-get install bubblewrap libseccomp2), or use a kernel "
        "with Landlock (Linux 5.13 or later), or run the command in the container that the "
        "Containerfile builds. With --trust-submissions it runs them without any sandbox."
    )


def _open_to_others(place: Path) -> bool:
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in [place, *place.parents])


def _has_landlock() -> bool:
    version = 1 << 0
    return ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, version) > 0


def _in_container() -> bool:
    return any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv"))

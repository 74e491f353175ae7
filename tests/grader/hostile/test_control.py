"""The positive control: without a wall, each attack does its harm. One that cannot proves nothing
in test_hostile.py. Each runs in a namespace of its own, which dies with all that it did."""

import os
import platform
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.grader.hostile.class_ import aimed
from tests.grader.hostile.reaching import MARK, READING, TOUCHING

ROOT = Path(__file__).parents[3]
# No wall stops an answer from raising an exception of any name: the report keeps it to itself.
SAID = {"bits of an input in an exception's name"}
ATTACKS = {name: code for name, code in (READING | TOUCHING).items() if name not in SAID}
# What a machine may refuse even to root, for reasons of its own. On it the attack proves nothing.
DEPENDS = {
    "read the kernel's memory": "kernels may refuse it to everyone",
    "32-bit system calls": "kernels are built without x32",
    "a VSOCK socket": "a module that virtual machines have",
    "io_uring": "often switched off",
    "userfaultfd": "often switched off",
    "bpf": "needs a capability of the whole machine",
    "perf events": "needs a capability of the whole machine",
    "keyring": "containers refuse it",
    "add a key": "containers refuse it",
    "new user namespace": "containers refuse it",
    "message queue": "containers refuse it",
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("graders"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="system calls are x86-64's"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who may do most harm"),
]


def throw_away(place: Path) -> list[str]:
    """bubblewrap as a place to do harm in: the machine to read, a home of its own to write."""
    words = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    words += ["--as-pid-1", "--cap-add", "ALL"]
    for entry in sorted(Path("/").iterdir()):
        if entry.is_symlink():
            words += ["--symlink", os.readlink(entry), str(entry)]
        elif entry.is_dir() and entry.name not in ("proc", "dev", "tmp"):
            words += ["--ro-bind", str(entry), str(entry)]
    words += ["--proc", "/proc", "--dev-bind", "/dev", "/dev", "--tmpfs", "/tmp"]
    for there in {sys.prefix, str(ROOT)}:  # a checkout below /tmp is hidden by the line above
        if there.startswith("/tmp/"):
            words += ["--ro-bind", there, there]
    words += ["--dir", "/cell/grader/sandbox/inside"]
    words += ["--ro-bind", str(place / "attack.py"), "/cell/worker.log"]
    return [*words, "--bind", str(place), str(place), "--setenv", "TMPDIR", str(place)]


def report_of(name: str, base: Path) -> str:
    """What one attack says of itself, without a sandbox."""
    place = base / name.replace("/", " ").replace(" ", "-")
    (place / "class" / "good").mkdir(parents=True)
    (place / "class" / "good" / "98_attacked.ipynb").write_text("{}", encoding="utf-8")
    (place / "out").mkdir()
    (place / "out" / "gradebook.sqlite").write_text("secret", encoding="utf-8")
    source = aimed(ATTACKS[name], place / "class", place / "out")
    (place / "attack.py").write_text(source, encoding="utf-8")
    result = place / "result"
    command = [
        *throw_away(place),
        sys.executable,
        ROOT / "tests" / "grader" / "hostile" / "without_sandbox.py",
    ]
    command = [*map(str, command), str(place / "attack.py"), str(result), MARK]
    settings = {"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    with (place / "log").open("w") as log:
        run = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **settings
        )
        end = time.monotonic() + 120
        while not result.exists() and run.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        run.kill()  # and with it everything in its namespace
        run.wait()
    if result.exists():
        return result.read_text(encoding="utf-8")
    return "ended without a word: " + (place / "log").read_text()[-300:]


def test_without_a_wall_each_attack_does_its_harm(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        reports = dict(
            zip(ATTACKS, pool.map(lambda n: report_of(n, tmp_path), ATTACKS), strict=True)
        )
    harmless = {name: what for name, what in reports.items() if what != "harm"}
    assert {name: what for name, what in harmless.items() if name not in DEPENDS} == {}


def test_the_exceptions_are_attacks_and_few():
    assert set(DEPENDS) <= set(ATTACKS)
    assert len(DEPENDS) < len(ATTACKS) / 6

"""The whole corpus behind each weaker wall, as root and not; for `strong` it is in test_hostile."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.grader.hostile import test_hostile
from tests.grader.hostile.class_ import ANSWERS, write_class
from tests.grader.hostile.test_hostile import (
    ROOT,
    STRANGER,
    _readable_interpreter,
    check_reports,
    check_rows,
    give,
    grade,
    open_place,
)

__all__ = ["open_place"]  # a fixture

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.xdist_group("graders"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to be either"),
]
COURSE = "/srv/course"  # where the container's image has it, for root alone
# `container` has no Landlock: a cell reads what its container lets everybody read. The page for
# instructors says so.
# No kernel with Landlock forgets it, so its three system calls are refused as an older one would.
WITHOUT_LANDLOCK = """
import os, sys
import pyseccomp as seccomp
program = seccomp.SyscallFilter(seccomp.ALLOW)
for call in (444, 445, 446):
    program.add_rule(seccomp.ERRNO(38), call)
program.load()
os.execv(sys.argv[1], sys.argv[1:])
"""
EVERYBODY_S = {
    "read passwords",
    "read own environment",
    "read own memory map",
    "list the temporary folder",
    "a name look-up",  # of this machine's own name, in /etc/hosts; nothing is sent
}


@pytest.mark.parametrize("uid", [None, STRANGER])
def test_portable(open_place, uid):
    place, folder = open_place / f"of {uid}", open_place / f"class of {uid}"
    folder.mkdir()
    place.mkdir()
    earned = write_class(folder, place / "out")
    if uid:
        give(uid, place, folder)
    rows, left = grade(folder, place / "out", "portable", uid)
    check_rows(rows, earned)
    assert not left and "portable" in {row["profile"] for row in rows.values()}
    check_reports(place / "out")


def container():
    """A wrapper that is like the image of the Containerfile on a kernel without Landlock: root
    without namespaces, in a container that says so, with the course in a folder of root's."""
    words = [*_readable_interpreter()[:-1], "--unshare-pid", "--proc", "/proc"]
    words += ["--tmpfs", "/run", "--ro-bind", "/dev/null", "/run/.containerenv"]
    words += ["--perms", "0700", "--tmpfs", "/srv", "--ro-bind", str(ROOT), COURSE]
    words += ["--perms", "0700", "--tmpfs", str(ROOT)]
    if Path(sys.prefix).is_relative_to(ROOT):
        words += ["--chmod", "0755", str(ROOT), "--ro-bind", sys.prefix, sys.prefix]
    words += ["--setenv", "PYTHONPATH", COURSE, "--chdir", COURSE]
    return [*words, "--cap-drop", "CAP_SYS_ADMIN", "--", sys.executable, "-c", WITHOUT_LANDLOCK]


def aimed_at_the_image():
    """The corpus without what is everybody's, its paths those of the image."""
    places = {"{course}": "softmax.py", "{solutions}": "exercises/__init__.py"}
    answers = {}
    for name in ANSWERS.keys() - EVERYBODY_S:
        answers[name] = ANSWERS[name]
        for mark, file in places.items():
            answers[name] = answers[name].replace(mark, f"{COURSE}/course_lib/{file}")
    return answers


def test_container(tmp_path, monkeypatch):
    folder = tmp_path / "class"
    folder.mkdir(mode=0o700)
    earned = write_class(folder, tmp_path / "out", aimed_at_the_image())
    monkeypatch.setattr(test_hostile, "_readable_interpreter", container)
    rows, left = grade(folder, tmp_path / "out", "container", 0)
    check_rows(rows, earned)
    assert not left and "container" in {row["profile"] for row in rows.values()}
    check_reports(tmp_path / "out")

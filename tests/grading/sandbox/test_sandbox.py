"""What a cell can learn of the machine, and what is left behind when a run is killed."""

import fcntl
import os
import shutil
import sys
import time

import pytest

from course_lib.grading.inside.inputs import Inputs
from course_lib.grading.inside.protocol import encode
from course_lib.grading.sandbox import profiles, sandbox
from course_lib.grading.sandbox.results import read_observations

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cells are Linux's")
pytestmark = [LINUX, pytest.mark.xdist_group("graders")]
ASK = """
import os, platform, sys

def ask(closed):
    import fractions
    facts = {"uid": os.getuid(), "arguments": sys.argv, "host": os.uname().nodename}
    facts |= {"platform": platform.node(), "environment": dict(os.environ)}
    try:
        facts["read"] = open(closed).read(9)
    except OSError as error:
        facts["read"] = error.strerror
    try:
        facts["process"] = open("/proc/self/cmdline").read()
    except OSError:
        facts["process"] = ""
    return facts
"""


def asked(name, closed):
    """What an answer finds out in a cell of this profile."""
    try:
        (profile,) = profiles.candidates(only=name)
    except ValueError:
        pytest.skip(f"this machine cannot have the profile {name}")
    request = {"task": "ask", "library": "numpy", "refused": [], "imports": [], "seconds": 60}
    request |= {"answers": [("ask", ASK)], "inputs": [Inputs((closed,))]}
    with sandbox.Sandbox(profile, 400) as one:
        outcome = one.run(encode(request), 60.0)
    (seen,) = read_observations(outcome.frame, 1)
    assert seen.error is None, seen
    return seen.value


@pytest.mark.slow
@pytest.mark.parametrize("name", ["strong", "portable"])
def test_a_cell_learns_nothing_of_the_machine_and_is_never_root(name, monkeypatch):
    """`wsgiref` stands for a package beneath the standard library: closed, although imported
    folders beside it are open."""
    import wsgiref

    place = os.path.dirname(os.path.realpath(wsgiref.__file__))
    monkeypatch.setattr(profiles, "foreign_packages", lambda: [profiles.Path(place)])
    facts = asked(name, os.path.join(place, "headers.py"))
    assert facts["uid"] != 0
    assert facts["arguments"] == ["-c"] and facts["environment"] == {}
    assert facts["read"] in ("Permission denied", "No such file or directory")
    assert facts["process"] == ""
    if name == "strong" or os.geteuid() == 0:
        assert (facts["host"], facts["platform"]) == ("cell", "cell")


@pytest.mark.parametrize(("uid", "found"), [(0, ["container"]), (1000, [])])
def test_the_profile_container_is_root_s_alone(uid, found, monkeypatch):
    """Another user's cells could be no other user, and would read the gradebook."""
    monkeypatch.setattr(profiles, "_in_container", lambda: True)
    monkeypatch.setattr(profiles, "_open_to_others", lambda place: True)
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    assert [profile.name for profile in profiles.candidates(only="container")] == found


def old(folder, name):
    place = folder / f"attn-{name}"
    place.mkdir()
    (place / "worker.log").touch()
    os.utime(place, (time.time() - 3600,) * 2)
    return place


def test_what_a_killed_run_left_is_removed_and_what_is_in_use_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox.tempfile, "gettempdir", lambda: str(tmp_path))
    # No process has such a number here; in the other container that shares the folder one does.
    left, used, young = (old(tmp_path, f"999999999-{name}") for name in ("left", "used", "young"))
    os.utime(young)
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "attn-1-link").symlink_to(other)
    held = os.open(used, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    sandbox.remove_stale_folders()
    assert not left.exists() and used.exists() and young.exists() and other.exists()
    os.close(held)
    sandbox.remove_stale_folders()
    assert not used.exists()


@pytest.mark.slow
def test_a_worker_holds_its_folder_until_it_ends():
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    (profile,) = profiles.candidates(only="strong")
    with sandbox.Sandbox(profile, 400) as one:
        one.start()
        os.utime(one.folder, (time.time() - 3600,) * 2)
        sandbox.remove_stale_folders()
        assert (one.folder / "course_lib").is_dir()
        folder = one.folder
    assert not folder.exists()

"""What a cell can learn of the machine, and what is left behind when a run is killed."""

import os
import shutil
import threading
import time
from pathlib import Path

import psutil
import pytest

from course_lib.checker.run.inputs import Inputs
from grader.sandbox import profiles, sandbox, scratch
from grader.sandbox.inside.protocol import encode
from grader.sandbox.results import MOST_AGAIN, Retrying, read_observations, run_request

pytestmark = pytest.mark.xdist_group("graders")
LOOP = "def f(x):\n    while True: pass\n"
SLEEP = "import time\ndef f(x):\n    time.sleep({})\n    return 1.0\n"
CLOSE = """import os, time
def f(x):
    for fd in range(3, 64):
        try: os.close(fd)
        except OSError: pass
"""
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


def request(source, argument):
    """What a cell is sent that calls the answer's function with one argument."""
    how = {"task": "ask" if source is ASK else "f", "library": "numpy", "refused": []}
    inputs = [Inputs((argument,))]
    return encode(how | {"pieces": ((source, None),), "inputs": inputs, "seconds": 60})


def asked(name, closed):
    """What an answer finds out in a cell of this profile."""
    try:
        (profile,) = profiles.candidates(only=name)
    except ValueError:
        pytest.skip(f"this machine cannot have the profile {name}")
    with sandbox.Sandbox(profile, 400) as one:
        outcome = one.run(request(ASK, closed), 60.0)
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["strong", "portable"])
def test_a_cell_that_is_killed_from_outside_is_our_fault(name):
    """As the kernel kills where memory is short: it takes cells first, and never the parent."""
    (profile,) = profiles.candidates(only=name) or pytest.skip(f"{name} cannot be had here")
    with sandbox.Sandbox(profile, 400) as one:
        one.start()
        worker = psutil.Process(one.process.pid)
        before = {worker, *worker.children(recursive=True)}
        seen = []

        def kill():
            while not seen:
                seen.extend(set(worker.children(recursive=True)) - before)
                time.sleep(0.05)
            score = Path(f"/proc/{seen[0].pid}/oom_score_adj").read_text()
            seen.append(int(score))
            while sum(seen[0].cpu_times()[:2]) < 1:  # by then it is ready, on any machine
                time.sleep(0.05)
            seen[0].kill()

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(sandbox.OurFault, match="killed from outside"):
            one.run(request(LOOP, 1), 50.0)
        killer.join()
    assert seen[1] == 1000 > int(Path("/proc/self/oom_score_adj").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["strong", "portable"])
def test_a_cell_that_closes_its_pipe_and_goes_on_is_no_fault_of_ours(name):
    """The worker kills it; who reads its end must not take that for a kill from outside, which
    would cost a worker and, tried again, minutes."""
    (profile,) = profiles.candidates(only=name) or pytest.skip(f"{name} cannot be had here")
    with sandbox.Sandbox(profile, 400) as one:
        one.start()
        worker = one.process.pid
        for then in ("time.sleep(60)", "while True: pass"):
            outcome = one.run(request(CLOSE + f"    {then}\n", 1), 50.0)
            assert (outcome.kind, one.process.pid) == ("no-result", worker)


class Failing:
    """A sandbox that is killed from outside, time and again."""

    profile, runs = None, 0

    def run(self, request, seconds):
        self.runs += 1
        raise sandbox.OurFault


def test_one_submission_costs_few_restarts_whatever_it_holds():
    """Each cell is tried; the ten of a submission would be thirty starts of a worker."""
    failing = Failing()
    one = Retrying(failing)
    assert {run_request(one, b"", 1.0, 1).kind for _ in range(10)} == {"needs-attention"}
    assert failing.runs == 10 + MOST_AGAIN


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "patience", "kind"),
    [
        (SLEEP.format(1.5), 1000, "frame"),  # as long on the wall as on a busy machine
        (SLEEP.format(10**6), 1, "timeout"),
        (LOOP, 1000, "timeout"),
    ],
    ids=["a busy machine", "an endless sleep", "an endless loop"],
)
def test_the_processor_s_time_counts_and_the_wall_only_in_the_end(
    source, patience, kind, monkeypatch
):
    monkeypatch.setattr(sandbox, "PATIENCE", patience)
    (profile,) = profiles.candidates(only="portable") or pytest.skip("no cells here")
    with sandbox.Sandbox(profile, 400) as one:
        outcome = one.run(request(source, 1), 1.0)
        assert (outcome.kind, outcome.seconds >= 1.0) == (kind, kind == "timeout")
        if kind == "frame":
            assert read_observations(outcome.frame, 1)[0].value == 1.0


def left(parent, name, mark=True):
    """A folder as a run that was killed leaves it."""
    place = parent / f"worker-{name}"
    place.mkdir()
    if mark:
        (place / scratch.MARK).touch()
    return place


def test_only_marked_folders_that_nobody_holds_are_removed(tmp_path, monkeypatch):
    """A folder of somebody else's may have any name, also one that begins as ours do."""
    monkeypatch.setattr(scratch.tempfile, "gettempdir", lambda: str(tmp_path))
    thesis, grades = tmp_path / "attn-my-thesis", tmp_path / "attn-week-1" / "grades"
    for place in (thesis, grades):
        place.mkdir(parents=True)
        (place / "gradebook.sqlite").touch()
        os.utime(place, (time.time() - 3600,) * 2)
    held_folder, hold = scratch.new_folder()
    parent = held_folder.parent
    killed, unmarked = left(parent, "killed"), left(parent, "of somebody", mark=False)
    (parent / "worker-link").symlink_to(thesis)
    (thesis / scratch.MARK).touch()
    scratch.remove_left_folders()
    assert not killed.exists()
    assert held_folder.exists() and unmarked.exists()
    assert (thesis / "gradebook.sqlite").exists() and (grades / "gradebook.sqlite").exists()
    os.close(hold)
    scratch.remove_left_folders()
    assert not held_folder.exists()


def test_a_parent_that_others_may_write_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch.tempfile, "gettempdir", lambda: str(tmp_path))
    taken = tmp_path / f"attn-workers-{os.geteuid()}"
    taken.mkdir()
    taken.chmod(0o777)
    killed = left(taken, "killed")
    scratch.remove_left_folders()
    folder, hold = scratch.new_folder()
    os.close(hold)
    assert killed.exists() and taken not in folder.parents


@pytest.mark.slow
def test_a_worker_holds_its_folder_until_it_ends():
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    (profile,) = profiles.candidates(only="strong")
    with sandbox.Sandbox(profile, 400) as one:
        one.start()
        scratch.remove_left_folders()
        assert (one.folder / "course_lib").is_dir()
        folder = one.folder
    assert not folder.exists()

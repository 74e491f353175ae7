"""Many submissions on two sandboxes: each is graded once, no sandbox is given two cells."""

import gc
import itertools
import threading
import time

import pytest

from course_lib.checker.notebook import Notebook
from grader.pipeline.local import TOO_LONG, Job, Settings, grade_all, grade_job
from grader.sandbox.inside import protocol
from grader.sandbox.profiles import Profile
from grader.sandbox.sandbox import Outcome, Sandbox
from grader.submissions.class_table import Line
from tests.checker.toy import EXERCISE

PROFILE = Profile("trusted", None, None)
SETTINGS = Settings({EXERCISE.stem: EXERCISE}, "v", b"k" * 32, PROFILE, 10.0, 400)
NOTEBOOK = Notebook(((None, "import numpy as np"), ("double", "def double(x, times=1): return x")))


class SlowSandbox(Sandbox):
    """A sandbox whose cells all run out of time, and which notes how it was used."""

    def __init__(self):
        self.profile, self.lock = PROFILE, threading.Lock()
        self.cells, self.shared, self.stopped = 0, False, False

    def run(self, request, seconds):
        self.shared |= not self.lock.acquire(blocking=False)
        self.cells += 1
        time.sleep(0.002)  # long enough for another thread to come in
        self.lock.release()
        return Outcome("timeout", b"", 0.0)

    def stop(self):
        self.stopped = True


def jobs():
    for number in itertools.count():
        yield Job(Line(f"s{number}", EXERCISE.stem), f"{number:040}", NOTEBOOK)


def test_every_job_is_graded_once_and_no_wall_runs_two_cells():
    made = [SlowSandbox(), SlowSandbox()]
    results = list(grade_all(itertools.islice(jobs(), 40), SETTINGS, made))
    assert sorted(int(job.submission.student[1:]) for job, _ in results) == list(range(40))
    assert {result["status"] for _, result in results} == {"timeout"}
    assert all(sandbox.cells and sandbox.stopped for sandbox in made)
    assert not any(sandbox.shared for sandbox in made)


def test_answers_that_fit_into_no_frame_are_unreadable(monkeypatch):
    (job,) = itertools.islice(jobs(), 1)
    whole = grade_job(job, SETTINGS, SlowSandbox())
    monkeypatch.setattr(protocol, "MAX_HEADER", 20)
    result = grade_job(job, SETTINGS, SlowSandbox())
    assert (whole["status"], result["status"], result["score"]) == ("timeout", "unreadable", 0)
    assert (result["max_score"], result["tasks"]) == (whole["max_score"], [])
    assert (result["note"], result["profile"]) == (TOO_LONG, whole["profile"])


def test_a_fault_of_the_grader_gives_no_points_and_says_so(monkeypatch):
    (job,) = itertools.islice(jobs(), 1)
    broken = SlowSandbox()
    monkeypatch.setattr(broken, "profile", None)  # asked for at the end
    result = grade_job(job, SETTINGS, broken)
    assert (result["status"], result["score"]) == ("needs-attention", None)
    assert result["note"].startswith("The grader failed (AttributeError: ")


@pytest.fixture
def thresholds():
    """The collector's, set to what no one else sets them to."""
    before, ours = gc.get_threshold(), (701, 11, 9)
    gc.set_threshold(*ours)
    yield ours
    gc.set_threshold(*before)


def test_closing_early_ends_threads_and_sandboxes(thresholds):
    made, before = [SlowSandbox(), SlowSandbox()], set(threading.enumerate())
    graded = grade_all(jobs(), SETTINGS, made)
    for _ in range(3):
        next(graded)
    graded.close()
    assert set(threading.enumerate()) <= before and all(sandbox.stopped for sandbox in made)
    assert gc.get_threshold() == thresholds

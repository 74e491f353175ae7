"""A real local Dask cluster: workers die, one submission kills them, everyone gets a row once."""

import contextlib
import dataclasses
import gc
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from course_lib.checker.errors import GradebookError, InputError, ProfileError
from course_lib.checker.notebook import Notebook
from grader.pipeline import cluster as cluster_module
from grader.pipeline.cluster import _portable, _remote_settings, grade_on, is_private
from grader.pipeline.local import Job, Settings
from grader.pipeline.versions import course_version
from grader.sandbox.profiles import Profile
from grader.submissions.class_table import Line
from tests.grader.hostile.exercise import EARNED, EXERCISE, GOOD_TARGET, HONEST, RIGHT, STEM, TENSOR

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("graders"),
    # distributed's own event loops and sockets end after the test that used them
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
POISON = "s07"
NOTEBOOK = Notebook(
    (
        (None, "import torch"),
        ("honest", HONEST),
        ("target", GOOD_TARGET),
        ("tensor_target", TENSOR),
    )
)
SETTINGS = Settings({STEM: EXERCISE}, "v", b"k" * 32, Profile("trusted", None, None), 10.0, 400)


def make_jobs(count):
    names = [f"s{i:02}" for i in range(count)]
    return [Job(Line(name, STEM), name * 20, NOTEBOOK) for name in names]


def grade_with_poison(batch, remote):
    """Stands in for a submission that found a hole: it kills the process that grades it."""
    if any(job.submission.student == POISON for job in batch):
        os.kill(os.getpid(), signal.SIGKILL)
    return [{"status": "graded", "score": 7, "max_score": 7, "tasks": []} for _ in batch]


@pytest.fixture(autouse=True)
def collected():
    """What distributed leaves behind complains here, and not into another test's output."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def cluster():
    import dask
    from distributed import LocalCluster

    # A task is blamed after its first death, not its fourth: each costs a worker and its start.
    quick = dask.config.set({"distributed.scheduler.allowed-failures": 0})
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with quick, LocalCluster(processes=True, **local) as cluster:
        yield cluster


def test_the_poisonous_submission_is_alone_in_quarantine(cluster):
    jobs = make_jobs(20)
    seen = list(grade_on(cluster.scheduler_address, jobs, SETTINGS, grade_batch=grade_with_poison))
    assert Counter(job.submission.student for job, _ in seen) == Counter(
        job.submission.student for job in jobs
    )
    statuses = {job.submission.student: data["status"] for job, data in seen}
    assert statuses.pop(POISON) == "needs-attention"
    assert set(statuses.values()) == {"graded"}


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_cells_are_isolated_on_the_cluster_too(cluster, tmp_path):
    """A cell that writes a file does so where submissions are trusted, and nowhere else."""
    mark = tmp_path / "written"
    harm = f"{RIGHT}def target(x):\n    open({str(mark)!r}, 'w').close()\n    return right(x)\n"
    answers = (("honest", HONEST), ("target", harm), ("tensor_target", TENSOR))
    harmful = Notebook(((None, "import torch"), *answers))
    jobs = [dataclasses.replace(make_jobs(2)[0], notebook=harmful), make_jobs(2)[1]]
    ours = dataclasses.replace(SETTINGS, version=course_version())
    inside = dataclasses.replace(ours, profile=Profile("strong", b"", None))
    at = "tests.grader.hostile.exercise:EXERCISES"

    def scores(settings):
        seen = grade_on(cluster.scheduler_address, jobs, settings, exercises_at=at)
        return {job.submission.student: data["score"] for job, data in seen}

    assert scores(inside) == {"s00": EARNED, "s01": EXERCISE.max_score}
    assert not mark.exists()
    assert scores(ours) == {"s00": EXERCISE.max_score, "s01": EXERCISE.max_score}
    assert mark.exists()


def test_a_worker_with_another_course_ends_the_run(cluster):
    at = "tests.grader.hostile.exercise:EXERCISES"
    with pytest.raises(ProfileError, match=r"has another version of the course .*, not v\)"):
        list(grade_on(cluster.scheduler_address, make_jobs(3), SETTINGS, exercises_at=at))


@contextlib.contextmanager
def scheduler(folder, before=""):
    """(process, address) of a scheduler; `before` runs in it first."""
    start = f"{before}\nfrom distributed.cli.dask_scheduler import main\nmain()"
    words = [sys.executable, "-c", start, "--port", "0", "--no-dashboard"]
    words += ["--host", "127.0.0.1", "--scheduler-file", str(folder / "at.json")]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)
    try:
        while not (folder / "at.json").exists() or not (folder / "at.json").read_text():
            assert process.poll() is None, (folder / "log").read_text()
            time.sleep(0.2)
        yield process, json.loads((folder / "at.json").read_text())["address"]
    finally:
        process.kill()
        process.wait()


def test_a_scheduler_that_dies_ends_the_run_with_a_sentence(tmp_path):
    def wait_long(batch, remote):  # in here, so that it travels whole: the scheduler lacks our file
        time.sleep(600)

    def jobs(process):  # they are asked for once the cluster has answered
        yield from make_jobs(3)
        threading.Timer(3, process.kill).start()

    with (
        scheduler(tmp_path) as (process, address),
        pytest.raises(GradebookError, match=r"is gone\. What was graded is safe"),
    ):
        list(grade_on(address, jobs(process), SETTINGS, grade_batch=wait_long))


def test_a_cluster_without_workers_ends_the_run_with_a_sentence(tmp_path, monkeypatch):
    """Else a task waits for one for ever."""
    monkeypatch.setattr(cluster_module, "NO_WORKER", 2)
    with (
        scheduler(tmp_path) as (_, address),
        pytest.raises(GradebookError, match=r"has no worker any more\. What was graded is safe"),
    ):
        list(grade_on(address, make_jobs(3), SETTINGS))


def test_the_gradebook_s_key_does_not_travel():
    (job,) = make_jobs(1)
    sent = _portable(job, SETTINGS)
    assert SETTINGS.seeds(sent) == SETTINGS.seeds(job) and len(set(sent.seeds.values())) > 1
    assert SETTINGS.secret not in pickle.dumps((sent, _remote_settings(SETTINGS, "")))


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("tls://node-7:8786", True),
        ("tcp://127.0.0.1:8786", True),
        ("localhost:8786", True),
        ("tcp://[::1]:8786", True),
        ("tcp://node-7:8786", False),
        ("tcp://127.0.0.1.example.org:8786", False),
        ("10.0.0.7:8786", False),
    ],
)
def test_what_others_can_reach_is_known(address, private):
    assert is_private(address) is private


@contextlib.contextmanager
def late_worker(address, before):
    """Jobs at whose first a worker joins; `before` runs in it first."""
    start = f"{before}\nfrom distributed.cli.dask_worker import main\nmain()"
    words = [sys.executable, "-c", start, address, "--no-nanny", "--no-dashboard"]
    started = []

    def jobs():
        log = subprocess.DEVNULL
        started.append(subprocess.Popen([*words, "--nthreads", "1"], stdout=log, stderr=log))
        yield from make_jobs(3)

    try:
        yield jobs()
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_worker_that_joins_late_without_the_course_ends_the_run(tmp_path):
    before = "import sys; sys.modules['course_lib'] = None"
    with (
        scheduler(tmp_path) as (_, address),
        late_worker(address, before) as jobs,
        pytest.raises(ProfileError, match=r"lacks course_lib[.\w]*: install"),
    ):
        list(grade_on(address, jobs, SETTINGS))


def test_a_cluster_that_is_not_there_is_an_input_error():
    with pytest.raises(InputError):
        list(grade_on("tcp://127.0.0.1:9", make_jobs(1), SETTINGS))

"""A real local Dask cluster: workers die, one submission kills them, everyone gets a row once."""

import contextlib
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from course_lib.checker.errors import GradebookError, InputError, ProfileError
from course_lib.checker.notebook import Notebook
from grader.pipeline.cluster import _portable, _remote_settings, grade_on, is_private
from grader.pipeline.local import Job, Settings
from grader.pipeline.versions import course_version
from grader.sandbox.profiles import Profile
from grader.submissions.class_table import Submission, no_file
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
AT = "tests.grader.hostile.exercise:EXERCISES"
ANSWERS = {"honest": HONEST, "target": GOOD_TARGET, "tensor_target": TENSOR}
SETTINGS = Settings({STEM: EXERCISE}, "v", b"k" * 32, Profile("trusted", None, None), 10.0, 400)


def make_job(name, **answers):
    cells = ((None, "import torch"), *(ANSWERS | answers).items())
    return Job(Submission(name, STEM, no_file), name * 20, Notebook(cells))


JOBS = [make_job(f"s{i:02}") for i in range(20)]


def grade_with_poison(job, remote):
    """Stands in for a submission that found a hole: it kills the process that grades it."""
    if job.submission.student == POISON:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"status": "graded"}


def grade_with_one_death(job, remote):
    """The first worker to grade dies once, in the middle of its job."""
    try:
        os.close(os.open(remote["version"], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return {"status": "graded"}
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def address():
    import dask
    from distributed import LocalCluster

    # A task is blamed after its first death, not its fourth: each costs a worker and its start.
    quick = dask.config.set({"distributed.scheduler.allowed-failures": 0})
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with quick, LocalCluster(processes=True, **local) as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize(
    ("grade", "quarantined"), [(grade_with_poison, {POISON}), (grade_with_one_death, set())]
)
def test_who_kills_workers_is_alone_in_quarantine(address, tmp_path, grade, quarantined):
    settings = replace(SETTINGS, version=str(tmp_path / "died"))
    seen = list(grade_on(address, JOBS, settings, grade=grade))
    names = [job.submission.student for job in JOBS]
    assert sorted(job.submission.student for job, _ in seen) == names
    assert {data["status"] for job, data in seen} <= {"graded", "needs-attention"}
    odd = {job.submission.student for job, data in seen if data["status"] != "graded"}
    assert odd == quarantined


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_cells_are_isolated_on_the_cluster_too(address, tmp_path):
    """A cell that writes a file does so where submissions are trusted, and nowhere else."""
    mark = tmp_path / "written"
    harm = f"{RIGHT}def target(x):\n    open({str(mark)!r}, 'w').close()\n    return right(x)\n"
    jobs = [make_job("s00", target=harm), make_job("s01")]
    trusted = replace(SETTINGS, version=course_version())
    isolated = replace(trusted, profile=Profile("strong", b"", None))
    for settings, score in ((isolated, EARNED), (trusted, EXERCISE.max_score)):
        seen = grade_on(address, jobs, settings, exercises_at=AT)
        scores = {job.submission.student: data["score"] for job, data in seen}
        assert scores == {"s00": score, "s01": EXERCISE.max_score}
        assert mark.exists() is (settings is trusted)


def test_a_worker_with_another_course_ends_the_run(address):
    with pytest.raises(ProfileError, match=r"has another version of the course .*, not v\)"):
        list(grade_on(address, JOBS[:3], SETTINGS, exercises_at=AT))


@contextlib.contextmanager
def started(part, *words, before=""):
    """A scheduler or a worker of its own; `before` runs in it first."""
    start = f"{before}\nfrom distributed.cli.dask_{part} import main\nmain()"
    words = [sys.executable, "-c", start, *words, "--no-dashboard"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def scheduler(folder):
    """(process, address) of a scheduler."""
    file = folder / "at.json"
    words = "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(file)
    with started("scheduler", *words) as process:
        while not file.exists() or not file.read_text():
            assert process.poll() is None
            time.sleep(0.2)
        yield process, json.loads(file.read_text())["address"]


def test_a_scheduler_that_dies_ends_the_run_with_a_sentence(tmp_path):
    def wait_long(job, remote):  # in here, so that it travels whole: the scheduler lacks our file
        time.sleep(600)

    with scheduler(tmp_path) as (process, address):
        threading.Timer(3, process.kill).start()
        with pytest.raises(GradebookError, match=r"is gone\. What was graded is safe"):
            list(grade_on(address, JOBS[:3], SETTINGS, grade=wait_long))


@pytest.mark.parametrize("lacks", ["course_lib", "grader.sandbox.sandbox"])
def test_a_worker_that_joins_late_without_the_course_ends_the_run(lacks, tmp_path):
    lacking = f"import sys; sys.modules[{lacks!r}] = None"
    with (
        contextlib.ExitStack() as open_,
        pytest.raises(ProfileError, match=f"lacks {lacks}[.\\w]*: install"),
    ):
        _, address = open_.enter_context(scheduler(tmp_path))
        words = address, "--no-nanny", "--nthreads", "1"

        def jobs():
            open_.enter_context(started("worker", *words, before=lacking))
            yield from JOBS[:3]

        list(grade_on(address, jobs(), SETTINGS))


def test_the_gradebook_s_key_does_not_travel():
    sent = _portable(JOBS[0], SETTINGS)
    assert SETTINGS.seeds(sent) == SETTINGS.seeds(JOBS[0]) and len(set(sent.seeds.values())) > 1
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


def test_a_cluster_that_is_not_there_is_an_input_error():
    with pytest.raises(InputError):
        list(grade_on("tcp://127.0.0.1:9", JOBS[:1], SETTINGS))

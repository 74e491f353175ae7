"""`attn grade` that is killed, or whose workers are: it goes on, and nobody loses a row."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.grader.hostile.exercise import EXERCISE, GOOD_TARGET, STEM, notebook
from tests.grader.tables import grades

ROOT = Path(__file__).parents[3]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("graders")]


def start(folder, out):
    """The hostile exercise's own grader, in a process group that can be killed. Its sandboxes lie
    beside `out`, so that what it leaves behind has that place in its command line."""
    place = out.parent / "tmp"
    place.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "tests.grader.hostile.grade_class", str(folder), str(out)],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(place)},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def make_class(folder, count):
    wrong = "def target(x):\n    return x\n"
    for i in range(count):
        (folder / f"s{i:04}").mkdir(parents=True)
        data = notebook(f"# {i}\n" + (GOOD_TARGET if i % 3 else wrong))
        (folder / f"s{i:04}" / f"{STEM}.ipynb").write_bytes(data)


def sandboxes(place):
    """The processes whose sandbox lies below `place`."""
    found = psutil.process_iter(["cmdline"])
    return [p for p in found if f"{place}/tmp/attn-" in " ".join(p.info["cmdline"] or [])]


def until(seen, seconds=200):
    """Wait until `seen()` holds; whether it did."""
    end = time.monotonic() + seconds
    while not (found := seen()) and time.monotonic() < end:
        time.sleep(0.1)
    return bool(found)


def test_killed_and_resumed_it_ends_as_if_undisturbed(tmp_path):
    chance = random.Random(int(os.environ.get("COURSE_SEED", 0)))
    make_class(tmp_path / "in", 30)
    for number in range(2):
        run = start(tmp_path / "in", tmp_path / "out")
        if number == 0:
            # Once surely in the middle of grading; else at any moment, also while it starts.
            assert until(lambda: sandboxes(tmp_path)), "no sandbox was seen while one should run"
        time.sleep(chance.uniform(1, 12))
        run.kill()  # the parent alone: what it started must die by itself
        run.wait()
    assert start(tmp_path / "in", tmp_path / "out").wait(550) == 0
    assert start(tmp_path / "in", tmp_path / "quiet").wait(550) == 0
    assert sandboxes(tmp_path) == []
    disturbed, quiet = ((tmp_path / place / "grades.csv").read_text() for place in ("out", "quiet"))
    assert disturbed == quiet and disturbed.count("\n") == 31
    assert f'"{EXERCISE.max_score}","{EXERCISE.max_score}","graded",' in quiet


def test_a_worker_that_dies_takes_nobody_with_it(tmp_path):
    make_class(tmp_path / "in", 40)
    run = start(tmp_path / "in", tmp_path / "out")
    killed = 0
    deadline = time.monotonic() + 300
    while run.poll() is None and time.monotonic() < deadline:
        for child in psutil.Process(run.pid).children(recursive=True):
            if killed < 3 and "bwrap" in child.name():
                os.kill(child.pid, signal.SIGKILL)
                killed += 1
        time.sleep(4)
    assert run.wait(300) == 0
    rows = grades(tmp_path / "out").values()
    assert [row["status"] for row in rows] == ["graded"] * 40
    assert killed

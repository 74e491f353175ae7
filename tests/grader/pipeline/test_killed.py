"""`attn grade` that is killed, or whose workers are: it goes on, loses nothing, repeats nothing and
touches nobody's files."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

from tests.grader.hostile.exercise import EXERCISE, GOOD_TARGET, STEM, notebook
from tests.grader.tables import grades

ROOT = Path(__file__).parents[3]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("graders")]
MANY = int(os.environ.get("COURSE_KILLS", 100))
FULL = f'"{EXERCISE.max_score}","{EXERCISE.max_score}","graded",'  # in `grades.csv`
THEIRS = (
    "tmp/attn-my-thesis/chapter.tex", "tmp/attn-week-1/grades/gradebook.sqlite",
    "tmp/attn-worker-x/root/file", "tmp/attn-workers-12345/worker-ab/.attn-worker",
    "tmp/attn-one-night/worker-ab/.attn-worker", "tmp/worker-ab/.attn-worker",
    "out/notes.txt", "out/my-reports/else.html", "out/export/mine.csv", "out/.part",
)  # fmt: skip


def start(folder):
    """The hostile exercise's own grader, in a process group that can be killed. Its sandboxes lie
    beside `out`, so that what it leaves behind has that place in its command line."""
    (folder / "tmp").mkdir(exist_ok=True)
    places = {"TMPDIR": str(folder / "tmp"), "NOTE": str(folder / "note")}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.grader.hostile.grade_class", folder / "in", folder / "out"],
        cwd=ROOT,
        env=os.environ | places,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def make_class(folder, count):
    """Two of three answers are right."""
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


def theirs(folder):
    """Everything of somebody else's: bytes, times and rights."""
    found = {}
    for name in THEIRS:
        status = (folder / name).lstat()
        found[name] = ((folder / name).read_bytes(), status.st_mtime_ns, status.st_mode)
        found[name] += tuple(sorted(os.listdir((folder / name).parent))) * name.startswith("tmp")
    return found


def known(folder):
    """The results on the disk, and when each was made."""
    if not (folder / "out/gradebook.sqlite").is_file():
        return {}
    with closing(sqlite3.connect(folder / "out/gradebook.sqlite")) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name='results'").fetchone():
            return {}
        return dict(db.execute("SELECT sha, graded_at || data FROM results"))


def a_run(folder, chance=None, surely=False):
    """Run, to the end or to a kill at any moment; the hashes that it began to grade."""
    before, others = known(folder), theirs(folder)
    (folder / "note").write_text("")
    run = start(folder)
    if chance is None:
        assert run.wait(550) == 0
    else:
        if surely or chance.random() < 0.6:  # in the middle of grading; else while it starts
            until(lambda: len(known(folder)) > len(before) or run.poll() is not None)
            assert not surely or sandboxes(folder), "no sandbox was seen while one should run"
        time.sleep(chance.uniform(0, 2))
        run.kill()  # the parent alone: what it started must die by itself
        run.wait()
    began = (folder / "note").read_text().split()
    after = known(folder)
    assert {sha: after.get(sha) for sha in before} == before, "a result was lost, or made again"
    assert not before.keys() & set(began), "what was known was graded again"
    assert theirs(folder) == others
    return began


@pytest.mark.parametrize("kills", [3, pytest.param(MANY, marks=pytest.mark.nightly)])
def test_kills_lose_and_repeat_nothing_and_touch_nobody_s_files(kills, tmp_path):
    chance = random.Random(int(os.environ.get("COURSE_SEED", 0)))
    for name in THEIRS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    make_class(tmp_path / "in", 6 * kills)
    began = []
    for number in range(kills):
        began += a_run(tmp_path, chance, surely=number == 0)
        print(f"kill {number + 1}: {len(known(tmp_path))} of {6 * kills} known", flush=True)
    under_way = len(began) - len(known(tmp_path))
    for _ in range(max(2, kills // 2)):
        a_run(tmp_path)
    assert not sandboxes(tmp_path)
    table = (tmp_path / "out/grades.csv").read_text()
    assert table.count("\n") == len(known(tmp_path)) + 1 == 6 * kills + 1
    assert table.count(FULL) == 4 * kills
    shutil.copytree(tmp_path / "in", tmp_path / "quiet/in")
    assert start(tmp_path / "quiet").wait(550) == 0
    assert table == (tmp_path / "quiet/out/grades.csv").read_text(), "an undisturbed run differs"
    print(f"{kills} kills: {under_way} submissions were under way at one; nothing was lost")


def test_a_worker_that_dies_takes_nobody_with_it(tmp_path):
    make_class(tmp_path / "in", 40)
    run = start(tmp_path)
    killed = 0
    deadline = time.monotonic() + 300
    while run.poll() is None and time.monotonic() < deadline:
        for child in psutil.Process(run.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # it has just ended by itself
                if killed < 3 and "bwrap" in child.name():
                    child.kill()
                    killed += 1
        time.sleep(4)
    assert run.wait(300) == 0
    rows = grades(tmp_path / "out").values()
    assert [row["status"] for row in rows] == ["graded"] * 40
    assert killed

"""Runs that are killed at any moment lose nothing, repeat nothing, and touch nobody's files."""

import os
import random
import sqlite3
import time
from contextlib import closing

import pytest

from tests.grader.hostile.exercise import EXERCISE
from tests.grader.pipeline.test_killed import make_class, sandboxes, start, until

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("graders")]
KILLS = int(os.environ.get("COURSE_KILLS", 100))
RUNS, SUBMISSIONS = max(2, KILLS // 2), 6 * KILLS
THEIRS = (
    *("tmp/attn-my-thesis/chapter.tex", "tmp/attn-week-1/grades/gradebook.sqlite"),
    *("tmp/attn-worker-x/root/file", "tmp/attn-workers-12345/worker-ab/.attn-worker"),
    *("tmp/attn-one-night/worker-ab/.attn-worker", "tmp/worker-ab/.attn-worker"),
    *("out/notes.txt", "out/my-reports/else.html", "out/export/mine.csv", "out/.part"),
)


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


def a_run(folder, chance=None):
    """Run, to the end or to a kill at any moment; the hashes that it began to grade."""
    before, others = known(folder), theirs(folder)
    (folder / "note").write_text("")
    os.environ["NOTE"] = str(folder / "note")
    run = start(folder / "in", folder / "out")
    if chance is None:
        assert run.wait(550) == 0
    else:
        if chance.random() < 0.6:  # in the middle of grading; else while it starts
            until(lambda: len(known(folder)) > len(before) or run.poll() is not None)
        time.sleep(chance.uniform(0, 2))
        run.kill()
        run.wait()
    began = (folder / "note").read_text().split()
    after = known(folder)
    assert {sha: after.get(sha) for sha in before} == before, "a result was lost, or made again"
    assert not before.keys() & set(began), "what was known was graded again"
    assert theirs(folder) == others
    return began


def test_kills_lose_and_repeat_nothing_and_touch_nobody_s_files(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTE", "")
    chance = random.Random(int(os.environ.get("COURSE_SEED", 0)))
    for name in THEIRS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    make_class(tmp_path / "in", SUBMISSIONS)
    began = []
    for number in range(KILLS):
        began += a_run(tmp_path, chance)
        print(f"kill {number + 1}: {len(known(tmp_path))} of {SUBMISSIONS} known", flush=True)
    under_way = len(began) - len(known(tmp_path))
    for _ in range(RUNS):
        a_run(tmp_path)
    assert not sandboxes(tmp_path)
    table = (tmp_path / "out/grades.csv").read_text()
    assert table.count("\n") == len(known(tmp_path)) + 1 == SUBMISSIONS + 1
    assert table.count(f'"{EXERCISE.max_score}","{EXERCISE.max_score}","graded",') == 4 * KILLS
    print(f"{KILLS} kills: {under_way} submissions were under way at one; nothing was lost")

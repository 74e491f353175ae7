"""What `attn grade` starts before it grades: to import torch is what a single submission costs."""

import sys
from pathlib import Path

import pytest

from course_lib.cli import main
from grader.sandbox.sandbox import Sandbox

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("graders"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cells are Linux's"),
]


def test_the_sandbox_that_was_probed_is_the_one_that_grades(tmp_path, monkeypatch):
    started, start = [], Sandbox.start
    monkeypatch.setattr(Sandbox, "start", lambda self: started.append(self) or start(self))
    (tmp_path / "in/ann").mkdir(parents=True)
    solution = (ROOT / "solutions" / "01_softmax.ipynb").read_bytes()
    (tmp_path / "in/ann/01_softmax.ipynb").write_bytes(solution)
    words = ["grade", tmp_path / "in", "--out", tmp_path / "out", "--trust-submissions"]
    assert main([*map(str, words), "--jobs", "2"]) == 0
    assert '"10","10","graded"' in (tmp_path / "out/grades.csv").read_text()
    assert len(started) == 1, "the second job has no work, so nothing is started for it"
    assert all(one.process is None and one.folder is None for one in started)

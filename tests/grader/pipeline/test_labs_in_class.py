"""A sandboxed process grades exercises and labs as a notebook does."""

import shutil
from pathlib import Path

import pytest

from course_lib.cli import main
from course_lib.exercises import CATALOGUE
from tests.grader.tables import grades

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
@pytest.mark.xdist_group("graders")
def test_the_class_gets_what_the_solutions_deserve(tmp_path):
    for student, folder in (("right", "solutions"), ("empty", "exercises")):
        for stem in CATALOGUE.exercises:
            (tmp_path / "in" / student).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / folder / f"{stem}.ipynb", tmp_path / "in" / student)
    out = tmp_path / "out"
    assert main(["grade", str(tmp_path / "in"), "--out", str(out), "--timeout", "60"]) == 0
    rows = {who: (row["status"], row["score"]) for who, row in grades(out).items()}
    for stem, exercise in CATALOGUE.exercises.items():
        assert rows.pop(("right", stem)) == ("graded", str(exercise.max_score))
        assert rows.pop(("empty", stem)) == ("graded", "0")
    assert not rows

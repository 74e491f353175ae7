"""The labs: what they plant is what they say, and a sealed cell grades them as a notebook does."""

import csv
import shutil
import sys
from pathlib import Path

import pytest

from course_lib.cli import main
from course_lib.exercises import CATALOGUE, write_the_test
from course_lib.exercises.mutants import mutated
from course_lib.grading.judging.judge import draw_trials

ROOT = Path(__file__).resolve().parents[2]
LABS = [stem for stem in CATALOGUE.exercises if stem.startswith("lab_")]


@pytest.mark.parametrize("task", write_the_test.EXERCISE.tasks, ids=lambda task: task.name)
def test_the_course_s_own_test_refuses_mutants_and_nothing_else(task):
    for trial in draw_trials(task, 0):
        assert trial.expected.value.refused is not trial.case.required, trial.case.name
    assert sum(case.required for case in task.cases) == 5
    assert sum(not case.required for case in task.cases) >= 25


def test_a_mutant_that_changes_nothing_is_an_error():
    with pytest.raises(ValueError, match="'sqrt' is to be changed, and is not there"):
        mutated("def f(): ...", "sqrt", "")


@pytest.mark.slow
@pytest.mark.xdist_group("graders")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cells are sealed on Linux")
def test_the_class_gets_what_the_solutions_deserve(tmp_path):
    for student, folder in (("right", "solutions"), ("empty", "exercises")):
        for stem in LABS:
            (tmp_path / "in" / student).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / folder / f"{stem}.ipynb", tmp_path / "in" / student)
    out = tmp_path / "out"
    assert main(["grade", str(tmp_path / "in"), "--out", str(out), "--timeout", "60"]) == 0
    with open(out / "grades.csv", encoding="utf-8") as file:
        rows = {
            (r["student"], r["exercise"]): (r["status"], r["score"]) for r in csv.DictReader(file)
        }
    wanted = {"right": ("graded", "10"), "empty": ("graded", "0")}
    assert rows == {(who, stem): wanted[who] for who in wanted for stem in LABS}

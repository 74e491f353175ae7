"""What `attn grade` begins with: the class's table, of all exercises or of one."""

import pytest

from course_lib.checker.errors import InputError
from grader.gradebook.policy import Exception_, Policy
from grader.pipeline.after_grading import without_hold
from grader.pipeline.collected import lines_of, only
from grader.submissions.collect import collect
from tests.grader.class_rows import ROSTER, ROWS
from tests.grader.pipeline.toy_class import OTHER, STEMS


@pytest.fixture
def lines(tmp_path):
    """lee is a namesake also where one of the two handed in nothing for the exercise."""
    for name in ("lee_1_10_01_toy", "lee_2_11_01_toy", "lee_1_12_02_other"):
        (tmp_path / f"{name}.ipynb").write_text('{"cells": []}')
    return collect(tmp_path, STEMS, "canvas")


def rows(lines):
    return {(line.student, line.exercise) for line in lines}


def test_only_that_exercise_is_left_and_its_rows_keep_their_names(lines):
    assert rows(only(lines, "02_other", STEMS)) == {("lee (1)", "02_other")}
    assert len(rows(only(lines, None, STEMS))) == 3
    mine = {"02_other": OTHER}  # the class has no other
    assert rows(only(lines, None, mine)) == {("lee (1)", "02_other")}


@pytest.mark.parametrize(
    ("wanted", "out", "sentence"),
    [
        ("02_othr", "grades", r"no exercise '02_othr'\. The exercises are: 01_toy"),
        ("lab_toy", "grades", "for lab_toy; there is work for 01_toy, 02_other"),
        # Its pages would be students of the next run.
        (None, ".", "Give --out a folder of its own"),
    ],
)
def test_what_cannot_be_is_said(wanted, out, sentence, tmp_path, lines):
    with pytest.raises(InputError, match=sentence):
        only(lines_of(tmp_path, "canvas", "", STEMS, None, tmp_path / out), wanted, STEMS)


def test_whose_zip_it_is_has_to_be_said(tmp_path):
    with pytest.raises(InputError, match="say --from with one of folders, moodle, canvas"):
        lines_of(tmp_path / "class.zip", None, "", STEMS, None)


def test_an_extension_in_nobodys_name_and_work_without_a_date_are_said():
    lines = [Exception_(name, "01_softmax", "", None, 2, "ill") for name in ("ann", "anm")]
    policy = Policy(due={"01_softmax": "2026-11-20T23:59:00+01:00"}, exceptions=lines)
    typo, no_date = without_hold(policy, ROWS, ROSTER)
    assert typo == "exceptions: there is no student 'anm'. Did you mean 'ann'?"
    assert no_date.startswith("5 files have a due date and no date of their own")
    assert list(without_hold(Policy(), ROWS, ROSTER)) == []

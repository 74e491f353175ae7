"""`attn grade --exercise`: the work for one exercise, and nothing else is touched."""

import dataclasses
import sys

import pytest

from course_lib.checker.errors import InputError
from grader.submissions.collect import collect
from tests.checker.toy import EXERCISE

if sys.platform.startswith("linux"):
    from grader.pipeline.collected import lines_of, only

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="grading is Linux's")
OTHER = dataclasses.replace(EXERCISE, stem="02_other")
THIRD = dataclasses.replace(EXERCISE, stem="03_third")
STEMS = {one.stem: one for one in (EXERCISE, OTHER, THIRD)}


@pytest.fixture
def lines(tmp_path):
    for name in ("lee_1_10_01_toy", "lee_2_11_01_toy", "lee_1_12_02_other"):
        (tmp_path / f"{name}.ipynb").write_text('{"cells": []}')
    return collect(tmp_path, STEMS, "canvas")


def rows(lines):
    return {(line.student, line.exercise) for line in lines}


def test_only_that_exercise_is_left_and_its_rows_keep_their_names(lines):
    """lee is a namesake also where one of the two handed in nothing for the exercise."""
    assert rows(only(lines, "02_other", STEMS)) == {("lee (1)", "02_other")}
    assert rows(only(lines, None, STEMS)) == rows(lines) and len(rows(lines)) == 3


def test_what_is_no_exercise_or_was_not_handed_in_is_said(lines):
    with pytest.raises(InputError, match=r"no exercise '02_othr'\. The exercises are: 01_toy"):
        only(lines, "02_othr", STEMS)
    with pytest.raises(InputError, match="for 03_third; there is work for 01_toy, 02_other"):
        only(lines, "03_third", STEMS)


def test_the_gradebook_is_not_kept_among_the_submissions(tmp_path, lines):
    """Its pages would be students of the next run."""
    given = tmp_path, "canvas", "", STEMS, None
    with pytest.raises(InputError, match="Give --out a folder of its own"):
        lines_of(*given, tmp_path / "." / "")
    assert rows(lines_of(*given, tmp_path / "grades")) == rows(lines)


def test_whose_zip_it_is_has_to_be_said(tmp_path):
    with pytest.raises(InputError, match="say --from with one of folders, moodle, canvas"):
        lines_of(tmp_path / "class.zip", None, "", STEMS, None)

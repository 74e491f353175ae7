"""`attn grade --exercise`: the work for one exercise, and nothing else is touched."""

import dataclasses
import sys

import pytest

from course_lib.grading.errors import InputError
from course_lib.grading.submissions.folder import find_submissions
from course_lib.grading.submissions.owners import settle
from tests.grading.toy import EXERCISE

if sys.platform.startswith("linux"):
    from course_lib.grading.pipeline.command import find, only

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="grading is Linux's")
OTHER = dataclasses.replace(EXERCISE, stem="02_other")
THIRD = dataclasses.replace(EXERCISE, stem="03_third")
STEMS = {one.stem: one for one in (EXERCISE, OTHER, THIRD)}


@pytest.fixture
def found(tmp_path):
    for name in ("lee_1_10_01_toy", "lee_2_11_01_toy", "lee_1_12_02_other"):
        (tmp_path / f"{name}.ipynb").write_text('{"cells": []}')
    return settle(find_submissions(tmp_path, STEMS))


def rows(found):
    return {(one.student, one.exercise) for one in found.submissions}


def test_only_that_exercise_is_left_and_its_rows_keep_their_names(found):
    """lee is a namesake also where one of the two handed in nothing for the exercise."""
    assert rows(only(found, "02_other", STEMS)) == {("lee (1)", "02_other")}
    assert rows(only(found, None, STEMS)) == rows(found) and len(rows(found)) == 3


def test_what_is_no_exercise_or_was_not_handed_in_is_said(found):
    with pytest.raises(InputError, match=r"no exercise '02_othr'\. The exercises are: 01_toy"):
        only(found, "02_othr", STEMS)
    with pytest.raises(InputError, match="for 03_third; there is work for 01_toy, 02_other"):
        only(found, "03_third", STEMS)


def test_the_gradebook_is_not_kept_among_the_submissions(tmp_path, found):
    """Its pages would be students of the next run."""
    with pytest.raises(InputError, match="Give --out a folder of its own"):
        find(tmp_path, STEMS, tmp_path / "." / "")
    assert rows(find(tmp_path, STEMS, tmp_path / "grades")) == {
        ("lee", "01_toy"),
        ("lee", "02_other"),
    }

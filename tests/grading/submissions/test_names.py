"""Whose row a file is: names and ids as the platforms really write them."""

import pytest

from course_lib.grading.submissions.names import parse_flat, parse_folder, split_version

STEMS = ("01_softmax", "02_context_vectors")


@pytest.mark.parametrize(
    ("stem", "student", "exercise", "lms_id"),
    [
        ("ann_01_softmax", "ann", "01_softmax", ""),
        ("ann_lee_01_softmax", "ann_lee", "01_softmax", ""),
        ("ann_01_softmax-2", "ann", "01_softmax", ""),
        ("ann_01_softmax (1)", "ann", "01_softmax", ""),
        ("ann_03_unknown", "ann_03_unknown", "", ""),
        ("leeann_123_4567_01_softmax", "leeann", "01_softmax", "123"),
        ("leeann_LATE_123_4567_01_softmax-2", "leeann", "01_softmax", "123"),
        ("leeann_123_4567_my_01_softmax", "leeann", "01_softmax", "123"),
        ("anon_LATE_1a2B3_4567_01_softmax", "anon", "01_softmax", "1a2B3"),
        ("Ann Lee_123_assignsubmission_file_01_softmax", "Ann Lee", "01_softmax", "123"),
        ("Participant_7_assignsubmission_file_01_softmax", "Participant 7", "01_softmax", "7"),
        ("homework", "homework", "", ""),
    ],
)
def test_names_of_flat_files(stem, student, exercise, lms_id):
    name = parse_flat(stem, STEMS)
    assert (name.owner.student, name.exercise, name.owner.lms_id) == (student, exercise, lms_id)


@pytest.mark.parametrize(
    ("folder", "student", "lms_id"),
    [
        ("Ann Lee_4711_assignsubmission_file_", "Ann Lee", "4711"),
        ("Ann Lee_4711_assignsubmission_file", "Ann Lee", "4711"),
        ("Ann Lee_4711_assignsubmission_onlinetext_", "Ann Lee", "4711"),
        ("Participant_101_assignsubmission_file_", "Participant 101", "101"),
        ("attention-01-softmax-octo", "octo", ""),
        ("01-softmax-octo-cat", "octo-cat", ""),
        ("Zoe\u0308 O'Neil, Jr.", "Zo\u00eb O'Neil, Jr.", ""),
        ("می\u200cخواهم", "می\u200cخواهم", ""),
        ("Jean\u00a0Paul", "Jean\u00a0Paul", ""),
    ],
)
def test_names_of_folders(folder, student, lms_id):
    owner = parse_folder(folder, STEMS)
    assert (owner.student, owner.lms_id) == (student, lms_id)


@pytest.mark.parametrize(
    ("stem", "counters"),
    [
        ("x", ()),
        ("x-1", (1,)),
        ("x (12)", (12,)),
        ("x(3)", (3,)),
        ("x-Copy1", (1,)),
        ("x-1 (2)", (1, 2)),
    ],
)
def test_counters(stem, counters):
    assert split_version(stem) == ("x", counters)

"""Collecting what is odd: too many files, a copy of the course, two that are as new."""

import pytest

from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from tests.grader.submissions.small_class import (
    EVERYWHERE,
    STEMS,
    exercise,
    in_folder,
    in_zip,
    notebook,
    whose,
)

SOFTMAX = notebook("ann", "softmax")


def test_five_thousand_stray_notebooks_of_one_student_hide_nobody(tmp_path):
    files = {f"mallory/junk {number}.ipynb": b"{}" for number in range(5000)}
    files |= {"ann/Copy of x.ipynb": SOFTMAX, "ben/answer.pdf": b""}
    lines = collect(in_zip(tmp_path, files), STEMS, "folders")
    assert len(lines) < 30 and {line.student for line in lines} == {"ann", "ben", "mallory"}
    assert any("so are 4980 more" in line.why for line in lines)


def test_one_exercise_that_two_share_tasks_with_is_told_by_the_name(tmp_path):
    place = in_folder(tmp_path, {"ann/03_again.ipynb": SOFTMAX})
    stems = STEMS | {"03_again": exercise("softmax")}
    assert [line.exercise for line in collect(place, stems, "folders")] == ["03_again"]


STUB = notebook("stub", "softmax").replace(
    b'"source": ""', b'"source": "raise NotImplementedError"'
)
OWN = notebook("course", "softmax").replace(b'"source": ""', b'"source": "### BEGIN SOLUTION"')


@EVERYWHERE
def test_a_copy_of_the_course_counts_what_the_student_wrote(put, tmp_path):
    files = {
        "ada/attention/exercises/01_softmax.ipynb": notebook("ada", "softmax"),
        "ada/attention/solutions/01_softmax.ipynb": OWN,
        "ben/01_softmax 2.ipynb": STUB,
        "ben/01_softmax.ipynb": notebook("ben", "softmax"),
        "cem/solutions/01_softmax.ipynb": notebook("cem", "softmax"),  # his own folder's name
        "dee/solutions/01_softmax.ipynb": OWN,
    }
    lines = collect(put(tmp_path, files), STEMS, "folders")
    assert whose(found_in(lines)) == {(who, "01_softmax"): who for who in ("ada", "ben", "cem")}
    (dee,) = [line for line in lines if line.student == "dee"]
    assert dee.why == "it is the course's own solution, in a copy of the course"
    assert not [line for line in lines if line.look]


def test_two_files_that_are_as_new_are_shown_to_look_at(tmp_path):
    files = {f"ada/{name}.ipynb": notebook(name, "softmax") for name in ("a", "b")}
    files |= {f"ben/{name}.ipynb": notebook("ben", "softmax") for name in ("a", "b")}
    lines = collect(in_folder(tmp_path, files), STEMS, "folders")
    assert [line.student for line in lines if line.look] == ["ada"]  # ben's are the same


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026-11-20 22:58:00.000000 UTC\n", "2026-11-20T22:58:00+00:00"),
        ("2026-11-20 22:58:00", "2026-11-20T22:58:00+00:00"),
        ("2026-11-20 22:58:00 +0100", "2026-11-20T22:58:00+01:00"),
        ("2026-11-20 22:58:00.5+01:00", "2026-11-20T22:58:00+01:00"),
        ("2026-11-20 22:58:00 CET", "2026-11-20T22:58:00"),
        ("yesterday", "2001-09-09T01:46:40+00:00"),
        ("", "2001-09-09T01:46:40+00:00"),
    ],
)
def test_nbgrader_s_own_time_counts_where_it_is_one(text, date, tmp_path):
    files = {"submitted/ada/week1/a.ipynb": SOFTMAX, "submitted/ada/week1/timestamp.txt": b""}
    files["submitted/ada/week1/timestamp.txt"] = text.encode()
    lines = collect(in_folder(tmp_path, files), STEMS, "nbgrader")
    assert {line.date for line in lines if line.exercise} == {date}

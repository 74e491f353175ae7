"""Folders in folders: nbgrader's tree, GitHub Classroom's repositories, work that lies deeper."""

import os
from pathlib import Path

import pytest

from course_lib.grading.pipeline.run import missing
from course_lib.grading.submissions.folder import find_submissions
from course_lib.grading.submissions.notebook import Unreadable
from course_lib.grading.submissions.owners import settle
from tests.grading.submissions.test_owners import EVERYWHERE, STEMS, in_folder, roster, rows


@EVERYWHERE
def test_an_assignment_of_nbgrader_s_may_have_any_name(read, tmp_path):
    """Also where one student alone has handed in: then the assignment's folder is no student."""
    names = ["submitted/ann/week1/01_softmax.ipynb"]
    assert list(rows(read(tmp_path, *names))) == ["ann"]
    names.append("submitted/bob/week1/01_softmax.ipynb")
    names.append("submitted/ann/week2/02_context_vectors.ipynb")
    found = read(tmp_path, *names)
    where = sorted((one.student, one.exercise) for one in found.submissions)
    assert where == [("ann", "01_softmax"), ("ann", "02_context_vectors"), ("bob", "01_softmax")]
    assert not any(one.conflict for one in found.submissions)


def test_the_folder_submitted_itself_is_nbgrader_s(tmp_path):
    in_folder(tmp_path, "submitted/ann/week1/01_softmax.ipynb")
    found = find_submissions(tmp_path / "in/submitted", STEMS)
    assert list(rows(settle(found))) == ["ann"]


@EVERYWHERE
def test_two_assignments_of_one_student_with_one_notebook_are_a_row_that_says_so(read, tmp_path):
    names = [f"submitted/class/{who}/01_softmax.ipynb" for who in ("ann", "bob")]
    (one,) = read(tmp_path, *names).submissions
    assert "submitted/class/ann, submitted/class/bob" in one.conflict


@EVERYWHERE
def test_work_that_lies_too_deep_is_a_row_that_says_so(read, tmp_path):
    found = read(tmp_path, "ann/01_softmax.ipynb", "bob/old/01_softmax.ipynb", "bob/a/x.ipynb")
    assert [one.student for one in found.submissions] == ["ann", "bob"]
    with pytest.raises(Unreadable, match="too deep"):
        found.submissions[1].read()
    assert [one.student for one in found.empty] == ["bob"] and len(found.refused) == 2


@EVERYWHERE
def test_an_older_copy_that_lies_deeper_is_not_in_the_way(read, tmp_path):
    found = read(tmp_path, "ann/01_softmax.ipynb", "ann/old/01_softmax.ipynb", "bob/b.ipynb")
    assert rows(found) == {"ann": "ann/01_softmax.ipynb"}


CLASSROOM = (
    '"identifier","github_username","github_id","name"\n'
    '"Lee, Ann","Anne-Marie","7","Ann Lee"\n"roe@x","marie","8",""\n"zoe@x","","",""\n'
)


@EVERYWHERE
@pytest.mark.parametrize("assignment", ["hw-1", "attention-01-softmax", "01-softmax"])
def test_github_classroom_s_roster_knows_whose_repository_it_is(read, assignment, tmp_path):
    people = roster(tmp_path, CLASSROOM)
    users = ("anne-marie", "marie", "stranger")
    names = [f"{assignment}-{user}/01_softmax.ipynb" for user in users]
    found = read(tmp_path, *names, roster=people)
    stranger = "hw-1-stranger" if assignment == "hw-1" else "stranger"
    assert rows(found) == dict(zip(["Lee, Ann", "roe@x", stranger], names, strict=True))
    assert missing(found, people) == {("zoe@x", "01_softmax")}


def test_a_folder_that_cannot_be_read_is_no_zero(tmp_path, monkeypatch):
    (tmp_path / "in/bob").mkdir(parents=True)
    real = os.scandir

    def scandir(place):
        if Path(place).name == "bob":
            raise PermissionError(13, "Permission denied")
        return real(place)

    monkeypatch.setattr(os, "scandir", scandir)
    found = in_folder(tmp_path, "ann/01_softmax.ipynb")
    conflicts = {one.student: one.conflict for one in found.submissions}
    assert conflicts == {"ann": "", "bob": "The folder cannot be read (Permission denied)."}
    assert not missing(found, None)

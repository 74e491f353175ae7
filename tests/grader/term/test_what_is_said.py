"""What a lecturer is told of settings that hold for nobody, and of files without a date."""

import sys

import pytest

from grader.gradebook.policy import Exception_, Policy
from grader.submissions.collect import collect
from tests.grader.class_rows import ROSTER, ROWS
from tests.grader.submissions.small_class import STEMS, in_folder, notebook

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="grading is Linux's")


@LINUX
def test_an_extension_in_nobodys_name_and_work_without_a_date():
    from grader.pipeline.command import _look

    lines = [Exception_(name, "01_softmax", "", None, 2, "ill") for name in ("ann", "anm")]
    policy = Policy(due={"01_softmax": "2026-11-20T23:59:00+01:00"}, exceptions=lines)
    typo, no_date = _look(policy, ROWS, ROSTER)
    assert typo == "exceptions: there is no student 'anm'. Did you mean 'ann'?"
    assert no_date.startswith("5 files have a due date and no date of their own")
    assert list(_look(Policy(), ROWS, ROSTER)) == []


def test_a_clone_from_github_has_no_date(tmp_path):
    """Its files have the time of the download, which would be late for everybody."""
    files = {"hw1-ada/01_softmax.ipynb": notebook("ada", "softmax")}
    folder = in_folder(tmp_path, files)
    (line,) = collect(folder, STEMS, "github", assignment="hw1")
    assert (line.student, line.date) == ("ada", "")
    (line,) = collect(folder, STEMS, "folders")
    assert line.date == "2001-09-09T01:46:40+00:00"

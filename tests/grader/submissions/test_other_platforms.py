"""Blackboard's names, and an expression of one's own for whatever writes others."""

import pytest

from course_lib.checker.errors import InputError
from grader.submissions.collect import collect
from tests.grader.submissions.small_class import EVERYWHERE, STEMS, notebook, roster, rows

TRY = "gradebook_CS_101_HW_1_{}_attempt_2026-11-{}-23-59-00"
TEXT = "Name: {} ({})\nAssignment: HW_1\nDate Submitted: Friday\n\nFiles:\n"
OWN = "(?P<student>[^/]+) - (?P<file>[^/]+)"


def attempts(*given):
    files = {}
    for name, login, day, who in given:
        start = TRY.format(login, day)
        files[f"{start}.txt"] = TEXT.format(name, login).encode()
        files[f"{start}_01_softmax.ipynb"] = notebook(who, "softmax")
    return files


@EVERYWHERE
@pytest.mark.parametrize("people", ["student\nada\nb_ng\n", None])
def test_an_attempt_of_blackboard_s_is_its_login_s(tmp_path, put, people):
    """The login has an underscore, as the assignment's name has; the last attempt counts, whatever
    a file is called."""
    files = attempts(("Ada Lee", "ada", 19, "old"), ("Ada Lee", "ada", 20, "ada"))
    files |= attempts(("Ben (B) Ng", "b_ng", 20, "ben"))
    fake = TRY.format("eve", 20) + "_x_ada_attempt_2026-11-21-23-59-00_01_softmax.ipynb"
    files |= {fake: notebook("eve", "softmax")}
    place = put(tmp_path, files)
    found = rows(place, "blackboard", people and roster(tmp_path, people))
    assert {who: of for (who, _), of in found.items()} == {
        "ada": "ada",
        "b_ng": "ben",
        "eve": "eve",
    }
    dates = {line.student: line.date for line in collect(place, STEMS, "blackboard") if line.path}
    assert dates["ada"] == "2026-11-20T23:59:00"


@EVERYWHERE
def test_an_expression_of_one_s_own(tmp_path, put):
    files = {f"{who} - work.ipynb": notebook(who, "softmax") for who in ("Ada Lee", "Ben - Ng")}
    people = roster(tmp_path, "student,name\nada,Ada Lee\nben,Ben - Ng\n")
    found = rows(put(tmp_path, files), OWN, people)
    assert found == {("ada", "01_softmax"): "Ada Lee", ("ben", "01_softmax"): "Ben - Ng"}


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("blackbord", r"none of folders, moodle, .*needs the groups \(\?P<student>"),
        ("(?P<student>", "is no expression of Python's"),
        ("(?P<student>.*)/(?P<file>.*)/(?P<who>.*)", "needs the groups"),
    ],
)
def test_an_expression_that_cannot_be_used_is_said(tmp_path, expression, sentence):
    (tmp_path / "class").mkdir()
    with pytest.raises(InputError, match=sentence):
        collect(tmp_path / "class", STEMS, expression)

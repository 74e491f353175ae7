"""Who is in a class, out of a table that a person or a platform wrote."""

import pytest

from course_lib.checker.errors import InputError
from grader.pipeline.run import without_work
from grader.submissions.class_table import Found, Line
from grader.submissions.roster import load_roster


def test_a_roster_finds_people_by_any_of_their_names(tmp_path):
    text = "Student,Name,Email,Canvas_ID\nann,Ann Lee,a@x,12\nbob,Bob Roe,b@x,13\n"
    (tmp_path / "roster.csv").write_text(text)
    roster = load_roster(tmp_path / "roster.csv")
    assert roster.person("ann").email == "a@x"
    assert roster.person("roebob", "13").student == "bob"
    assert roster.person("Bob Roe").student == "bob"
    assert roster.person("nobody").full_name == "nobody"
    found = Found([Line("ann", "01_softmax")])
    nothing = ("bob", "01_softmax", "missing", "")
    assert without_work(found, roster) == [nothing]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name\nann\n", "has no column `student` in line 1"),
        ("", "has no column `student` in line 1"),
        ("student,name\nann,Ann\nbob,Bob\nann,A\n", "line 4: 'ann' stands in line 2 already"),
        ('student,name\nann,"Ann\nLee"\n../x,Bob\n', r"line 4: '\.\./x' cannot be a student's"),
    ],
)
def test_what_is_wrong_in_a_roster_is_told_with_its_line(tmp_path, text, sentence):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(InputError, match=sentence):
        load_roster(tmp_path / "roster.csv")

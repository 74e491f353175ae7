"""The table of exceptions: every line is understood, or refused with its number."""

import pytest

from course_lib.checker.errors import InputError
from grader.gradebook.policy import Exception_
from grader.pipeline.exceptions import read_exceptions
from tests.checker.toy import EXERCISE

HEADER = "student,exercise,task,points,days,reason\n"


def read(tmp_path, text):
    (tmp_path / "exceptions.csv").write_text(text)
    return read_exceptions(tmp_path / "exceptions.csv", {EXERCISE.stem: EXERCISE})


def test_points_of_a_task_or_of_all_and_days(tmp_path):
    text = 'ann,01_toy,double,"1,5",,typo\nbob,01_toy,,,2,ill\n\'=c,01_toy,,0,,copied\n'
    assert read(tmp_path, HEADER + text) == [
        Exception_("ann", "01_toy", "double", 1.5, None, "typo"),
        Exception_("bob", "01_toy", "", None, 2.0, "ill"),
        Exception_("=c", "01_toy", "", 0.0, None, "copied"),
    ]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("ann,09_x,,1,,why", "line 2: the course has no exercise '09_x'"),
        ("ann,01_toy,duble,1,,why", "line 2: 01_toy has no task 'duble'; there are double, Scale"),
        ("ann,01_toy,,,,why", "line 2: either points or days are needed"),
        ("ann,01_toy,,1,1,why", "line 2: either points or days are needed"),
        ("ann,01_toy,,-1,,why", "line 2: points are '-1'; a number of at least 0"),
        ("ann,01_toy,,,nan,why", "line 2: days are 'nan'"),
        ("ann,01_toy,,1,,", "line 2: a reason is needed"),
        (",01_toy,,1,,why", "line 2: it names no student"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(line, sentence, tmp_path):
    with pytest.raises(InputError, match=sentence):
        read(tmp_path, HEADER + line)
    with pytest.raises(InputError, match="no column reason in line 1"):
        read(tmp_path, "student,exercise,points\n")

"""Of a program to repair most lines stay."""

from dataclasses import replace

import pytest

from course_lib.grading.judging.changes import NAME, function_text, hold_to_original, new_lines
from course_lib.grading.judging.report import CaseResult, Report
from tests.grading.toy import DOUBLE

ORIGINAL = "def double(x, times=1):\n    y = x\n    z = 3 * y\n    return z\n"
TASK = replace(DOUBLE, original=ORIGINAL, most_changes=2)
RIGHT = Report("double", 3, (CaseResult("a row", True),))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (ORIGINAL, 0),
        (ORIGINAL.replace("3", "2"), 1),
        (ORIGINAL.replace("3 * y", "3*y  # as it was"), 0),
        (ORIGINAL.replace("    y = x\n", ""), 0),
        (ORIGINAL + "\n\n# a comment\n", 0),
        (ORIGINAL.replace("    y", "    import torch\n    a = b = 1\n    y"), 2),
        ("import torch\nq = 1\nw = 2\n" + ORIGINAL + "e = 3\n", 0),
        ("", 0),
        ("def double(x, times=1):\n    a = 1\n    b = 2\n    return 2 * x\n", 3),
    ],
)
def test_new_lines_are_counted_in_the_function_alone(text, count):
    assert new_lines(ORIGINAL, function_text(text, "double")) == count
    held = hold_to_original(TASK, RIGHT, text)
    assert held.passed == (count <= 2) and held.score == 3 * (count <= 2)
    if count > 2:
        assert held.cases[-1].name == NAME and f"{count} lines are new; 2 are" in str(held)


def test_the_last_of_several_functions_counts():
    text = ORIGINAL + "\n" + ORIGINAL.replace("3", "2") + "    # end\nprint(1)\n"
    assert "2 * y" in function_text(text, "double") and "print" not in function_text(text, "double")


def test_a_task_without_a_program_is_free():
    assert hold_to_original(DOUBLE, RIGHT, "def double(x):\n    a\n    b\n    c\n") is RIGHT

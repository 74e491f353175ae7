"""Of a program to repair most lines stay."""

import time
from dataclasses import replace

import pytest

from course_lib.checker.compare.programs import apply_rule
from course_lib.checker.run.program import assemble
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks import Rule
from course_lib.exercises.find_the_bug.few_changes import NAME, changed_lines, few_changes
from tests.checker.toy import DOUBLE

ORIGINAL = "def double(x, times=1):\n    y = x\n    z = 3 * y\n    return z\n"
TASK = replace(DOUBLE, original=ORIGINAL, rule=few_changes(ORIGINAL, 2))
RIGHT = Report("double", 3, (CaseResult("a row", True),))


def program(text):
    return assemble([("double", text)], ["double"])["double"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (ORIGINAL, 0),
        (ORIGINAL.replace("3", "2"), 1),
        (ORIGINAL.replace("3 * y", "3*y  # as it was"), 0),
        (ORIGINAL.replace("    y = x\n", ""), 1),
        (ORIGINAL.replace("3 * y", "(\n        3\n        * y,\n    )").replace("y,", "y"), 1),
        (ORIGINAL.replace("return z", "return (\n        z\n    )"), 1),
        (ORIGINAL.replace("):\n", '):\n    """Mine.\n\n    a = 1\n    """\n', 1), 0),
        ("double = lambda x, times=1: 2 * x", 4),
        (ORIGINAL + "\n\n# a comment\n", 0),
        (ORIGINAL.replace("    y", "    import torch\n    a = b = 1\n    y"), 2),
        ("import torch\n" + ORIGINAL + "e = 3\nprint(1)\n", 0),
        ("", 4),
        ("def double(x, times=1):\n    a = 1\n    b = 2\n    return 2 * x\n", 3),
        ("def two(x):\n    a = 1\n    return a\n" + ORIGINAL.replace("y = x", "y = two(x)"), 4),
    ],
)
def test_lines_are_counted_in_the_answer_and_its_helpers(text, count):
    assert changed_lines(ORIGINAL, program(text).text) == count
    held = apply_rule(TASK, RIGHT, program(text))
    assert held.passed == (count <= 2) and apply_rule(DOUBLE, RIGHT, program(text)) is RIGHT
    if count > 2:
        assert held.cases[
            -1
        ].name == NAME and f"{count} lines are changed, helpers counted; 2 are" in str(held)


def test_what_stands_between_two_quotes_in_comments_is_there():
    """The old body, never reached, below a new one: every line of the new one counts."""
    new = '    # """\n    a = x + x\n    b = a * 1\n    c = \'#\' and b\n    return c\n    # """\n'
    text = ORIGINAL.replace("):\n", f"):\n{new}", 1)
    assert changed_lines(ORIGINAL, program(text).text) == 4
    assert changed_lines(ORIGINAL, ORIGINAL.replace("return z", "z" + " + z" * 400)) > 4


HARD = ("_ = '''(\n" + "x\n" * 100_000, '"' * 200_000, '"\\' * 100_000, "'\\\\" * 60_000 + "'\\")


@pytest.mark.parametrize("text", [*HARD, "(" * 200_000, " \n" * 100_000])
def test_the_longest_text_is_compared_in_time(text):
    start = time.process_time()
    changed_lines(ORIGINAL, text)
    assert time.process_time() - start < 60  # as the square of its length: hours


def without_torch(program):
    return "Without torch." if "torch" in program.names else None


def test_a_rule_sees_what_the_answer_and_its_helpers_name():
    task = replace(DOUBLE, rule=Rule("no torch", without_torch))
    assert apply_rule(task, RIGHT, program("def double(x): return 2 * x\ntorch.sin(1)")).passed
    for text in ("def double(x): return x.torch", "def h(): torch\ndef double(x): return h()"):
        held = apply_rule(task, RIGHT, program(text))
        assert (held.cases[-1].name, held.cases[-1].message) == ("no torch", "Without torch.")


def test_a_rule_says_which_changed_line_was_right_and_which_is_not_yet():
    right = "def double(x):\n    a = x + 1\n    b = a - 1\n    return 2 * b\n"
    rule = few_changes(right.replace("2 * b", "3 * b"), 2, right)

    def said(*words):
        text = right.replace(*words)
        cells = [("double", text if words[0] == "2 * b" else text.replace("2 * b", "3 * b"))]
        return rule.shows(assemble(cells, ["double"])["double"]) or ""

    assert said("a - 1", "a - 2").startswith("You changed `b = a - 1`, and nothing is wrong")
    assert said("2 * b", "4 * b").startswith("`return 4 * b` stands in the place of a line")
    assert not said("2 * b", "2*b  # twice")

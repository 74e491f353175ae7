"""check() and hint() on whatever a student may hand them, outside a notebook."""

import functools

import pytest

from course_lib.checker.check import check_answer
from course_lib.checker.tasks import Catalogue
from tests.checker.run.test_values import Hostile
from tests.checker.toy import EXERCISE, Scale, catalogue, double, named


def check(answer, seed=None):
    return check_answer(catalogue(), answer, seed)


def test_a_right_answer_is_found_by_its_name():
    report = check(double)
    assert (report.task, report.passed, report.score, report.max_score) == ("double", True, 3, 3)
    assert report.diagnosis is report.mistake is None
    assert check(Scale).score == 7


def test_every_check_draws_new_inputs_and_a_seed_repeats_them():
    seen = []

    def answer(x, times=1):
        seen.append(float(x.flat[0]))
        return 3 * x

    named("double", answer)
    for seed in (None, None, 5):
        first = check(answer, seed)
    assert len(set(seen)) == len(seen)
    assert str(check(answer, 5)) == str(first)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (named("doubel", lambda x: x), "`doubel` is not the name of a task. Did you mean `double`"),
        (named("unrelated", lambda x: x), "The tasks are: double, Scale."),
        (lambda x: x, "A lambda has no name"),
        (functools.partial(double, times=2), "A partial has no name"),
        (named("Scale", lambda x: x), "This is no class; write it as `class Scale(nn.Module):`."),
        (type("double", (), {}), "This is a class; write a function, as `double(x, times=1)`."),
        ("double", "This is text; give the function itself, as in check(double)."),
        (3, "This is of type int"),
        (None, "This is of type NoneType"),
        (len, "`len` is not the name of a task."),
        (Scale(2), "give the class itself: check(Scale)"),
    ],
)
def test_what_cannot_be_checked_gets_a_sentence(answer, words):
    report = check(answer)
    assert words in report.cases[0].message and not report.passed and report.score == 0


def test_a_hostile_object():
    words = check(Hostile()).cases[0].message  # apart from the assert: pytest would look at it
    assert "Hostile; give the function or class that you wrote." in words


def recurs(x, times=1):
    return recurs(x, times)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x, times=1: Hostile(), "Hostile; a NumPy array of shape"),
        (lambda x, times=1: exit(), "It raises SystemExit"),
        (lambda x, times=1: 1 / 0, "It raises ZeroDivisionError: division by zero."),
        (lambda: None, "It raises TypeError"),
        (lambda x, times=1: (yield x), "Use `return` in place of `yield`."),
        (lambda x, times=1: double.__globals__["missing"], "It raises KeyError"),
        (lambda x, times=1: compile("f(:", "<cell>", "exec"), "invalid syntax, line 1."),
        (recurs, "It raises RecursionError"),
    ],
)
def test_no_answer_gets_a_traceback_out(answer, words):
    report = check(named("double", answer))
    assert not report.passed and words in report.cases[0].message
    assert "Traceback" not in str(report) and "Traceback" not in report._repr_html_()
    assert all(case.message.endswith(".") for case in report.cases)


def test_hints_come_one_by_one_and_the_last_stays():
    course = catalogue()
    given = [course.hint(answer) for answer in (double, "double", double, double)]
    assert given == [f"Hint {n} of 3: {word}" for n, word in ((1, "first"), (2, "second"))] + 2 * [
        "Hint 3 of 3: third"
    ]
    assert course.hint(Scale) == "Hint 1 of 1: only"
    assert course.hint("nothing") == "There is no such task. The tasks are: double, Scale."


def test_names_are_unique():
    with pytest.raises(ValueError, match="share a name"):
        Catalogue([EXERCISE, EXERCISE])

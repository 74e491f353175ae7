"""check() and hint() on whatever a student may hand them."""

import functools

import pytest

from course_lib.checker.check import check_answer
from course_lib.checker.tasks import Catalogue
from tests.checker.run.test_values import Hostile
from tests.checker.toy import EXERCISE, Scale, catalogue, double, named


def message(answer):
    report = check_answer(catalogue(), answer)
    assert not report.passed and report.score == 0
    return report.cases[0].message


def test_a_right_answer_is_found_by_its_name():
    report = check_answer(catalogue(), double)
    assert (report.task, report.passed, report.score) == ("double", True, 3)
    assert check_answer(catalogue(), Scale).score == 7


def test_every_check_draws_new_inputs():
    seen = []

    def answer(x, times=1):
        seen.append(float(x.flat[0]))
        return double(x, times)

    for _ in range(2):
        check_answer(catalogue(), named("double", answer))
    assert len(set(seen)) == len(seen)


def test_a_seed_repeats_a_check():
    wrong = named("double", lambda x, times=1: x * 3)
    first, second = (str(check_answer(catalogue(), wrong, seed=5)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            named("doubel", lambda x: x),
            "`doubel` is not the name of a task. Did you mean `double`?",
        ),
        (named("unrelated", lambda x: x), "The tasks are: double, Scale."),
        (lambda x: x, "A lambda has no name"),
        (functools.partial(double, times=2), "A partial has no name"),
        (named("Scale", lambda x: x), "This is no class; write it as `class Scale(nn.Module):`."),
        (type("double", (), {}), "This is a class; write a function, as `double(x, times=1)`."),
        ("double", "This is text; give the function itself, as in check(double)."),
        (3, "This is of type int"),
        (None, "This is of type NoneType"),
        (len, "`len` is not the name of a task."),
    ],
)
def test_what_cannot_be_checked_gets_a_sentence(answer, words):
    assert words in message(answer)


def test_an_object_in_place_of_its_class():
    assert "give the class itself: check(Scale)" in message(Scale(2))


def test_a_hostile_object():
    words = message(Hostile())  # apart from the assert: pytest would look at the object
    assert "Hostile; give the function or class that you wrote." in words


@pytest.mark.parametrize(
    "answer",
    [
        lambda x, times=1: Hostile(),
        lambda x, times=1: exit(),
        lambda x, times=1: 1 / 0,
        lambda: None,
        lambda x, times=1: (yield x),
        lambda x, times=1: double.__globals__["missing"],
    ],
)
def test_no_answer_gets_a_traceback_out(answer):
    report = check_answer(catalogue(), named("double", answer))
    assert not report.passed
    assert "Traceback" not in str(report) and "Traceback" not in report._repr_html_()
    assert all(case.message.endswith(".") for case in report.cases)


def test_hints_come_one_by_one_and_the_last_stays():
    course = catalogue()
    given = [course.hint(answer) for answer in (double, "double", double, double)]
    assert given == [
        "Hint 1 of 3: first",
        "Hint 2 of 3: second",
        "Hint 3 of 3: third",
        "Hint 3 of 3: third",
    ]
    assert course.hint(Scale) == "Hint 1 of 1: only"
    assert course.hint("nothing") == "There is no such task. The tasks are: double, Scale."


def test_names_are_unique():
    with pytest.raises(ValueError, match="share a name"):
        Catalogue([EXERCISE, EXERCISE])

"""In the student's own notebook `check` says what a class would not have."""

import pytest

import course_lib
from course_lib.grading.inside.answers import NO_COURSE
from course_lib.grading.judging import origins
from course_lib.grading.judging.check import check_answer
from tests.grading.toy import catalogue


def defined(source, **names):
    space = {"__name__": "__main__", **names}
    exec(source, space)
    return space["double"]


@pytest.mark.parametrize(
    "answer",
    [
        defined("def double(x, times=1): return s(x)", s=course_lib.softmax),
        defined("def double(x, times=1): return c.softmax(x)", c=course_lib),
        defined(
            "def helper(x): return s(x)\ndef double(x, times=1): return helper(x)",
            s=course_lib.softmax,
        ),
        defined(
            "double = lambda x, times=1: [s(v) for v in x]\ndouble.__name__ = 'double'",
            s=course_lib.softmax,
        ),
    ],
)
def test_an_answer_that_leans_on_the_course_is_told_so(answer):
    report = check_answer(catalogue(), answer)
    assert not report.passed and NO_COURSE in report.cases[0].message


def test_a_helper_in_a_cell_that_does_more_gets_a_note(monkeypatch):
    source = "def helper(x): return x * 2"
    own = "def double(x, times=1): return helper(x) * 2 ** (times - 1)"
    answer = defined(f"{source}\n{own}")
    monkeypatch.setattr(origins, "_cells", lambda: [f"{source}\nprint(1)", own])
    report = check_answer(catalogue(), answer)
    assert report.passed and "`helper` is defined in a cell that does more" in report.notes[0]
    monkeypatch.setattr(origins, "_cells", lambda: [f"{source}\nprint(1)", source, own])
    assert not check_answer(catalogue(), answer).notes
    monkeypatch.setattr(origins, "_cells", lambda: [f"{source}\n{own}\nprint(1)"])
    assert not check_answer(catalogue(), answer).notes


def test_an_attribute_is_no_global_of_the_same_name(monkeypatch):
    answer = defined("def double(x, times=1): return x.real * 2**times", real=1)
    monkeypatch.setattr(origins, "_cells", lambda: ["real = print(1)"])
    assert origins.not_sent(answer) == []


def test_the_course_s_own_answers_may_lean_on_it():
    from course_lib.exercises.softmax.masked import masked_softmax

    assert not origins.leans_on_course(masked_softmax)

"""In the student's own notebook `check` says what a class would not have."""

import pytest
import torch

import course_lib
import course_lib.exercises
from course_lib.grading.inside.answers import NO_COURSE, NO_TORCH
from course_lib.grading.judging import origins
from course_lib.grading.judging.check import check_answer
from tests.grading.toy import catalogue


def defined(source, name="double", **names):
    space = {"__name__": "__main__", **names}
    exec(source, space)
    return space[name]


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


@pytest.mark.parametrize(
    "answer",
    [
        defined("def double(x, times=1): return t.mul(x, 2)", t=torch),
        defined("def double(x, times=1): return mul(x, 2)", mul=torch.mul),
        defined("def double(x, times=1): return F.relu(2 * x)", F=torch.nn.functional),
    ],
)
def test_torch_in_a_numpy_task_is_told_so_and_elsewhere_it_is_right(answer):
    assert origins.leaning(answer, ["course_lib", "torch"]) == "torch"
    assert origins.leaning(answer, ["course_lib"]) is None


def test_check_refuses_torch_in_the_first_exercises():
    answer = defined(
        "def softmax(scores, axis=-1): return t.softmax(t.from_numpy(scores), axis).numpy()",
        name="softmax",
        t=torch,
    )
    report = course_lib.exercises.check(answer)
    assert not report.passed and NO_TORCH in report.cases[0].message


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

    assert origins.leaning(masked_softmax, ["course_lib"]) is None

"""Trials, judging and naming the mistake, on a toy course."""

import numpy as np
import pytest

from course_lib.checker.compare.judge import NOT_WRITTEN, draw_trials, judge, observe
from course_lib.checker.tasks import Sampler
from tests.checker.toy import DOUBLE, SCALE, Scale, double, squared


def report(answer, task=DOUBLE, seed=0):
    trials = draw_trials(task, seed)
    return judge(task, trials, observe(answer, trials))


def test_trials_are_drawn_again_from_the_same_seed():
    first, again, other = (draw_trials(DOUBLE, seed) for seed in (1, 1, 2))
    assert len(first) == 3 * 3 * 2  # cases, sizes, dtypes
    drawn = [[trial.inputs.args[0] for trial in trials] for trials in (first, again, other)]
    assert all(map(np.array_equal, drawn[0], drawn[1]))
    assert not any(map(np.array_equal, drawn[0], drawn[2]))


def test_the_smallest_trial_comes_first():
    sizes = [trial.inputs.args[0].size for trial in draw_trials(DOUBLE, 0)[:6]]
    assert sizes == sorted(sizes) and sizes[0] == 1


def test_a_right_answer_has_all_points():
    right = report(lambda x, times=1: x + x if times == 1 else double(x, times))
    assert right.passed and right.score == right.max_score == 3
    assert right.diagnosis is None and right.mistake is None and right.notes == ()


def test_a_class_is_checked_with_its_parameters_and_gradients():
    class Cut(Scale):
        def forward(self, x):
            return x * self.weight.detach()

    assert report(Scale, SCALE).passed
    assert "the gradient of `weight`" in report(Cut, SCALE).cases[0].message


def test_a_known_mistake_is_named():
    wrong = report(lambda x, times=1: x * x)
    assert (wrong.mistake, wrong.diagnosis) == ("squared", "You square. Double instead.")
    assert wrong.score == 0


def in_the_wrong_dtype(x, times=1):
    """A dtype alone is named, whatever the values were computed in."""
    out = np.zeros(x.shape)
    out[...] = x * np.float32(1 / 3) * np.float32(3 * 2**times)  # rounded as float32 is
    return out


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda x, times=1: x + x, "forgets-times"),  # it shows in some cases only
        (lambda x, times=1: x * 3, None),
        (lambda x, times=1: 2 * x.astype(float), "forgets-times"),  # the values before the dtype
        # np.sqrt(4) is a number of NumPy's, float64: in NumPy 2 it widens what it meets.
        (lambda x, times=1: x * np.sqrt(4), "forgets-times"),
        (in_the_wrong_dtype, "always-float64"),
    ],
)
def test_which_mistake_is_named(answer, mistake):
    assert report(answer).mistake == mistake


def test_a_mistake_that_breaks_what_the_answer_gets_right_is_not_named():
    """Of a row it looks like `squared`, which is wrong wherever this answer is right."""

    def answer(x, times=1):
        return x**2 if x.ndim == 1 else double(x, times)

    assert [case.passed for case in report(answer).cases] == [False, True, False]
    assert report(answer).mistake is None


def test_the_example_is_the_smallest_of_the_first_public_case_that_fails():
    wrong = report(squared)
    assert wrong.example == wrong.cases[0].example
    names = [name for name, _ in wrong.example.inputs]
    assert names == ["x"] and wrong.example.expected != wrong.example.got


def test_an_example_has_as_many_digits_as_show_the_difference():
    near = report(lambda x, times=1: double(x, times) * (1 + 1e-6)).cases[0].example
    assert near.expected != near.got
    wide = report(lambda x, times=1: double(x, times).astype(float)).cases[0].example
    assert wide.expected == wide.got and len(wide.got) < 10


def test_a_hidden_case_shows_no_input_and_no_number():
    hidden = report(squared).cases[2]
    assert hidden.hidden and not hidden.passed and hidden.example is None
    assert hidden.message == "This property does not hold."


def test_a_hidden_case_names_the_error_only():
    def answer(x, times=1):
        raise ValueError(f"secret {x}")

    assert report(answer).cases[2].message == "It raises ValueError here."


def test_a_stub_is_told_as_one():
    def stub(x, times=1):
        raise NotImplementedError

    unwritten = report(stub)
    assert unwritten.diagnosis == NOT_WRITTEN and unwritten.example is None
    assert {case.message for case in unwritten.cases} == {"It is not written yet."}


@pytest.mark.parametrize("answer", [lambda: 1, lambda x: x + x, lambda x, y, z: x])
def test_a_wrong_signature_is_told_how_it_is_called(answer):
    assert report(answer).notes == ("The checker calls it as `double(x, times=1)`.",)


def test_prints_are_noted():
    def answer(x, times=1):
        print("here")
        return double(x, times)

    noted = report(answer)
    assert noted.passed
    assert noted.notes == ("Your answer prints; what it printed was left out.",)


def test_changed_inputs_fail():
    def answer(x, times=1):
        x *= 2**times
        return x

    assert "changes its input `x`" in report(answer).cases[0].message


def test_call_forms():
    assert DOUBLE.call_form == "`double(x, times=1)`"
    assert SCALE.call_form == "`Scale(size)` and then as `forward(x)`"


def test_the_sampler_takes_turns_and_draws_ragged_sizes():
    seen = {
        Sampler(0, size, dtype).turn(*"abcdef")
        for size in (1, 2, 4)
        for dtype in ("float64", "float32")
    }
    assert seen == set("abcdef")
    lengths = Sampler(3, 2, "float64").dims(4)
    assert len(set(lengths)) == 4 and min(lengths) >= 2
    mask = Sampler(0, 1, "float64").mask(50, 3)
    assert mask.any(-1).all() and not mask.all(-1).any()


def test_the_same_error_everywhere_is_said_once_with_its_cure():
    def answer(x, times=1):
        return F.relu(x)

    trials = draw_trials(DOUBLE, 1)
    report = judge(DOUBLE, trials, observe(answer, trials))
    assert [case.message for case in report.cases][1:] == ["The same."] * 2
    assert str(report).count("name 'F' is not defined") == 1
    assert "Import it in the first cell of code" in report.diagnosis


@pytest.mark.parametrize(
    ("answer", "cure"),
    [
        (lambda x, times=1: 2 * x if x is not None and x > 0 else x, "`if x is not None:`"),
        (lambda x, times=1: x + np.zeros(len(x) + 7), "`keepdims=True`"),
        (lambda x, times=1: np.zeros((2, 999)) @ x, "transposed"),
    ],
)
def test_a_common_error_is_said_with_its_cure(answer, cure):
    assert cure in report(answer).diagnosis


def test_an_error_on_hidden_inputs_alone_says_nothing_of_them():
    shown = [t.inputs.args[0].tolist() for t in draw_trials(DOUBLE, 0) if not t.case.hidden]

    def answer(x, times=1):
        if x.tolist() in shown:
            return double(x, times)
        raise ValueError("operands could not be broadcast together")

    assert report(answer).diagnosis is None

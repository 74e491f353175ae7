"""Trials, judging and naming the mistake, on a toy course."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib.checker.compare.diagnosis import HERE, IN_SOME, NOT_WRITTEN
from course_lib.checker.compare.judge import HIDDEN, draw_trials, judge, observe
from course_lib.checker.tasks import Case, Mistake, Sampler, Task
from tests.checker.toy import DOUBLE, SCALE, double, squared


def report(answer, seed=0):
    trials = draw_trials(DOUBLE, seed)
    return judge(DOUBLE, trials, observe(answer, trials))


def raising(error):
    def answer(x, times=1):
        raise error

    return answer


def in_the_wrong_dtype(x, times=1):
    """A dtype alone is named, whatever the values were computed in."""
    out = np.zeros(x.shape)
    out[...] = x * np.float32(1 / 3) * np.float32(3 * 2**times)  # rounded as float32 is
    return out


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda x, times=1: x * x, "squared"),
        (lambda x, times=1: x + x, "forgets-times"),  # it shows in some cases only
        (lambda x, times=1: x * 3, None),
        (lambda x, times=1: 2 * x.astype(float), "forgets-times"),  # the values before the dtype
        # np.sqrt(4) is a number of NumPy's, float64: in NumPy 2 it widens what it meets.
        (lambda x, times=1: x * np.sqrt(4), "forgets-times"),
        (in_the_wrong_dtype, "always-float64"),
        # Of a row it looks like `squared`, which is wrong wherever this answer is right.
        (lambda x, times=1: x**2 if x.ndim == 1 else double(x, times), None),
    ],
)
def test_which_mistake_is_named(answer, mistake):
    wrong = report(answer)
    sentences = {one.name: one.sentence for one in DOUBLE.mistakes}
    assert wrong.mistake == mistake
    assert mistake is None or wrong.diagnosis == sentences[mistake]


def test_trials_are_drawn_again_from_the_same_seed_smallest_first():
    first, again, other = (draw_trials(DOUBLE, seed) for seed in (1, 1, 2))
    drawn = [[trial.inputs.args[0] for trial in trials] for trials in (first, again, other)]
    assert all(map(np.array_equal, drawn[0], drawn[1]))
    assert not any(map(np.array_equal, drawn[0], drawn[2]))
    assert [x.size for x in drawn[0][:6]] == [1, 1, 2, 2, 4, 4]


def test_a_part_of_a_tuple_has_its_name():
    pair = Task(
        "pair", 1, lambda x: (x, (x, x)), (Case("a row", lambda s: (s.floats(2),)),), (), ()
    )
    pair = replace(pair, returns=("output", "cache"), library="numpy")
    for answer, words in ((lambda x: (2 * x, (x, x)), "`output` is wrong"),
                          (lambda x: (x, (x, 2 * x)), "`cache[1]` is wrong")):  # fmt: skip
        trials = draw_trials(pair, 0)
        (case,) = judge(pair, trials, observe(answer, trials)).cases
        assert words in case.message, case.message


def test_the_example_is_the_smallest_of_the_first_public_case_that_fails():
    wrong = report(squared)
    assert wrong.example == wrong.cases[0].example
    assert [name for name, _ in wrong.example.inputs] == ["x"]


def test_an_example_has_as_many_digits_as_show_the_difference():
    near = report(lambda x, times=1: double(x, times) * (1 + 1e-6)).cases[0].example
    assert near.expected != near.got
    # Where only the dtype is wrong, the numbers would show nothing.
    assert report(lambda x, times=1: double(x, times).astype(float)).cases[0].example is None


def spelling(x, times=1):
    name = "h_" + "_".join(str(int(v * 1000)) for v in np.ravel(x))
    raise type(name, (Exception,), {})


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (squared, HIDDEN),
        (raising(ValueError("secret")), "It raises ValueError here."),
        (spelling, "It raises an exception here."),
    ],
)
def test_a_hidden_case_shows_no_input_and_no_number(answer, message):
    hidden = report(answer).cases[2]
    assert hidden.hidden and not hidden.passed and hidden.example is hidden.matrices is None
    assert hidden.message == message


def test_an_error_on_hidden_inputs_alone_says_nothing_of_them():
    shown = [t.inputs.args[0].tolist() for t in draw_trials(DOUBLE, 0) if not t.case.hidden]

    def answer(x, times=1):
        if x.tolist() in shown:
            return double(x, times)
        raise ValueError("operands could not be broadcast together")

    assert report(answer).diagnosis is None


@pytest.mark.parametrize(
    ("said", "told"), [("list index out of range", False), ("index 3 is too large for 3", True)]
)
def test_a_mistake_of_the_first_case_alone_is_not_asserted(said, told):
    """What the answer does elsewhere is another's. An error without a number is many a slip's, and
    says nothing alone."""

    def beyond(factor):
        return lambda x, times=1: x * factor if x.ndim == 2 else raising(IndexError(said))(x)

    known = replace(DOUBLE, mistakes=(Mistake("beyond", "It is one too far.", beyond(5)),))
    trials = draw_trials(known, 0)
    found = judge(known, trials, observe(beyond(7), trials))
    assert found.mistake is None
    words = [one.format("It is one too far.") for one in (HERE, IN_SOME)]
    assert (found.diagnosis in words) is told


def test_of_a_case_with_one_trial_the_next_one_tells_too():
    """One trial says too little; what it does in two cases, and nowhere else, is said of them."""
    single = Case("single", lambda s: (s.floats(3),), sizes=(1,), dtypes=("float64",))
    known = replace(
        DOUBLE,
        cases=(single, *DOUBLE.cases),
        mistakes=(Mistake("squared", "You square.", lambda x, times=1: x**2),),
    )
    trials = draw_trials(known, 0)
    found = judge(known, trials, observe(lambda x, times=1: x**2 if x.ndim == 1 else x, trials))
    assert found.mistake is None and found.diagnosis == IN_SOME.format("You square.")
    found = judge(known, trials, observe(lambda x, times=1: x**2 if len(x) == 3 else x, trials))
    assert not (found.diagnosis or "").startswith(IN_SOME[:20])


def test_of_two_mistakes_that_fail_alike_the_one_with_the_answer_s_words_is_named():
    """On the same trials and by an error of the same type, where others pass."""

    def failing(words):
        return lambda x, times=1: raising(IndexError(words))(x) if x.ndim == 2 else double(x, times)

    both = tuple(Mistake(name, f"It is {name}.", failing(name)) for name in ("near", "far"))
    known = replace(DOUBLE, library="torch", mistakes=both)
    trials = draw_trials(known, 0)
    for words, named in (("near", "near"), ("far", "far"), ("elsewhere", "near")):
        assert judge(known, trials, observe(failing(words), trials)).mistake == named


def test_a_stub_is_told_as_one():
    unwritten = report(raising(NotImplementedError()))
    assert unwritten.diagnosis == NOT_WRITTEN and unwritten.example is None
    assert {case.message for case in unwritten.cases} == {"It is not written yet."}


CALLED = "The checker calls it as `double(x, times=1)`."
PRINTS = "Your answer prints; what it printed was left out."


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (lambda: 1, CALLED),
        (lambda x: x + x, CALLED),
        (lambda x, y, z: x, CALLED),
        (lambda x, times=1: print("here") or double(x, times), PRINTS),
    ],
)
def test_what_stands_in_a_note(answer, note):
    assert report(answer).notes == (note,)
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


@pytest.mark.parametrize(
    ("answer", "cure"),
    [
        (lambda x, times=1: F.relu(x), "Import it in the first cell of code"),
        (lambda x, times=1: 2 * x if x is not None and x > 0 else x, "`if x is not None:`"),
        (lambda x, times=1: x + np.zeros(len(x) + 7), "`keepdims=True`"),
        (lambda x, times=1: np.zeros((2, 999)) @ x, "transposed"),
        (lambda x, times=1: np.zeros(3)[0, 0], "more indices than the array has axes"),
    ],
)
def test_a_common_error_is_said_with_its_cure(answer, cure):
    assert cure in report(answer).diagnosis


def test_the_same_error_everywhere_is_said_once():
    everywhere = report(lambda x, times=1: F.relu(x))
    assert [case.message for case in everywhere.cases][1:] == ["The same."] * 2
    assert str(everywhere).count("name 'F' is not defined") == 1


def test_float32_on_the_way_is_no_mistake_in_the_seventh_digit():
    """Rounding to seven digits is off by as much, and is another thing."""
    rounded = Mistake("rounded", "You round to seven digits.", lambda x: x.exp().round(decimals=7))
    cases = (Case("any", lambda s: (s.floats(4, 5),), dtypes=("float64",)),)
    task = Task("powers", 1, lambda x: x.exp(), cases, (rounded,), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    found = judge(task, trials, observe(lambda x: x.float().exp().to(x.dtype), trials))
    assert found.mistake is None and "right to six digits" in str(found.diagnosis)


def test_rounding_to_seven_digits_is_named_where_it_is_the_mistake():
    rounded = Mistake("rounded", "You round to seven digits.", lambda x: x.exp().round(decimals=7))
    cases = (Case("any", lambda s: (s.floats(4, 5),), dtypes=("float64",)),)
    task = Task("powers", 1, lambda x: x.exp(), cases, (rounded,), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    found = judge(task, trials, observe(lambda x: x.exp().round(decimals=7), trials))
    assert found.mistake == "rounded"

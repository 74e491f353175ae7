"""Right or wrong, and the sentence that says how."""

import numpy as np
import pytest

from course_lib.checker.compare.difference import difference, same_behaviour
from course_lib.checker.run.inputs import Array, Observation, Opaque
from course_lib.checker.run.values import observe_value

EXPECTED = np.array([[1.0, 2.0], [3.0, 4.0]])


def seen(value, **more):
    return Observation(observe_value(value), **more)


def compare(expected, got, **more):
    return difference(seen(expected), seen(got, **more), ["scores", "mask"])


def test_equal_is_right():
    assert compare(EXPECTED, EXPECTED + 1e-12) is None
    assert compare(np.float32(EXPECTED), np.float32(EXPECTED * (1 + 1e-5))) is None
    assert compare((EXPECTED, 2, "word"), (EXPECTED, 2, "word")) is None


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (EXPECTED + 1e-6, "wrong in 4 of 4 places, first at [0, 0]: 1.000001 where 1 is right"),
        (EXPECTED.T, "wrong in 2 of 4 places, first at [0, 1]: 3 where 2 is right"),
        (EXPECTED[:1], "has shape (1, 2); shape (2, 2) is needed (a shape that merely broadcasts"),
        (EXPECTED.astype("f4"), "has the right values, but dtype float32 where float64 is needed"),
        (2 * EXPECTED.astype("f4"), "wrong in 4 of 4 places, first at [0, 0]: 2 where 1 is right"),
        (EXPECTED.astype("i4"), "has dtype int32; float64 is needed"),
        (EXPECTED * np.nan, "contains nan where a finite number is right"),
        (EXPECTED * np.inf, "contains inf where a finite number is right"),
        (EXPECTED.tolist(), "is a list; a NumPy array of shape (2, 2) is needed"),
        (None, "is None; a NumPy array of shape (2, 2) is needed. Is a `return` missing?"),
        ((x for x in EXPECTED), "is a generator"),
        ((EXPECTED, 1), "is a tuple"),
        (EXPECTED.view(np.matrix), "is a numpy.matrix"),
        (2.0, "is a float"),
    ],
)
def test_a_wrong_array(got, words):
    assert words in compare(EXPECTED, got)


def test_a_tensor_is_no_array():
    import torch

    sentence = compare(EXPECTED, torch.tensor(EXPECTED))
    assert sentence == (
        "The result is a torch tensor of shape (2, 2); a NumPy array of shape (2, 2) is needed."
    )


def test_boolean_and_integer_arrays_are_compared_exactly():
    assert compare(np.array([1, 2]), np.array([1, 3]))
    assert compare(np.array([True]), np.array([1])) is not None
    assert compare(np.array([True, False]), np.array([True, False])) is None


def test_parts_of_a_tuple_are_named():
    assert compare((EXPECTED, EXPECTED), (EXPECTED, EXPECTED * 2)).startswith("Output [1] is wrong")
    assert "has 1 items; a tuple of 2" in compare((EXPECTED, EXPECTED), (EXPECTED,))


@pytest.mark.parametrize(
    "got", [1 / 3, *(kind(1 / 3) for kind in (np.float64, np.float32, np.array))]
)
def test_a_number_may_come_from_numpy(got):
    assert compare(1 / 3, got) is None


@pytest.mark.parametrize("got", [0, np.int64(0), np.float32(0)])
def test_a_whole_number_may_stand_for_a_float(got):
    assert compare(0.0, got) is None


@pytest.mark.parametrize(
    "got",
    [0, 1, True, np.True_, "0.5", None, [0.5], np.array([0.5]), 0.5001, np.float32(0.1), 10**40],
)
def test_a_wrong_number(got):
    assert compare(0.5, got)


def test_two_numbers_are_shown_in_as_many_digits_as_tell_them_apart():
    assert compare(0.5, 0.50000001) == "The result is 0.50000001; 0.5 is right."
    assert "0.33333334 where 0.33333333 is right" in compare(
        np.array([1 / 3]), np.array([1 / 3 + 1e-8])
    )


def test_a_wrong_dtype_comes_with_its_usual_reason():
    wide = compare(np.float32(EXPECTED), EXPECTED)
    assert "`np.sqrt(d)` is float64" in wide and wide.endswith("does not).")


def test_a_tensor_is_no_number():
    import torch

    assert "a number is needed" in compare(0.5, torch.tensor(0.5))


def test_true_is_no_number():
    assert compare(1.0, True) == "The result is a bool; a number is needed, a Python float or int."
    assert "a number is needed" in compare(1.0, np.True_)


def test_words_are_compared_exactly():
    assert compare([("le", "the")], [("le", "the")]) is None
    assert "(['le', 'the'])" not in compare([("le", "the")], [["le", "the"]])
    assert compare([("le", "the")], [("le", "cat")]) == ("Output [0][1] is 'cat'; 'the' is right.")


def test_errors():
    raised = Observation(error="ValueError", message="bad")
    assert difference(seen(1.0), raised, []) == "It raises ValueError: bad."
    assert difference(raised, raised, []) is None
    assert "needs to raise ValueError here; it returns a float" in difference(raised, seen(1.0), [])
    unwritten = Observation(error="NotImplementedError")
    assert difference(seen(1.0), unwritten, []) == "It is not written yet."


def test_a_changed_input_is_named():
    assert "changes its input `mask` in place" in compare(EXPECTED, EXPECTED, changed=(1,))


def test_gradients():
    def graded(gradients):
        return seen(EXPECTED, gradients=observe_value(gradients))

    right = graded({"0": EXPECTED, "W_a.weight": EXPECTED})
    assert difference(right, right, ["scores"]) is None
    assert "the gradient of `scores` is wrong" in difference(
        right, graded({"0": 2 * EXPECTED, "W_a.weight": EXPECTED}), ["scores"]
    )
    assert "the gradient of `W_a.weight` contains nan" in difference(
        right, graded({"0": EXPECTED, "W_a.weight": EXPECTED * np.nan}), ["scores"]
    )
    assert "right, but nothing flows" in difference(
        right, seen(EXPECTED, gradients=Opaque("nothing flows")), []
    )


def test_same_behaviour():
    assert same_behaviour(seen(EXPECTED * np.nan), seen(EXPECTED * np.nan))
    assert not same_behaviour(seen(EXPECTED), seen(EXPECTED + 1))
    assert not same_behaviour(seen(EXPECTED), seen(EXPECTED, changed=(0,)))
    error = Observation(error="ValueError", message="a")
    assert same_behaviour(error, error)
    assert not same_behaviour(error, Observation(error="TypeError", message="a"))
    assert not same_behaviour(error, seen(EXPECTED))


def test_floats_may_behave_alike_in_two_dtypes():
    wide, narrow = seen(EXPECTED), seen(np.float32(EXPECTED * (1 + 1e-5)))
    assert not same_behaviour(wide, narrow)
    assert same_behaviour(wide, narrow, width=False)
    assert same_behaviour(narrow, wide, width=False)
    assert not same_behaviour(wide, seen(np.float32(2 * EXPECTED)), width=False)
    assert not same_behaviour(wide, seen(EXPECTED.astype(int)), width=False)


def test_the_tolerance_can_be_set():
    one, near = seen(np.array([1.0])), seen(np.array([1.001]))
    assert difference(one, near, [], atol=0.01) is None
    assert difference(one, near, [])


def test_an_unknown_half_type_is_compared_by_its_tolerance():
    half = Observation(Array("torch", "bfloat16", np.float32([1.0])))
    assert difference(half, Observation(Array("torch", "bfloat16", np.float32([1.02]))), []) is None

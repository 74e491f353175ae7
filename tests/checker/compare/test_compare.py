"""Right or wrong, and the sentence that says how."""

import numpy as np
import pytest
import torch

from course_lib.checker.compare.difference import difference, same_behaviour
from course_lib.checker.run.inputs import Array, Observation, Opaque
from course_lib.checker.run.values import observe_value

EXPECTED = np.array([[1.0, 2.0], [3.0, 4.0]])
NARROW = np.float32(EXPECTED)


def seen(value, **more):
    return Observation(observe_value(value), **more)


def compare(expected, got, **more):
    return difference(seen(expected), seen(got, **more), ["scores", "mask"])


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (EXPECTED, EXPECTED + 1e-12),
        (NARROW, np.float32(EXPECTED * (1 + 1e-5))),
        ((EXPECTED, 2, "word"), (EXPECTED, 2, "word")),
        (np.array([True, False]), np.array([True, False])),
        ([("le", "the")], [("le", "the")]),
        # A number may come from NumPy, and a whole one may stand for a float.
        *((1 / 3, kind(1 / 3)) for kind in (float, np.float64, np.float32, np.array)),
        *((0.0, zero) for zero in (0, np.int64(0), np.float32(0))),
    ],
)
def test_what_is_right(expected, got):
    assert compare(expected, got) is None


@pytest.mark.parametrize(
    ("expected", "got", "words"),
    [
        (EXPECTED, EXPECTED + 1e-6, "in 4 of 4 places, first at [0, 0]: 1.000001 where 1 is right"),
        (EXPECTED, EXPECTED.T, "wrong in 2 of 4 places, first at [0, 1]: 3 where 2 is right"),
        (EXPECTED, EXPECTED[:1], "has shape (1, 2); shape (2, 2) is needed (a shape that merely"),
        (EXPECTED, NARROW, "has the right values, but dtype float32 where float64 is needed"),
        (EXPECTED, 2 * NARROW, "wrong in 4 of 4 places, first at [0, 0]: 2 where 1 is right"),
        (NARROW, EXPECTED, "`np.sqrt(d)` is float64"),
        (EXPECTED, EXPECTED.astype("i4"), "has dtype int32; float64 is needed"),
        (EXPECTED, EXPECTED * np.nan, "contains nan where a finite number is right"),
        (EXPECTED, EXPECTED * np.inf, "contains inf where a finite number is right"),
        (EXPECTED, EXPECTED.tolist(), "is a list; a NumPy array of shape (2, 2) is needed"),
        (EXPECTED, None, "is None; a NumPy array of shape (2, 2) is needed. Is a `return` missing"),
        (EXPECTED, (x for x in EXPECTED), "is a generator"),
        (EXPECTED, (EXPECTED, 1), "is a tuple"),
        (EXPECTED, EXPECTED.view(np.matrix), "is a numpy.matrix"),
        (EXPECTED, 2.0, "is a float"),
        (EXPECTED, torch.tensor(EXPECTED), "is a torch tensor of shape (2, 2); a NumPy array"),
        (np.array([1, 2]), np.array([1, 3]), "wrong in 1 of 2 places, first at [1]: 3 where 2"),
        (np.array([True]), np.array([1]), "has dtype int64; bool is needed"),
        (np.array([1 / 3]), np.array([1 / 3 + 1e-8]), "0.33333334 where 0.33333333 is right"),
        ((EXPECTED, EXPECTED), (EXPECTED, EXPECTED * 2), "Output [1] is wrong"),
        ((EXPECTED, EXPECTED), (EXPECTED,), "has 1 items; a tuple of 2"),
        ([("le", "the")], [("le", "cat")], "Output [0][1] is 'cat'; 'the' is right."),
        ([("le", "the")], [["le", "the"]], "Output [0] is a list; a tuple is needed"),
        (0.5, 0.50000001, "The result is 0.50000001; 0.5 is right."),
        (0.5, 10**40, "a number is needed"),
        (0.5, np.float32(0.1), "is right"),
        *((0.5, got, "is right") for got in (0, 1)),
        *((1.0, got, "a number is needed") for got in (True, np.True_, "1", None, [1.0])),
        *((0.5, got, "a number is needed") for got in (np.array([0.5]), torch.tensor(0.5))),
    ],
)
def test_what_is_wrong_gets_a_sentence(expected, got, words):
    assert words in compare(expected, got)


def test_errors():
    raised = Observation(error="ValueError", message="bad")
    assert difference(seen(1.0), raised, []) == "It raises ValueError: bad."
    assert difference(raised, raised, []) is None
    assert "needs to raise ValueError here; it returns a float" in difference(raised, seen(1.0), [])
    unwritten = Observation(error="NotImplementedError")
    assert difference(seen(1.0), unwritten, []) == "It is not written yet."


def test_a_changed_input_is_named():
    assert "changes its input `mask` in place" in compare(EXPECTED, EXPECTED, changed=(1,))


@pytest.mark.parametrize(
    ("gradients", "words"),
    [
        ({"0": 2 * EXPECTED, "W_a.weight": EXPECTED}, "the gradient of `scores` is wrong"),
        ({"0": EXPECTED, "W_a.weight": EXPECTED * np.nan}, "of `W_a.weight` contains nan"),
        (Opaque("nothing flows"), "right, but nothing flows"),
    ],
)
def test_a_wrong_gradient_is_named(gradients, words):
    right = observe_value({"0": EXPECTED, "W_a.weight": EXPECTED})
    if type(gradients) is dict:
        gradients = observe_value(gradients)
    assert compare(EXPECTED, EXPECTED) is None
    wanted = seen(EXPECTED, gradients=right)
    assert difference(wanted, wanted, ["scores"]) is None
    assert words in difference(wanted, seen(EXPECTED, gradients=gradients), ["scores"])


ERROR = Observation(error="ValueError", message="a")


@pytest.mark.parametrize(
    ("one", "other", "width", "same"),
    [
        (seen(EXPECTED * np.nan), seen(EXPECTED * np.nan), True, True),
        (seen(EXPECTED), seen(EXPECTED + 1), True, False),
        (seen(EXPECTED), seen(EXPECTED, changed=(0,)), True, False),
        (ERROR, ERROR, True, True),
        (ERROR, Observation(error="TypeError", message="a"), True, False),
        (ERROR, seen(EXPECTED), True, False),
        # Floats may behave alike in two dtypes.
        (seen(EXPECTED), seen(NARROW), True, False),
        (seen(EXPECTED), seen(np.float32(EXPECTED * (1 + 1e-5))), False, True),
        (seen(EXPECTED), seen(2 * NARROW), False, False),
        (seen(EXPECTED), seen(EXPECTED.astype(int)), False, False),
    ],
)
def test_same_behaviour(one, other, width, same):
    assert same_behaviour(one, other, width=width) is same
    assert same_behaviour(other, one, width=width) is same


def test_the_tolerance_is_the_case_s_or_the_dtype_s():
    one, near = seen(np.array([1.0])), seen(np.array([1.001]))
    assert difference(one, near, [], atol=0.01) is None
    assert difference(one, near, [])
    half, off = (Observation(Array("torch", "bfloat16", np.float32([x]))) for x in (1.0, 1.02))
    assert difference(half, off, []) is None

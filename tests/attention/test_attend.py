"""attend: NumPy arrays and tensors, and what does not fit."""

import numpy as np
import pytest
import torch

from course_lib import attend


def test_attend_is_a_weighted_mean():
    scores, values = torch.tensor([[0.0, 0.0, -1e9]]), torch.tensor([[1.0], [3.0], [100.0]])
    context, weights = attend(scores, values)
    assert weights.tolist() == [[0.5, 0.5, 0.0]] and context.tolist() == [[2.0]]
    context, weights = attend(scores, values, torch.tensor([True, False, False]))
    assert weights.tolist() == [[1.0, 0.0, 0.0]] and context.tolist() == [[1.0]]


def test_attend_takes_numpy_and_returns_numpy():
    scores, values = np.array([[0.5, 1.5], [2.0, 0.1]]), np.array([[1.0, 0.0], [0.0, 2.0]])
    mask = np.array([[True, False], [False, False]])
    for result, tensor in zip(
        attend(scores, values, mask),
        attend(*map(torch.from_numpy, (scores, values, mask))),
        strict=True,
    ):
        assert isinstance(result, np.ndarray) and result.dtype == np.float64
        assert np.array_equal(result, tensor.numpy())
    assert attend(scores, values)[1].sum() == pytest.approx(2)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: attend(torch.ones(2, 3), torch.ones(4, 1)), ValueError, r"\(2, 3\).*\(4, 1\)"),
        (lambda: attend(torch.ones(2, 3), torch.ones(2, 1)), ValueError, r"\(2, 3\).*\(2, 1\)"),
        (lambda: attend(torch.ones(2, 0), torch.ones(0, 1)), ValueError, "no keys"),
        (lambda: attend(torch.ones(3), torch.ones(3, 1)), ValueError, r"\(3,\)"),
        (lambda: attend(torch.ones(2, 3).long(), torch.ones(3, 1)), TypeError, "int64"),
        (lambda: attend(np.zeros((1, 2)), torch.zeros(2, 1)), TypeError, "ndarray and Tensor"),
        (lambda: attend([1.0], [2.0]), TypeError, "NumPy arrays or.*tensors.*list and list"),
    ],
)
def test_bad_input_to_attend(call, error, words, as_a_user):
    with pytest.raises(error, match=words):
        call()


def test_attend_takes_any_array_that_softmax_takes():
    rng = np.random.default_rng(0)
    scores, values = rng.normal(size=(3, 4)), rng.normal(size=(4, 2))
    mask = rng.random((3, 4)) > 0.3
    context, weights = attend(scores[::-1, ::-1], values[::-1], mask[::-1, ::-1])
    np.testing.assert_allclose(context, attend(scores, values, mask)[0][::-1])
    scores.flags.writeable = values.flags.writeable = mask.flags.writeable = False
    np.testing.assert_allclose(attend(scores, values, mask)[1][::-1, ::-1], weights)
    context, _ = attend(np.array([[0, 0]]), np.array([[1], [3]]))
    assert context.tolist() == [[2.0]]

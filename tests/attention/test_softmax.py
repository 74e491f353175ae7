"""softmax, masked_softmax, online_softmax."""

import numpy as np
import pytest
import torch
from attention_variants import equal
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from course_lib import masked_softmax, online_softmax, softmax

scores = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=1, max_dims=3, max_side=6),
    elements=st.floats(-1e4, 1e4),
)


def masked_nowhere(s, **options):
    """The masked path, with a mask that hides nothing and broadcasts along the last axis."""
    shape = (*getattr(s, "shape", (1,))[:-1], 1)
    ones = (
        torch.ones(shape, dtype=torch.bool) if isinstance(s, torch.Tensor) else np.ones(shape, bool)
    )
    return masked_softmax(s, ones, **options)


EVERY = [softmax, online_softmax, masked_nowhere]


@given(scores)
def test_weights_follow_the_formula(s):
    shifted = np.exp(s - s.max(-1, keepdims=True))
    expected = shifted / shifted.sum(-1, keepdims=True)
    for function in EVERY:
        np.testing.assert_allclose(function(s), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("function", EVERY)
@pytest.mark.parametrize("dim", [0, 1, -1, -3])
def test_any_dimension(function, dim):
    s = torch.randn(3, 4, 5, dtype=torch.float64)
    equal(function(s, dim=dim), torch.softmax(s, dim))


@pytest.mark.parametrize("function", EVERY)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_kind_and_dtype_come_back(function, dtype):
    array = np.random.default_rng(0).normal(size=(2, 3)).astype(dtype)
    result = function(array)
    assert isinstance(result, np.ndarray) and result.dtype == array.dtype
    tensor = function(torch.from_numpy(array))
    assert isinstance(tensor, torch.Tensor) and tensor.dtype == torch.from_numpy(array).dtype
    assert np.array_equal(tensor.numpy(), result)


@pytest.mark.parametrize("function", EVERY)
def test_integers_become_floating_point(function):
    assert function(np.array([1, 2])).dtype == np.float64
    assert function(torch.tensor([1, 2])).dtype == torch.float32


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_float32(dtype):
    # 4096 equal scores: summed in half precision, 4096 ones give 256 (bfloat16) or 2048 (float16).
    s = torch.zeros(4096, dtype=dtype)
    for function in EVERY:
        assert (function(s) == 1 / 4096).all()


@given(scores, st.data())
def test_masked_places_get_exactly_nothing(s, data):
    mask = data.draw(hnp.arrays(bool, s.shape))
    weights = masked_softmax(s, mask)
    assert (weights[~mask] == 0).all()
    np.testing.assert_allclose(weights.sum(-1), mask.any(-1), rtol=1e-12)
    for row in np.ndindex(s.shape[:-1]):
        if mask[row].any():
            np.testing.assert_allclose(weights[row][mask[row]], softmax(s[row][mask[row]]))


@pytest.mark.parametrize("garbage", [float("nan"), float("inf"), -float("inf"), 1e30])
def test_what_stands_behind_the_mask_does_not_matter(garbage):
    s = torch.tensor([[1.0, 2.0, garbage], [garbage, garbage, garbage]], requires_grad=True)
    mask = torch.tensor([[True, True, False], [False, False, False]])
    weights = masked_softmax(s, mask)
    equal(weights[0, :2], softmax(torch.tensor([1.0, 2.0])))
    assert (weights[~mask] == 0).all()
    weights.pow(2).sum().backward()
    assert (s.grad[~mask] == 0).all() and s.grad.isfinite().all()


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_gradients_of_a_fully_masked_row_are_zero():
    s = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    mask = torch.tensor([[False] * 3, [True, False, True]])
    with torch.autograd.detect_anomaly():
        masked_softmax(s, mask).pow(2).sum().backward()
    assert (s.grad[0] == 0).all() and s.grad[1, 1] == 0 and s.grad[1, 0] != 0
    assert torch.autograd.gradcheck(lambda x: masked_softmax(x, mask), s)
    assert torch.autograd.gradgradcheck(lambda x: masked_softmax(x, mask), s)


@given(scores, st.data())
def test_a_mask_along_any_dimension(s, data):
    """Equal to masking along the last one after moving the axes, whatever the mask's own axes."""
    dim = data.draw(st.integers(-s.ndim, s.ndim - 1))
    kept = data.draw(st.integers(0, s.ndim))
    shape = [data.draw(st.sampled_from((1, n))) for n in s.shape[s.ndim - kept :]]
    mask = data.draw(hnp.arrays(bool, shape))
    whole = np.broadcast_to(mask, s.shape)
    expected = masked_softmax(np.moveaxis(s, dim, -1), np.moveaxis(whole, dim, -1))
    weights = masked_softmax(s, mask, dim=dim)
    np.testing.assert_allclose(weights, np.moveaxis(expected, -1, dim), rtol=1e-12)
    np.testing.assert_allclose(weights.sum(dim), whole.any(dim), rtol=1e-12)


@pytest.mark.parametrize("function", EVERY)
def test_under_vmap_and_torch_func(function):
    s = torch.randn(3, 4, 5, dtype=torch.float64)
    equal(torch.func.vmap(function)(s), torch.softmax(s, -1))
    slope = torch.func.grad(lambda x: function(x).square().sum())(s)
    equal(slope, torch.func.grad(lambda x: torch.softmax(x, -1).square().sum())(s))


@given(scores, st.integers(1, 8))
def test_the_running_maximum_and_sum(s, block_size):
    weights, maxima, sums = online_softmax(s, block_size, return_running=True)
    np.testing.assert_allclose(weights, softmax(s), rtol=1e-12, atol=1e-15)
    assert maxima.shape == sums.shape == (*s.shape[:-1], -(-s.shape[-1] // block_size))
    for n in range(maxima.shape[-1]):
        seen = s[..., : (n + 1) * block_size]
        assert np.array_equal(maxima[..., n], seen.max(-1))
        expected = np.exp(seen - seen.max(-1, keepdims=True)).sum(-1)
        np.testing.assert_allclose(sums[..., n], expected, rtol=1e-12)


def test_online_softmax_survives_blocks_of_minus_infinity():
    s = np.array([-np.inf, -np.inf, 1.0, -np.inf, 2.0, -np.inf])
    np.testing.assert_allclose(online_softmax(s, 2), softmax(s))


@pytest.mark.parametrize("function", EVERY)
@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (np.array([0.0, np.nan]), ValueError, "NaN"),
        (torch.tensor([0.0, float("nan")]), ValueError, "NaN"),
        (np.array([0.0, np.inf]), ValueError, r"\+inf"),
        (np.full(3, -np.inf), ValueError, "masked_softmax"),
        (np.zeros((2, 0)), ValueError, r"\(2, 0\).*empty"),
        (np.array(1.0), ValueError, "no dimension"),
        (np.array([True, False]), TypeError, "bool"),
        (torch.tensor([True]), TypeError, "bool"),
        (np.array([1j]), TypeError, "complex"),
        (np.array(["a"]), TypeError, "<U1"),
        ([1.0, 2.0], TypeError, "list.*np.array"),
    ],
)
def test_bad_scores(function, given, error, words, as_a_user):
    with pytest.raises(error, match=words):
        function(given)


@pytest.mark.parametrize(
    ("mask", "error", "words"),
    [
        (np.ones((3, 2), bool), ValueError, r"\(3, 2\).*\(2, 3\)"),
        (np.ones((1, 2, 3), bool), ValueError, r"\(1, 2, 3\).*\(2, 3\)"),
        (np.ones((2, 3)), TypeError, "float64.*mask == 0"),
        (np.ones((2, 3), int), TypeError, "int64"),
        ([[True] * 3] * 2, TypeError, "list"),
    ],
)
def test_bad_masks(mask, error, words, as_a_user):
    with pytest.raises(error, match=words):
        masked_softmax(np.zeros((2, 3)), mask)


def test_a_block_needs_a_size():
    with pytest.raises(ValueError, match="block_size"):
        online_softmax(np.zeros(3), 0)

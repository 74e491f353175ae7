"""Additive attention's fast paths: the same numbers as the readable one, in linear memory."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from kernel_paths import gap, largest_tensor, readable_additive

import course_lib.kernels.additive_blocked as blocked
from course_lib import additive_scores
from course_lib.gate.masks import causal_mask, padding_mask
from course_lib.kernels import additive_attention, choose, explain

SIZES = st.integers(1, 9)


@pytest.fixture(autouse=True)
def always_blocked(monkeypatch):
    """Small inputs would take the direct path, and blocks would hold all of them."""
    monkeypatch.setattr(choose, "MAX_READABLE", 0)
    monkeypatch.setattr(blocked, "BLOCK_NUMBERS", 60)


def inputs(N=2, T=5, S=7, a=4, d_v=3, dtype=torch.float64, device="cpu"):
    shapes = (N, T, a), (N, S, a), (a,), (N, S, d_v)
    return [torch.randn(shape, dtype=dtype, device=device) for shape in shapes]


def masks(N, T, S):
    none = torch.rand(N, T, S) > 0.4
    none[0, 0] = False  # a query that may attend to nothing
    return {
        "no mask": None,
        "causal": causal_mask(T, S),
        "padding": padding_mask(torch.randint(0, S + 1, (N,)), S),
        "one query sees nothing": none,
        "nobody sees anything": torch.zeros(T, S, dtype=torch.bool),
    }


@given(N=st.integers(1, 3), T=SIZES, S=SIZES, a=SIZES, d_v=SIZES, block=st.integers(1, 200))
def test_values_and_gradients_equal_the_readable_path(N, T, S, a, d_v, block):
    blocked.BLOCK_NUMBERS = block
    tensors = inputs(N, T, S, a, d_v)
    for mask in masks(N, T, S).values():
        for choose.MAX_READABLE in (2**17, 0):  # the direct path, then in blocks
            assert gap(additive_attention, readable_additive, tensors, mask) < 1e-12


@pytest.mark.parametrize("mask", masks(2, 5, 7))
def test_masks_on_each_device(mask, device):
    tensors = inputs(dtype=torch.float32, device=device)
    mask = masks(2, 5, 7)[mask]
    mask = None if mask is None else mask.to(device)
    assert gap(additive_attention, readable_additive, tensors, mask) < 1e-5


@pytest.mark.parametrize("scale", [200.0, 1e3, 1e30])
def test_beyond_the_range_of_exponentials(scale, monkeypatch):
    monkeypatch.setattr(blocked.BlockedAdditive, "apply", None)  # it must not be called
    q, k, v_a, values = inputs()
    assert gap(additive_attention, readable_additive, [q * scale, k, v_a, values]) < 1e-12
    mask = masks(2, 5, 7)["one query sees nothing"]
    assert gap(additive_attention, readable_additive, [q, -k * scale, v_a, values], mask) < 1e-12


def test_at_the_edge_of_the_range():
    q, k, v_a, values = inputs(dtype=torch.float32)
    q[0, 0], q[0, 1], k[0, 0], k[0, 1] = 15.0, -15.0, 15.0, -15.0
    assert blocked.why_inexact(q, k, v_a) is None
    assert gap(additive_attention, readable_additive, [q, k, v_a, values]) < 1e-5


@pytest.mark.parametrize("small", [1e-5, 1e-3, 1.0])
@pytest.mark.parametrize("large", [1e-3, 1.0, 10.0, 1e3, 1e5])
def test_the_scores_are_as_good_as_promised(small, large):
    """A tanh near 0 times a large v_a: the identity alone would be off by eps · Σ|v_a|."""
    q, k, v_a, values = inputs(2, 9, 11, 64, 3, torch.float32)
    q, k, v_a = q * small, k * small, v_a * large
    exact = readable_additive(*[x.double() for x in (q, k, v_a, values)])
    scores = additive_scores(q.double(), k.double(), v_a.double()).abs().max()
    # 256 eps by the identity, or eps times the score by the formula itself
    bound = torch.finfo(torch.float32).eps * max(256, 64 * scores.item()) * values.abs().max()
    assert (additive_attention(q, k, v_a, values) - exact).abs().max() <= min(2 * bound, 6)


def test_explain_says_when_each_pair_takes_its_own_tanh():
    q, k, v_a, values = inputs(dtype=torch.float32)
    assert explain(q, k, values, score="additive", v_a=v_a).startswith("blocked: ")
    sentence = explain(q, k, values, score="additive", v_a=v_a * 1e3)
    assert sentence.startswith("recomputed: ") and "Σ|v_a|" in sentence
    q[0, 0, 0] = 40.0
    sentence = explain(q, k, values, score="additive", v_a=v_a)
    assert sentence.startswith("recomputed: ") and "reach" in sentence


def test_one_dtype_is_needed_at_every_size(monkeypatch, as_a_user):
    q, k, v_a, values = inputs()
    for most in (0, 2**17):
        monkeypatch.setattr(choose, "MAX_READABLE", most)
        with pytest.raises(TypeError, match=r"one dtype.*float64.*v_a torch.float32"):
            additive_attention(q, k, v_a.float(), values)


def test_a_large_bias_does_not_leave_the_range():
    q, k, v_a, values = inputs()
    q, k = q + 100, k - 100
    assert blocked.why_inexact(q, k, v_a) is None
    assert gap(additive_attention, readable_additive, [q, k, v_a, values]) < 1e-11


def test_nan_stays_nan():
    q, k, v_a, values = inputs()
    q[0, 0, 0] = torch.nan
    out = additive_attention(q, k, v_a, values)
    assert out[0, 0].isnan().all() and out[1].isfinite().all()


@pytest.mark.parametrize("scale", [1, 1e3])  # in blocks, and with a tanh for each pair
def test_a_second_derivative_is_that_of_the_formula(scale):
    q, k, v_a, values = inputs(1, 2, 3, 2, 2)
    tensors = [x.requires_grad_() for x in (q, k, v_a * scale, values)]
    assert torch.autograd.gradgradcheck(additive_attention, (*tensors, masks(1, 2, 3)["causal"]))


def test_strides_and_leading_axes():
    q, k, v_a, values = inputs(6)
    mask = masks(6, 5, 7)["one query sees nothing"]
    expected = readable_additive(q, k, v_a, values, mask)
    apart = [x.mT.contiguous().mT for x in (q, k, values)]
    out = additive_attention(apart[0], apart[1], v_a, apart[2], mask)
    torch.testing.assert_close(out, expected, atol=1e-12, rtol=0)
    q, k, values, mask = (x.unflatten(0, (2, 3)) for x in (q, k, values, mask))
    out = additive_attention(q, k, v_a, values, mask)
    torch.testing.assert_close(out.flatten(0, 1), expected, atol=1e-12, rtol=0)
    assert additive_attention(q[0, 0], k[0, 0], v_a, values[0, 0]).shape == (5, 3)


@pytest.mark.parametrize("scale", [1, 100])
def test_memory_is_linear(scale, monkeypatch):
    monkeypatch.setattr(blocked, "BLOCK_NUMBERS", 2**10)
    T, S, a = 64, 96, 8
    q, k, v_a, values = (x.requires_grad_() for x in inputs(1, T, S, a, 8, torch.float32))

    def run(f, *mask):
        f(q * scale, k, v_a, values, *mask).sum().backward()

    assert largest_tensor(lambda: run(readable_additive, None)) >= 4 * T * S * a
    assert largest_tensor(lambda: run(additive_attention)) <= 4 * max(2**10, 2 * S * a)


def test_bad_input(as_a_user):
    q, k, v_a, values = inputs()
    with pytest.raises(ValueError, match=r"\(2, 7, 3\).*needs its last dimension\s+to be 4"):
        additive_attention(q, k[..., :3], v_a, values)
    with pytest.raises(ValueError, match=r"v_a must have shape"):
        additive_attention(q, k, v_a[None], values)
    with pytest.raises(ValueError, match="one device"):
        additive_attention(q, k, v_a.to("meta"), values)

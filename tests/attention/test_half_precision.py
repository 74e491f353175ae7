"""Half precision: scores, softmax and sums are computed in float32, under autocast too."""

from contextlib import nullcontext
from functools import partial

import pytest
import torch

from course_lib import (
    LuongAttention,
    additive_scores,
    concat_scores,
    delta_rule,
    dot_scores,
    general_scores,
    linear_attention,
    scaled_dot_product_attention,
    scaled_dot_scores,
)

half = pytest.mark.parametrize(
    ("dtype", "bound"), [(torch.bfloat16, 2e-3), (torch.float16, 2.5e-4)]
)
autocast = pytest.mark.parametrize("autocast", [False, True])


def draw(*shapes, dtype, device="cpu"):
    return [torch.randn(shape, device=device).to(dtype) for shape in shapes]


def casting(autocast, x):
    return torch.autocast(x.device.type, torch.bfloat16) if autocast else nullcontext()


def relative_error(found, expected):
    return ((found.double() - expected).norm() / expected.norm()).item()


@half
@pytest.mark.parametrize("need_weights", [True, False])
def test_large_scores_are_not_rounded(dtype, bound, need_weights, device):
    """Where a score of 16 is rounded to 8 bits, its weight is off by 3 %."""
    q, k, v = draw((64, 64), (64, 64), (64, 64), dtype=dtype, device=device)
    q, k = 4 * q / q.norm(dim=-1, keepdim=True) * 2, 4 * k
    expected, _ = scaled_dot_product_attention(q.double(), k.double(), v.double())
    found, weights = scaled_dot_product_attention(q, k, v, need_weights=need_weights)
    assert found.dtype == dtype and (weights is None or weights.dtype == dtype)
    assert relative_error(found, expected) <= bound
    luong = LuongAttention(64, 64)
    expected, _ = luong(q[None].double(), k[None].double(), v[None].double())
    found, _ = luong(q[None], k[None], v[None], need_weights=need_weights)
    assert found.dtype == dtype and relative_error(found, expected) <= bound


@half
@autocast
@pytest.mark.parametrize("score", ["dot", "scaled", "general", "additive", "concat"])
def test_scores_are_those_of_float32(score, dtype, bound, autocast, device):
    d = 16
    q, k, W, joint, v_a = draw((3, d), (5, d), (d, d), (d, 2 * d), (d,), dtype=dtype, device=device)
    compute, others = {
        "dot": (dot_scores, ()),
        "scaled": (scaled_dot_scores, ()),
        "general": (general_scores, (W,)),
        "additive": (additive_scores, (v_a,)),
        "concat": (concat_scores, (joint, v_a)),
    }[score]
    expected = compute(*(x.float() for x in (q, k, *others)))
    with casting(autocast, q):
        found = compute(q, k, *others)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("recurrent", [False, True])
def test_linear_attention_is_summed_in_float32(dtype, recurrent, device):
    q, k, v, beta = draw((300, 3), (300, 3), (300, 5), (300,), dtype=dtype, device=device)
    k, beta = k / k.norm(dim=-1, keepdim=True), beta.sigmoid()
    for compute, inputs in (
        (partial(linear_attention, is_causal=True), (q, k, v)),
        (delta_rule, (q, k, v, beta)),
    ):
        found = compute(*inputs, recurrent=recurrent)
        exact = compute(*(x.double() for x in inputs), recurrent=recurrent)
        assert found.dtype == dtype
        torch.testing.assert_close(found.double(), exact, rtol=0.02, atol=0.02)
        with casting(True, q):
            assert torch.equal(compute(*inputs, recurrent=recurrent), found)

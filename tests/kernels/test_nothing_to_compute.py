"""No texts, no heads or no queries: every path gives an empty output with a gradient."""

import itertools

import pytest
import torch

from course_lib import scaled_dot_product_attention
from course_lib.kernels import additive_attention, flash_attention

SHAPES = [  # batch, heads of queries, heads of keys, queries
    (B, H, G, T)
    for B, (H, G), T in itertools.product((0, 2), ((0, 0), (2, 2), (4, 2)), (0, 1, 3))
    if 0 in (B, H, T)
]
WAYS = {
    "flash": lambda q, k, v: flash_attention(q, k, v, is_causal=True),
    "readable": lambda q, k, v: scaled_dot_product_attention(q, k, v)[0],
    "fused": lambda q, k, v: scaled_dot_product_attention(q, k, v, need_weights=False)[0],
    "causal": lambda q, k, v: scaled_dot_product_attention(
        q, k, v, is_causal=True, need_weights=False
    )[0],
    "masked": lambda q, k, v: scaled_dot_product_attention(
        q, k, v, torch.ones(q.shape[-2], 5) > 0, need_weights=False
    )[0],
    "biased": lambda q, k, v: scaled_dot_product_attention(
        q, k, v, score_bias=torch.zeros(q.shape[-2], 5), need_weights=False
    )[0],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_an_empty_output(way, shape):
    B, H, G, T = shape
    q, k, v = torch.randn(B, H, T, 4), torch.randn(B, G, 5, 4), torch.randn(B, G, 5, 6)
    for x in (q, k, v):
        x.requires_grad_()
    out = WAYS[way](q, k, v)
    assert out.shape == (B, H, T, 6)
    out.sum().backward()
    assert all(x.grad is not None and x.grad.eq(0).all() for x in (q, k, v))


@pytest.mark.parametrize(("B", "T"), [(0, 3), (0, 600), (2, 0)])
def test_an_empty_additive_output(B, T):
    q, k = torch.randn(B, T, 8, requires_grad=True), torch.randn(B, 600, 8, requires_grad=True)
    out = additive_attention(q, k, torch.randn(8), k)
    assert out.shape == (B, T, 8)
    out.sum().backward()
    assert q.grad.shape == q.shape

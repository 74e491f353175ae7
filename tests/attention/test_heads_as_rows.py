"""Heads that share keys, values or latents are rows of one product: nothing is copied per head."""

from functools import partial

import pytest
import torch
from attention_variants import equal

from course_lib import (
    KeyValueCache,
    LatentAttention,
    MultiHeadAttention,
    alibi_bias,
    scaled_dot_product_attention,
)
from tests.kernels.kernel_paths import largest_tensor


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("G", [1, 2, 8])
@pytest.mark.parametrize("lead", [(2,), (2, 3)])
@pytest.mark.parametrize("T", [0, 1, 3])
@pytest.mark.parametrize("per_head", [False, True])
def test_a_group_gives_what_repeated_keys_give(need_weights, G, lead, T, per_head):
    H, S, d = 8, 5, 4
    query = torch.randn(*lead, H, T, d, dtype=torch.float64)
    key, value = torch.randn(2, *lead, G, S, d, dtype=torch.float64)
    mask = torch.rand(*lead, H if per_head else 1, T, S) > 0.3
    bias = alibi_bias(H, T, S).double()
    bias = bias if per_head else bias[0]
    for options in (
        {},
        {"mask": mask},
        {"score_bias": bias},
        {"mask": mask, "score_bias": bias, "is_causal": True},
        {"scale": torch.rand(H, 1, 1, dtype=torch.float64)},
    ):
        found, weights = scaled_dot_product_attention(
            query, key, value, need_weights=need_weights, **options
        )
        whole = key.repeat_interleave(H // G, -3), value.repeat_interleave(H // G, -3)
        expected, expected_weights = scaled_dot_product_attention(query, *whole, **options)
        equal(found, expected)
        if need_weights:
            equal(weights, expected_weights)


LAYERS = [(partial(MultiHeadAttention, 32, 8, num_kv_heads=1), {})] + [
    (partial(LatentAttention, 32, 8, latent_dim=64, rotary_dim=turned), {"absorbed": absorbed})
    for turned in (0, 4)
    for absorbed in (True, False)
]


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize(("make", "options"), LAYERS)
def test_what_is_kept_is_not_copied_for_each_head(need_weights, make, options):
    attention, cache, new = make(), KeyValueCache(), torch.randn(1, 1, 32)
    with torch.no_grad():
        attention(torch.randn(1, 500, 32), cache=cache)
        step = partial(attention, new, cache=cache, need_weights=need_weights, **options)
        largest = largest_tensor(step)
    # The cache doubles its buffer in this step; a copy for each of 8 heads is larger.
    assert largest <= 2 * cache.nbytes

"""Heads that share keys, values or latents are rows of one product: nothing is copied per head."""

import pytest
import torch
from attention_variants import equal
from torch.utils._python_dispatch import TorchDispatchMode

from course_lib import (
    KeyValueCache,
    LatentAttention,
    MultiHeadAttention,
    alibi_bias,
    scaled_dot_product_attention,
)


class Largest(TorchDispatchMode):
    """The size of the largest tensor that is made, in numbers; a view makes none."""

    numbers = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        for x in out if isinstance(out, tuple | list) else (out,):
            if isinstance(x, torch.Tensor):
                held = x.untyped_storage().nbytes() // x.element_size()
                self.numbers = max(self.numbers, held)
        return out


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


@pytest.mark.parametrize("need_weights", [True, False])
def test_keys_are_not_copied_for_each_head(need_weights):
    E, H, S = 32, 8, 500
    attention, cache = MultiHeadAttention(E, H, num_kv_heads=2), KeyValueCache()
    with torch.no_grad():
        attention(torch.randn(1, S, E), cache=cache)
        with Largest() as largest:
            attention(torch.randn(1, 1, E), cache=cache, need_weights=need_weights)
    # The cache doubles its buffer in this step; a copy for each head would be twice as large.
    assert largest.numbers <= 2 * cache.keys.numel()


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("rotary_dim", [0, 4])
@pytest.mark.parametrize("absorbed", [True, False])
def test_latents_are_not_copied_for_each_head(need_weights, rotary_dim, absorbed):
    E, H, S, latent = 32, 8, 50, 64
    attention = LatentAttention(E, H, latent_dim=latent, rotary_dim=rotary_dim)
    cache = KeyValueCache()
    with torch.no_grad():
        attention(torch.randn(1, S, E), cache=cache)
        with Largest() as largest:
            attention(
                torch.randn(1, 1, E), cache=cache, need_weights=need_weights, absorbed=absorbed
            )
    assert largest.numbers <= 2 * S * (latent + rotary_dim)  # H · S · latent would be a copy each

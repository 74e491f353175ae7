"""A refused call leaves no trace, and a length of zero is a length."""

import copy

import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from course_lib import (
    AdditiveAttention,
    HardAttention,
    KeyValueCache,
    LatentAttention,
    MultiHeadAttention,
    delta_rule,
    linear_attention,
    padding_mask,
    scaled_dot_product_attention,
    softmax,
)

E, H = 12, 3
MODULES = {
    "multi-head": lambda: MultiHeadAttention(E, H),
    "grouped, rotary": lambda: MultiHeadAttention(E, 2, num_kv_heads=1, rotary_base=50.0),
    "latent": lambda: LatentAttention(E, H, latent_dim=5),
    "latent, rotary": lambda: LatentAttention(E, H, latent_dim=5, rotary_dim=2),
}
every_module = pytest.mark.parametrize("name", MODULES)
BAD = {
    "query": {"query": torch.zeros(2, 3, E + 1)},
    "batch of the key": {"key": torch.zeros(3, 3, E)},
    "length of the mask": {"mask": torch.ones(3, 3, dtype=torch.bool)},
    "kind of the mask": {"mask": torch.ones(3, 6)},
    "length of the bias": {"score_bias": torch.zeros(3, 3)},
    "kind of the bias": {"score_bias": torch.zeros(3, 6, dtype=torch.long)},
    "device of the bias": {"score_bias": torch.zeros(3, 6, device="meta")},
    "dtype of the query": {"query": torch.zeros(2, 3, E, dtype=torch.float64)},
    "batch of all": {"query": torch.zeros(1, 3, E)},
}


@every_module
@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("window", [None, 2])
def test_a_refused_call_leaves_the_cache_as_it_was(name, bad, window, as_a_user):
    attention, x, cache = MODULES[name](), torch.randn(2, 3, E), KeyValueCache(window)
    arguments = {"query": x, **BAD[bad]}
    if window and "mask" not in bad and "bias" not in bad:
        pytest.skip("a window changes only how many keys a mask must cover")
    with torch.no_grad():
        attention(x, cache=cache)
        before = copy.deepcopy(cache)
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            attention(arguments.pop("query"), cache=cache, **arguments)
    assert len(cache) == len(before) == 3
    assert torch.equal(cache.keys, before.keys) and torch.equal(cache.values, before.values)


@pytest.mark.parametrize("recurrent", [False, True])
@pytest.mark.parametrize("T", [0, 2])
def test_no_position_gives_no_row(recurrent, T):
    q, k, v = torch.randn(3, T, 4), torch.randn(3, 2, 4), torch.randn(3, 2, 6)
    for is_causal in (False, True):
        out = linear_attention(q, k, v, is_causal=is_causal, recurrent=recurrent)
        assert out.shape == (3, T, 6)
    with pytest.raises(ValueError, match="no keys"):
        linear_attention(q, k[:, :0], v[:, :0], recurrent=recurrent)
    none = torch.zeros(3, 0, 4)
    out = delta_rule(none, none, none, torch.zeros(3, 0), recurrent=recurrent)
    assert out.shape == (3, 0, 4)  # no query either: nothing looks


def test_hard_attention_takes_kept_projections_as_its_parent_does(as_a_user):
    query, keys, mask = torch.randn(2, 3, 4), torch.randn(2, 5, 6), padding_mask([5, 2])
    for attention in (AdditiveAttention(4, 6, 7), HardAttention(4, 6, 7).eval()):
        expected, _ = attention(query, keys, mask=mask)
        kept = attention.U_a(keys)
        for need_weights in (True, False):
            options = {"mask": mask, "key_proj": kept, "need_weights": need_weights}
            torch.testing.assert_close(attention(query, keys, **options)[0], expected)
        with pytest.raises(ValueError, match=r"key_proj.*\(2, 5, 7\)"):
            attention(query, keys, key_proj=kept[:, :4])


def test_tensors_without_numbers_are_not_looked_at():
    with FakeTensorMode():
        assert softmax(torch.randn(3, 4)).shape == (3, 4)
        attention, x = AdditiveAttention(64, 64, 64), torch.randn(4, 64, 64)
        assert attention(x, x, need_weights=False)[0].shape == (4, 64, 64)


def test_a_module_is_traced_by_tensors(as_a_user):
    """By `make_fx`, as `torch.export` does; `test_compile.py` asks `torch.fx.symbolic_trace`."""
    attention, x = MultiHeadAttention(8, 2).requires_grad_(False), torch.randn(2, 3, 8)
    traced = make_fx(lambda x: attention(x)[0])(x)
    torch.testing.assert_close(traced(2 * x), attention(2 * x)[0])


@pytest.mark.parametrize("need_weights", [True, False])
def test_nan_in_a_hidden_key_does_what_is_documented(need_weights):
    query = torch.randn(2, 3, 4, requires_grad=True)
    key, value = torch.randn(2, 5, 4), torch.randn(2, 5, 4)
    mask = torch.arange(5) < 4
    outputs, gradients = [], []
    for hidden in (0.0, torch.nan):
        key[:, 4] = hidden
        output, _ = scaled_dot_product_attention(query, key, value, mask, need_weights=need_weights)
        outputs.append(output)
        gradients += torch.autograd.grad(output.sum(), query)
    torch.testing.assert_close(*outputs)
    assert gradients[0].isfinite().all() and gradients[1].isnan().all()

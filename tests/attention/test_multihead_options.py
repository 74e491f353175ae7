"""Attention with a cache, of every kind; rotary positions, norms, gates, biases and memories."""

import pytest
import torch
from attention_variants import equal
from hypothesis import given
from hypothesis import strategies as st
from torch.autograd import forward_ad as fwAD

from course_lib import (
    KeyValueCache,
    LatentAttention,
    MultiHeadAttention,
    alibi_bias,
    padding_mask,
    rotary_embedding,
    window_mask,
)
from course_lib.transformer.stretched import interpolated_frequencies

E = 12
sizes = st.integers(1, 5)


def normal(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def make(num_heads=4, **settings):
    return MultiHeadAttention(E, num_heads, **settings).double()


class Absorbed(LatentAttention):
    """The other form of the same numbers."""

    def forward(self, *given, **options):
        return super().forward(*given, absorbed=True, **options)


def latent(kind, rotary_dim):
    return kind(E, 3, latent_dim=5, rotary_dim=rotary_dim).double()


KINDS = {
    "plain": lambda: make(2),
    "shared heads": lambda: make(2, num_kv_heads=1),
    "everything": lambda: make(2, num_kv_heads=1, rotary_base=100.0, qk_norm=True, gate=True),
    "latent": lambda: latent(LatentAttention, 0),
    "latent, rotary": lambda: latent(LatentAttention, 2),
    "absorbed": lambda: latent(Absorbed, 0),
    "absorbed, rotary": lambda: latent(Absorbed, 2),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
@pytest.mark.parametrize("need_weights", [True, False])
@given(steps=st.lists(sizes, min_size=1, max_size=5), window=st.integers(1, 4), sinks=sizes)
def test_a_rolling_cache_is_a_window_over_the_whole_text(kind, need_weights, steps, window, sinks):
    """However the text is cut: what is forgotten does not depend on how much came at once."""
    attention, x = KINDS[kind](), normal(2, sum(steps), E)
    cache, done = KeyValueCache(window, sinks), 0
    seen = window_mask(sum(steps), None, window, is_causal=True, sinks=sinks)
    full, _ = attention(x, mask=seen)
    for n in steps:
        output, _ = attention(
            x[:, done : done + n], is_causal=True, cache=cache, need_weights=need_weights
        )
        equal(output, full[:, done : done + n])
        done += n


@pytest.mark.parametrize("need_weights", [False, True])
@given(H=sizes, d=sizes, share=st.integers(1, 2), T=sizes)
def test_heads_of_another_size_are_attended_in_apart(need_weights, H, d, share, T):
    """Each head by hand, of d features, whatever embed_dim is; as a view of the joined matrices."""
    attention = make(H * share, head_dim=2 * d, num_kv_heads=H, gate=True, rotary_base=100.0)
    x = normal(2, T, E)
    q, k, v = (
        W(x).unflatten(2, (-1, 2 * d)).transpose(1, 2)
        for W in (attention.W_q, attention.W_k, attention.W_v)
    )
    k, v = (y.repeat_interleave(share, 1) for y in (k, v))
    scores = rotary_embedding(q, base=100.0) @ rotary_embedding(k, base=100.0).mT / (2 * d) ** 0.5
    weights = scores.softmax(-1)
    joined = (weights @ v).transpose(1, 2).flatten(2) * attention.W_g(x).sigmoid()
    output, found = attention(x, need_weights=need_weights)
    equal(output, attention.W_o(joined))
    assert (found is not None) == need_weights
    if need_weights:
        equal(found, weights)


def test_a_mask_is_joined_with_the_window():
    attention, x, mask = make(), normal(2, 5, E), torch.rand(2, 5, 5) > 0.3
    found, _ = attention(x, mask=mask, is_causal=True, cache=KeyValueCache(window=1))
    equal(found, attention(x, mask=mask & window_mask(5, None, 1, is_causal=True))[0])


@each_kind
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("grad", [True, False])
@given(steps=st.lists(sizes, min_size=1, max_size=5))
def test_cached_equals_full(kind, need_weights, grad, steps):
    attention, x, cache = KINDS[kind](), normal(2, sum(steps), E), KeyValueCache()
    with torch.set_grad_enabled(grad):
        full, weights = attention(x, is_causal=True, need_weights=True)
        done, total = 0, 0.0
        for n in steps:
            output, row = attention(
                x[:, done : done + n], is_causal=True, cache=cache, need_weights=need_weights
            )
            equal(output, full[:, done : done + n])
            if need_weights:
                equal(row, weights[:, :, done : done + n, : done + n])
            total = total + output.sum()
            done += n
            assert len(cache) == done
        if grad:
            W_k = attention.W_k.weight  # earlier steps' keys are still what they were
            equal(*(torch.autograd.grad(y, W_k)[0] for y in (total, full.sum())))


@each_kind
@pytest.mark.parametrize("need_weights", [True, False])
@given(S=sizes, T=sizes, past=st.integers(0, 4))
def test_the_last_queries_are_the_last_rows(kind, need_weights, S, T, past):
    """Positions are aligned as the mask is: the last query is at the last key."""
    attention, x, T = KINDS[kind](), normal(2, past + S, E), min(S, T)
    full, _ = attention(x, is_causal=True)
    cache = KeyValueCache()
    if past:
        attention(x[:, :past], is_causal=True, cache=cache)
    new = x[:, past:]
    last, _ = attention(
        new[:, S - T :], new, is_causal=True, cache=cache, need_weights=need_weights
    )
    equal(last, full[:, past + S - T :])


def test_options_follow_their_formulas():
    x = normal(2, 3, E)
    attention = make(2, num_kv_heads=1, rotary_base=50.0, qk_norm=True, gate=True)
    for norm in (attention.q_norm, attention.k_norm):
        torch.nn.init.normal_(norm.weight)
    split = [linear(x).unflatten(2, (-1, 6)) for linear in (attention.W_q, attention.W_k)]
    eps = torch.finfo(torch.float64).eps
    q, k = (
        y / (y.square().mean(-1, keepdim=True) + eps).sqrt() * norm.weight
        for y, norm in zip(split, (attention.q_norm, attention.k_norm), strict=True)
    )
    q, k = (rotary_embedding(y.transpose(1, 2), base=50.0) for y in (q, k))
    v = attention.W_v(x)
    scores = torch.stack([q[:, h] @ k[:, 0].mT / 6**0.5 for h in range(2)], 1)
    heads = torch.cat([scores[:, h].softmax(-1) @ v for h in range(2)], -1)
    output, weights = attention(x, need_weights=True)
    equal(weights, scores.softmax(-1))
    equal(output, attention.W_o(heads * torch.sigmoid(attention.W_g(x))))
    straight = rotary_embedding(k, -torch.arange(3), base=50.0)
    attention.rotary_frequencies = interpolated_frequencies(6, 2.0, base=50.0)
    attention(x, cache=(cache := KeyValueCache()))
    equal(cache.keys, rotary_embedding(straight, base=50.0, factor=2.0))


def test_stretched_angles_are_saved_and_loaded():
    trained, x = make(2, rotary_base=50.0), normal(2, 5, E)
    trained.rotary_frequencies = interpolated_frequencies(6, 2.0, base=50.0)
    fresh = make(2, rotary_base=50.0)
    assert not torch.equal(fresh(x)[0], trained(x)[0])
    fresh.load_state_dict(trained.state_dict())
    equal(fresh(x)[0], trained(x)[0])
    assert "rotary_frequencies" not in make(2).state_dict()


@pytest.mark.parametrize("change", ["half", "bfloat16", "double", "float"])
def test_another_dtype_leaves_the_angles_exact(change):
    model = torch.nn.Sequential(make(2, rotary_base=50.0))
    exact = model[0].rotary_frequencies.clone()
    getattr(model, change)()
    assert model[0].rotary_frequencies.dtype == torch.float64
    assert torch.equal(model[0].rotary_frequencies, exact)
    assert torch.equal(model.to("meta").to_empty(device="cpu")[0].rotary_frequencies, exact)


@pytest.mark.parametrize("need_weights", [True, False])
def test_a_bias_on_the_scores(need_weights):
    attention, x = make(), normal(2, 5, E)
    bias = alibi_bias(4, 5).double()
    expected = attention(x, score_bias=bias.expand(2, 4, 5, 5), is_causal=True)[0]
    equal(attention(x, score_bias=bias, is_causal=True, need_weights=need_weights)[0], expected)
    cache = KeyValueCache()
    attention(x[:, :3], is_causal=True, cache=cache, score_bias=alibi_bias(4, 3).double())
    rest, _ = attention(
        x[:, 3:],
        is_causal=True,
        cache=cache,
        score_bias=alibi_bias(4, 2, 5).double(),
        need_weights=need_weights,
    )
    equal(rest, expected[:, 3:])
    assert not torch.allclose(expected, attention(x, is_causal=True)[0])


@pytest.mark.parametrize("need_weights", [True, False])
def test_a_memory_is_projected_once(need_weights):
    attention, x, y = make(kdim=5, vdim=7, num_kv_heads=2, qk_norm=True), normal(2, 3, E), None
    y, z, mask = normal(2, 6, 5), normal(2, 6, 7), padding_mask([6, 4])
    memory = attention.project_memory(y, z)
    assert len(memory) == 6
    for step in (slice(0, 1), slice(1, 3)):
        output, _ = attention(x[:, step], mask=mask, cache=memory, need_weights=need_weights)
        equal(output, attention(x[:, step], y, z, mask=mask)[0])
    assert len(memory) == 6
    memory.reorder(torch.tensor([1, 1]))
    output, _ = attention(x, cache=memory, mask=padding_mask([4, 4], 6))
    equal(output[1], attention(x, y, z, mask=mask)[0][1])


def test_frozen_keys_and_trained_queries_through_a_cache():
    """What an adapter on W_q trains: the keys carry no gradient, but the queries do."""
    attention, x, cache = make(), normal(2, 6, E), KeyValueCache()
    for linear in (attention.W_k, attention.W_v):
        linear.requires_grad_(False)
    total = sum(attention(x[:, t : t + 1], cache=cache)[0].sum() for t in range(6))
    total.backward()
    expected = torch.autograd.grad(attention(x, is_causal=True)[0].sum(), attention.W_q.weight)
    equal(attention.W_q.weight.grad, expected[0])


@each_kind
@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")  # torch's own
@pytest.mark.parametrize("grad", [True, False])
def test_forward_mode_derivatives_through_a_cache(kind, grad):
    """Without one test_transforms.py asks, on both paths."""
    attention, x, direction = KINDS[kind](), normal(2, 70, E), normal(2, 70, E)

    def f(x):
        return attention(x, is_causal=True, need_weights=True, cache=KeyValueCache())[0]

    with torch.set_grad_enabled(grad), fwAD.dual_level():
        tangent = fwAD.unpack_dual(f(fwAD.make_dual(x, direction))).tangent
    step = 1e-6
    with torch.no_grad():
        expected = (f(x + step * direction) - f(x - step * direction)) / (2 * step)
    torch.testing.assert_close(tangent, expected, rtol=1e-6, atol=1e-7)

"""LatentAttention: its two forms are one, and its cache holds latents."""

import pytest
import torch
from attention_variants import equal
from hypothesis import given
from hypothesis import strategies as st

from course_lib import (
    KeyValueCache,
    LatentAttention,
    alibi_bias,
    rotary_embedding,
    window_mask,
)

E, H, LATENT = 12, 3, 5
rotary = pytest.mark.parametrize("rotary_dim", [0, 2])
sizes = st.integers(1, 5)


def make(rotary_dim=0):
    return LatentAttention(E, H, latent_dim=LATENT, rotary_dim=rotary_dim).double()


def normal(*shape):
    return torch.randn(*shape, dtype=torch.float64)


@rotary
@pytest.mark.parametrize("absorbed", [True, False])
def test_the_formula(rotary_dim, absorbed):
    attention, x, y = make(rotary_dim), normal(2, 3, E), normal(2, 6, E)
    c, heads, all_weights = attention.W_c(y), [], []
    for h in range(H):
        rows = slice(4 * h, 4 * (h + 1))
        q, k, v = x @ attention.W_q.weight[rows].T, c @ attention.W_k.weight[rows].T, None
        v = c @ attention.W_v.weight[rows].T
        scores = q @ k.mT
        if rotary_dim:
            W_qr, last = attention.W_qr.weight[2 * h : 2 * (h + 1)], torch.arange(3, 6)
            q_r, k_r = rotary_embedding(x @ W_qr.T, last), rotary_embedding(attention.W_kr(y))
            scores = scores + q_r @ k_r.mT
        weights = (scores / (4 + rotary_dim) ** 0.5).softmax(-1)
        heads.append(weights @ v)
        all_weights.append(weights)
    output, weights = attention(x, y, need_weights=True, absorbed=absorbed)
    equal(weights, torch.stack(all_weights, 1))
    equal(output, attention.W_o(torch.cat(heads, -1)))


@rotary
@pytest.mark.parametrize("need_weights", [True, False])
@given(T=sizes, S=sizes, is_causal=st.booleans())
def test_both_forms_are_equal(rotary_dim, need_weights, T, S, is_causal):
    attention, x, y = make(rotary_dim), normal(2, T, E), normal(2, S, E)
    options = {"mask": torch.rand(2, T, S) > 0.3, "score_bias": alibi_bias(H, T, S).double()}
    options |= {"is_causal": is_causal, "need_weights": need_weights}
    for plain, absorbed in zip(
        attention(x, y, **options), attention(x, y, absorbed=True, **options), strict=True
    ):
        if plain is not None:
            equal(absorbed, plain)


@rotary
@pytest.mark.parametrize("absorbed", [True, False])
@given(steps=st.lists(sizes, min_size=1, max_size=4))
def test_the_cache_holds_the_latents(rotary_dim, absorbed, steps):
    attention, x, cache = make(rotary_dim), normal(2, sum(steps), E), KeyValueCache()
    parts = [
        attention(part, is_causal=True, cache=cache, absorbed=absorbed)[0]
        for part in x.split(steps, 1)
    ]
    equal(torch.cat(parts, 1), attention(x, is_causal=True)[0])
    assert cache.nbytes == 2 * sum(steps) * (LATENT + rotary_dim) * 8
    equal(cache.keys, attention.W_c(x))


@rotary
@pytest.mark.parametrize("absorbed", [True, False])
def test_a_rolling_cache_is_a_window_over_the_whole_text(rotary_dim, absorbed):
    attention, x, cache = make(rotary_dim), normal(2, 7, E), KeyValueCache(window=2, sinks=1)
    parts = [
        attention(part, is_causal=True, cache=cache, absorbed=absorbed)[0]
        for part in x.split([4, 1, 2], 1)
    ]
    near = window_mask(7, None, 2, is_causal=True, sinks=1)
    equal(torch.cat(parts, 1), attention(x, mask=near)[0])


@rotary
@pytest.mark.parametrize("absorbed", [True, False])
@given(S=sizes, T=sizes, past=st.integers(0, 4))
def test_the_last_queries_are_the_last_rows(rotary_dim, absorbed, S, T, past):
    """Positions are aligned as the mask is: the last query is at the last key."""
    attention, x, T = make(rotary_dim), normal(2, past + S, E), min(S, T)
    full, _ = attention(x, is_causal=True)
    cache = KeyValueCache()
    if past:
        attention(x[:, :past], is_causal=True, cache=cache)
    new = x[:, past:]
    last, _ = attention(new[:, S - T :], new, is_causal=True, cache=cache, absorbed=absorbed)
    equal(last, full[:, past + S - T :])


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (lambda: LatentAttention(E, 5, latent_dim=4), "5 must divide"),
        (lambda: LatentAttention(E, H, latent_dim=0), "at least 1.*got 0"),
        (lambda: LatentAttention(E, H, latent_dim=4, rotary_dim=3), "even.*3"),
        (lambda: make()(normal(2, 3, E), None, normal(2, 3, E)), "leave value out"),
        (lambda: make()(normal(2, 3, 7)), r"\(2, 3, 7\).*12"),
        (lambda: make()(normal(3, E)), r"\(B, length, d\)"),
        (lambda: make()(normal(2, 3, E), mask=torch.ones(3, 4).bool()), r"\(3, 4\)"),
    ],
)
def test_bad_input(do, words, as_a_user):
    with pytest.raises(ValueError, match=words):
        do()

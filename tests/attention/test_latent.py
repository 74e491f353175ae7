"""LatentAttention: its two forms are one, and its cache holds latents."""

import pytest
import torch
from attention_variants import equal
from hypothesis import given
from hypothesis import strategies as st

from course_lib import KeyValueCache, LatentAttention, alibi_bias, rotary_embedding

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
def test_the_cache_holds_the_latents(rotary_dim):
    """That it changes no number, test_multihead_options.py asks."""
    attention, x, cache = make(rotary_dim), normal(2, 7, E), KeyValueCache()
    attention(x, is_causal=True, cache=cache)
    assert cache.nbytes == 2 * 7 * (LATENT + rotary_dim) * 8
    equal(cache.keys, attention.W_c(x))


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

"""LuongAttention: three scores times three scopes, against the paper's formulas in loops."""

import math

import pytest
import torch
from attention_variants import equal, variants
from hypothesis import given
from hypothesis import strategies as st

from course_lib import LuongAttention, padding_mask

SCORES = ["dot", "general", "concat"]
SCOPES = ["global", "local-m", "local-p"]


def make(score="dot", scope="global", window=2, query_dim=4, key_dim=4):
    return LuongAttention(query_dim, key_dim, score=score, scope=scope, window=window).double()


def draw(T=3, S=7, query_dim=4, key_dim=4):
    return torch.randn(2, T, query_dim).double(), torch.randn(2, S, key_dim).double()


def one_row(attention, h_t, keys, t, window):
    """One query's weights, from the equations of sections 3.1 and 3.2."""
    if attention.score == "dot":
        scores = [h_t @ h_s for h_s in keys]
    elif attention.score == "general":
        scores = [h_t @ attention.W_a.weight @ h_s for h_s in keys]
    else:
        v_a = attention.v_a.weight[0]
        scores = [v_a @ torch.tanh(attention.W_a.weight @ torch.cat([h_t, h_s])) for h_s in keys]
    S, p = len(keys), None
    if attention.scope == "local-m":
        p = t
    if attention.scope == "local-p":
        inner = attention.v_p.weight[0] @ torch.tanh(attention.W_p.weight @ h_t)
        p = S * torch.sigmoid(inner).item()
    seen = [s for s in range(S) if p is None or p - window <= s <= p + window]
    weights = torch.zeros(S, dtype=torch.float64)
    if seen:
        weights[seen] = torch.softmax(torch.stack([scores[s] for s in seen]), 0)
    if attention.scope == "local-p":
        sigma = window / 2
        gaussian = [math.exp(-((s - p) ** 2) / (2 * sigma**2)) for s in range(S)]
        weights *= torch.tensor(gaussian, dtype=torch.float64)
    return weights


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("scope", SCOPES)
@given(T=st.integers(1, 6), S=st.integers(1, 9), window=st.integers(1, 4), data=st.data())
def test_every_weight_follows_the_paper(score, scope, T, S, window, data):
    attention, (query, keys) = make(score, scope, window), draw(T, S)
    lengths = data.draw(st.lists(st.integers(1, S), min_size=2, max_size=2))
    context, weights = attention(query, keys, mask=padding_mask(lengths, S))
    for b, length in enumerate(lengths):
        for t in range(T):
            row = one_row(attention, query[b, t], keys[b, :length], t, window)
            equal(weights[b, t, :length], row.detach())
            equal(context[b, t], row.detach() @ keys[b, :length])


def test_the_predicted_position_is_learned_and_stays_inside_the_sentence():
    attention, (query, keys) = make(scope="local-p"), draw()
    mask = padding_mask([7, 3])
    positions = attention.window_centers(query, 7, mask)
    assert (positions > 0).all() and (positions < torch.tensor([[7], [3]])).all()
    attention(query, keys, mask=mask)[0].sum().backward()
    assert attention.W_p.weight.grad.abs().sum() > 0 and attention.v_p.weight.grad.abs().sum() > 0


def test_padding_on_the_left_moves_the_predicted_position_along():
    attention, (query, keys) = make(scope="local-p"), draw()
    left = torch.tensor([[[False] * 4 + [True] * 3], [[False] * 7]])
    alone = attention.window_centers(query, 3)
    centers = attention.window_centers(query, 7, left)
    equal(centers[0], 4 + alone[0])
    context, weights = attention(query, keys, mask=left)
    equal(context[0], attention(query[:1], keys[:1, 4:])[0][0])
    assert (weights[0, :, :4] == 0).all() and (context[1] == 0).all()


def test_local_m_goes_on_where_the_last_step_was():
    attention, (query, keys) = make(scope="local-m", window=1), draw(T=5)
    _, weights = attention(query, keys)
    _, later = attention(query[:, 3:], keys, first_position=3)
    equal(later, weights[:, 3:])


def test_parameters_are_those_of_the_formulas():
    sizes = {"query_dim": 4, "key_dim": 6}
    assert set(make("general", "global", **sizes).state_dict()) == {"W_a.weight"}
    assert make("general", **sizes).W_a.weight.shape == (4, 6)
    assert make("concat", **sizes).W_a.weight.shape == (4, 10)
    assert set(make("concat", "local-p").state_dict()) == {
        f"{name}.weight" for name in ("W_a", "v_a", "W_p", "v_p")
    }
    assert not make("dot").state_dict()


@variants({"general", "concat"})
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("need_weights", [True, False])
def test_query_and_keys_may_differ_in_size(name, scope, need_weights):
    attention = make(name, scope, query_dim=4, key_dim=6)
    query, keys = draw(query_dim=4, key_dim=6)
    assert attention(query, keys, need_weights=need_weights)[0].shape == (2, 3, 6)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"score": "cosine"}, "dot, general, concat.*'cosine'"),
        ({"scope": "local"}, "global, local-m, local-p.*'local'"),
        ({"window": 0}, "window.*0"),
        ({"key_dim": 5}, "4 and 5.*general"),
    ],
)
def test_bad_settings(settings, words):
    with pytest.raises(ValueError, match=words):
        make(**settings)

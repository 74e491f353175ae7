"""The score functions against their formulas, one pair at a time."""

import pytest
import torch
from attention_variants import equal
from hypothesis import given
from hypothesis import strategies as st

from course_lib import (
    additive_scores,
    concat_scores,
    dot_scores,
    general_scores,
    scaled_dot_scores,
)

sizes = st.integers(1, 5)


def pairwise(score, query, keys):
    """score(q, k) for each pair, as the papers write it."""
    rows = [[score(q, k) for k in keys] for q in query]
    return torch.stack([torch.stack(row) for row in rows])


@given(T=sizes, S=sizes, d_q=sizes, d_k=sizes, a=sizes)
def test_each_score_follows_its_formula(T, S, d_q, d_k, a):
    def normal(*shape):
        return torch.randn(*shape, dtype=torch.float64)

    query, keys, same = normal(T, d_q), normal(S, d_k), normal(S, d_q)
    W, W_a, U_a, v_a = normal(d_q, d_k), normal(a, d_q), normal(a, d_k), normal(a)
    joint = torch.cat([W_a, U_a], dim=1)
    additive = additive_scores(query @ W_a.T, keys @ U_a.T, v_a)

    equal(dot_scores(query, same), pairwise(torch.dot, query, same))
    equal(scaled_dot_scores(query, same), dot_scores(query, same) / d_q**0.5)
    equal(scaled_dot_scores(query, same, 0.3), dot_scores(query, same) * 0.3)
    equal(general_scores(query, keys, W), pairwise(lambda q, k: q @ W @ k, query, keys))
    equal(additive, pairwise(lambda s, h: v_a @ torch.tanh(W_a @ s + U_a @ h), query, keys))
    equal(
        concat_scores(query, keys, joint, v_a),
        pairwise(lambda q, k: v_a @ torch.tanh(joint @ torch.cat([q, k])), query, keys),
    )
    # The joined matrix is the two matrices side by side: Bahdanau's form and Luong's are one.
    equal(concat_scores(query, keys, joint, v_a), additive)


SCORES = (  # of 5 features
    dot_scores,
    scaled_dot_scores,
    lambda q, k: general_scores(q, k, torch.linspace(-1, 1, 25).view(5, 5)),
    lambda q, k: additive_scores(q, k, torch.linspace(-1, 1, 5)),
    lambda q, k: concat_scores(q, k, torch.linspace(-1, 1, 50).view(5, 10), torch.ones(5)),
)


def test_leading_dimensions_are_a_batch():
    query, keys = torch.randn(2, 3, 4, 5), torch.randn(2, 3, 6, 5)
    for score in SCORES:
        together = score(query, keys)
        assert together.shape == (2, 3, 4, 6)
        equal(together[1, 2], score(query[1, 2], keys[1, 2]))
        equal(score(query, keys[:1, :1])[1, 2], score(query[1, 2], keys[0, 0]))  # keys broadcast


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (lambda q, k: dot_scores(q, k), r"\(5, 4\).*\(2, 3\)"),
        (lambda q, k: scaled_dot_scores(q, k), r"\(5, 4\).*\(2, 3\)"),
        (lambda q, k: general_scores(q, k, torch.ones(3, 3)), r"\(5, 4\).*\(3, 3\)"),
        (lambda q, k: general_scores(q, k, torch.ones(4, 4)), r"\(2, 3\).*\(4, 4\)"),
        (lambda q, k: additive_scores(q, k, torch.ones(3)), r"\(5, 4\).*\(3,\)"),
        (lambda q, k: concat_scores(q, k, torch.ones(2, 6), torch.ones(2)), r"\(2, 6\).*3 \+ 4"),
    ],
)
def test_bad_shapes(score, words, as_a_user):
    with pytest.raises(ValueError, match=words):
        score(torch.ones(2, 3), torch.ones(5, 4))


@pytest.mark.parametrize("score", SCORES)
def test_integers_are_refused(score, as_a_user):
    query, keys = torch.ones(2, 5).long(), torch.ones(4, 5).long()
    with pytest.raises(TypeError, match=r"floating-point numbers, got torch.int64.*\.float\(\)"):
        score(query, keys)


def test_no_features_are_refused(as_a_user):
    for score in (dot_scores, scaled_dot_scores):
        with pytest.raises(ValueError, match="no features"):
            score(torch.ones(2, 0), torch.ones(5, 0))

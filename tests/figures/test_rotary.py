"""Turning pairs: the figure's score is the library's, and only the difference counts."""

import pytest
import torch

from course_lib.attention.positions import rotary_embedding, rotary_frequencies
from course_lib.figures.moving import rotary_figure
from course_lib.figures.moving.rotary import scores

Q, K = [[1.0, 0.5], [0.5, -1.0]], [[1.0, 0.0], [1.0, 1.0]]


@pytest.mark.parametrize(("m", "n"), [(5, 2), (9, 6), (3, 31)])
def test_the_score_is_that_of_the_library(m, n):
    theta = rotary_frequencies(4, 100.0)
    q, k = torch.tensor(Q).reshape(1, -1), torch.tensor(K).reshape(1, -1)
    turned_q = rotary_embedding(q, torch.tensor([m]), base=100.0)
    turned_k = rotary_embedding(k, torch.tensor([n]), base=100.0)
    parts = scores(Q, K, theta.tolist(), m, n)
    assert sum(parts) == pytest.approx((turned_q * turned_k).sum().item(), abs=1e-5)
    text = repr(rotary_figure(Q, K, theta, positions=(m, n)))
    assert f"difference {m - n}" in text and f"score {sum(parts):.2f}" in text


def test_moving_both_by_the_same_distance_changes_no_score():
    theta = rotary_frequencies(4, 100.0).tolist()
    assert scores(Q, K, theta, 5, 2) == pytest.approx(scores(Q, K, theta, 25, 22))

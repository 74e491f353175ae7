"""AdditiveAttention: what test_variants.py does not say of every attention."""

import pytest
import torch
from attention_variants import equal

from course_lib import AdditiveAttention, concat_scores, softmax


def make(query_dim=3, key_dim=5, attention_dim=4):
    return AdditiveAttention(query_dim, key_dim, attention_dim).double()


def test_the_joint_form_gives_the_same():
    attention = make()
    state = torch.randn(2, 3, 3, dtype=torch.float64)
    annotations = torch.randn(2, 6, 5, dtype=torch.float64)
    joint = torch.cat([attention.W_a.weight, attention.U_a.weight], dim=1)  # W_a [s; h]
    weights = softmax(concat_scores(state, annotations, joint, attention.v_a.weight[0]))
    context, got = attention(state, annotations)
    equal(got, weights)
    equal(context, weights @ annotations)


def test_the_layers_have_no_bias_and_the_paper_s_sizes():
    n = 7  # n' = n and a bidirectional encoder: 3n² + n parameters
    attention = AdditiveAttention(n, 2 * n, n)
    assert sum(p.numel() for p in attention.parameters()) == 3 * n**2 + n
    assert set(attention.state_dict()) == {"W_a.weight", "U_a.weight", "v_a.weight"}


@pytest.mark.parametrize("need_weights", [True, False])
def test_values_may_have_their_own_size(need_weights):
    query, keys = torch.randn(2, 3).double(), torch.randn(2, 6, 5).double()
    values = torch.randn(2, 6, 9).double()
    context, _ = make()(query, keys, values, need_weights=need_weights)
    assert context.shape == (2, 9)

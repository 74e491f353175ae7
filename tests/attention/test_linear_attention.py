"""linear_attention and delta_rule: their two forms, their formulas, what they remember."""

import pytest
import torch
import torch.nn.functional as F
from attention_variants import equal
from hypothesis import given
from hypothesis import strategies as st

from course_lib import causal_mask, delta_rule, linear_attention

sizes = st.integers(1, 9)


def draw(*lead, T=4, S=4, d=3, d_v=5, dtype=torch.float64):
    return [torch.randn(*lead, *shape, dtype=dtype) for shape in ((T, d), (S, d), (S, d_v))]


@given(T=sizes, S=sizes, is_causal=st.booleans())
def test_linear_attention_is_its_formula_in_both_forms(T, S, is_causal):
    q, k, v = draw(2, T=T, S=S)
    for b in range(2):
        for t in range(T):
            keys = range(S) if not is_causal else range(max(0, t + S - T + 1))
            w = [(F.elu(q[b, t]) + 1) @ (F.elu(k[b, s]) + 1) for s in keys]
            expected = sum((x * v[b, s] for x, s in zip(w, keys, strict=True)), torch.zeros(5))
            expected = (expected / sum(w) if w else expected).double()
            for recurrent in (False, True):
                output = linear_attention(q, k, v, is_causal=is_causal, recurrent=recurrent)
                equal(output[b, t], expected)


@pytest.mark.parametrize("recurrent", [True, False])
@pytest.mark.parametrize("is_causal", [True, False])
@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e4, 1e19, 1e30, 1e38])
def test_features_of_every_magnitude(scale, is_causal, recurrent):
    """A common factor cancels in the quotient, so what is large must not overflow before it."""
    for sign in (1, -1, 0):
        q, k, v = draw(2, T=5, S=5, dtype=torch.float32)
        q, k = (x.clamp(-3, 3) if sign == 0 else x.abs().clamp(1, 3) * sign for x in (q, k))
        q, k = q * scale, k * scale
        exact = linear_attention(*(x.double() for x in (q, k, v)), is_causal=is_causal)
        found = linear_attention(q, k, v, is_causal=is_causal, recurrent=recurrent)
        seen = exact.isfinite() & (found != 0 if sign < 0 else True)  # below −87 keys are not seen
        torch.testing.assert_close(found[seen], exact.float()[seen], rtol=1e-4, atol=1e-5)
        assert found.isfinite().all()


@given(T=sizes, d=sizes)
def test_the_delta_rules_forms_are_equal(T, d):
    q, k, v = draw(2, 3, T=T, S=T, d=d)
    beta, k = torch.rand(2, 3, T, dtype=torch.float64), F.normalize(k, dim=-1)
    equal(delta_rule(q, k, v, beta), delta_rule(q, k, v, beta, recurrent=True))


@pytest.mark.parametrize("recurrent", [True, False])
def test_a_key_recalls_the_value_written_last(recurrent):
    k = torch.eye(4, dtype=torch.float64)[[0, 1, 2, 1]]  # the second is written twice
    v = torch.randn(4, 5, dtype=torch.float64)
    recalled = delta_rule(k, k, v, torch.ones(4, dtype=torch.float64), recurrent=recurrent)
    equal(recalled, v)
    half = delta_rule(k, k, v, torch.full((4,), 0.5, dtype=torch.float64), recurrent=recurrent)
    equal(half[3], (v[1] * 0.5 + v[3]) / 2)
    assert delta_rule(k, k, v, torch.zeros(4, dtype=torch.float64), recurrent=recurrent).eq(0).all()


@pytest.mark.parametrize("recurrent", [True, False])
def test_gradients(recurrent):
    q, k, v = (x.requires_grad_() for x in draw(T=3, S=3))
    beta = torch.rand(3, dtype=torch.float64, requires_grad=True)

    def both(q, k, v, beta):
        linear = linear_attention(q, k, v, is_causal=True, recurrent=recurrent)
        return linear + delta_rule(q, k, v, beta, recurrent=recurrent)

    assert torch.autograd.gradcheck(both, (q, k, v, beta))


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (lambda: linear_attention(*draw()[:2], draw(S=5)[2]), "lengths differ"),
        (lambda: linear_attention(draw(d=2)[0], *draw()[1:]), r"\(4, 3\).*2"),
        (lambda: delta_rule(*draw(T=3), torch.ones(4).double()), r"\(3, 3\).*\(4, 3\)"),
        (lambda: delta_rule(*draw(), torch.ones(3).double()), r"beta \(3,\)"),
    ],
)
def test_bad_shapes(do, words, as_a_user):
    with pytest.raises(ValueError, match=words):
        do()


def exactly(q, k, v, is_causal):
    """By logarithms in float64: nothing is lost, however small φ is."""

    def log_phi(x):
        x = x.double()
        return torch.where(x > 0, x.clamp(min=0).log1p(), x)

    pairs = log_phi(q)[..., :, None, :] + log_phi(k)[..., None, :, :]  # (..., T, S, d)
    scores = pairs.logsumexp(-1)
    if is_causal:
        T, S = scores.shape[-2:]
        scores = scores.masked_fill(~causal_mask(T, S), -torch.inf)
    return scores.softmax(-1) @ v.double()


@pytest.mark.parametrize("shift", [0, -8, -14, -17, -20, -40, -90, -200, 30])
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("recurrent", [False, True])
@pytest.mark.parametrize("which", ["queries", "keys", "both"])
def test_features_of_shifted_inputs_are_exact(shift, is_causal, recurrent, which):
    q, k, v = torch.randn(2, 3, 6, 4), torch.randn(2, 3, 6, 4), torch.randn(2, 3, 6, 5)
    q = q + (shift if which != "keys" else 0)
    k = k + (shift if which != "queries" else 0)
    out = linear_attention(q, k, v, is_causal=is_causal, recurrent=recurrent)
    torch.testing.assert_close(out.double(), exactly(q, k, v, is_causal), atol=2e-5, rtol=1e-4)
    leaves = [x.requires_grad_() for x in (q, k)]
    linear_attention(*leaves, v, is_causal=is_causal, recurrent=recurrent).sum().backward()
    assert all(x.grad.isfinite().all() for x in leaves)


@pytest.mark.parametrize("recurrent", [False, True])
def test_no_positions_at_all(recurrent):
    x, beta = torch.randn(2, 0, 4), torch.rand(2, 0)
    assert delta_rule(x, x, x, beta, recurrent=recurrent).shape == (2, 0, 4)
    assert linear_attention(x, torch.randn(2, 3, 4), torch.randn(2, 3, 4)).shape == (2, 0, 4)

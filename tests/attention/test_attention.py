"""scaled_dot_product_attention, against torch and against loops."""

import pytest
import torch
import torch.nn.functional as F
from attention_variants import equal

from course_lib import causal_mask, scaled_dot_product_attention


def draw(*lead, T=3, S=5, d=4, d_v=6, device="cpu"):
    shapes = (T, d), (S, d), (S, d_v)
    return [
        torch.randn(*lead, *shape, dtype=torch.float64, device=device).requires_grad_()
        for shape in shapes
    ]


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("shape", [(), (5,), (3, 5), (1, 3, 5), (2, 3, 1)])
@pytest.mark.parametrize("is_causal", [True, False])
def test_a_bias_is_added_to_the_scores(need_weights, shape, is_causal, device):
    query, key, value = draw(2, device=device)
    bias = torch.randn(shape, dtype=torch.float64, device=device).requires_grad_()
    mask = torch.rand(2, 3, 5, device=device) > 0.3
    mask[0, 1] = False
    output, _ = scaled_dot_product_attention(
        query, key, value, mask, score_bias=bias, is_causal=is_causal, need_weights=need_weights
    )
    seen = mask & causal_mask(3, 5, device=device) if is_causal else mask
    scores = query @ key.mT / 2 + bias
    weights = scores.exp() * seen
    expected = weights / weights.sum(-1, keepdim=True).clamp_min(1e-300) @ value
    equal(output, expected)
    grad = torch.randn_like(output)
    tensors = query, key, value, bias
    for ours, theirs in zip(
        torch.autograd.grad(output, tensors, grad),
        torch.autograd.grad(expected, tensors, grad),
        strict=True,
    ):
        equal(ours, theirs)


@pytest.mark.parametrize(
    ("bias", "error", "words"),
    [
        (torch.zeros(3, 6), ValueError, r"score_bias of shape \(3, 6\).*\(2, 3, 5\)"),
        (torch.zeros(3, 5, dtype=torch.bool), TypeError, "score_bias.*bool"),
        (torch.zeros(3, 5, device="meta"), ValueError, "score_bias on meta"),
    ],
)
def test_a_bias_that_does_not_fit(bias, error, words, as_a_user):
    with pytest.raises(error, match=words):
        scaled_dot_product_attention(*draw(2), score_bias=bias)


@pytest.mark.parametrize("lead", [(), (2,), (2, 3), (2, 1, 3)])
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("kind", ["none", "causal", "mask", "causal and mask", "scale"])
def test_torch_gives_the_same_values_and_gradients(lead, need_weights, kind, device):
    inputs = draw(*lead, device=device)
    mask = torch.rand(*lead, 3, 5, device=device) > 0.3
    mask[..., 0] = True  # torch's answer for a row without keys is another matter
    ours = {"is_causal": "causal" in kind, "mask": mask if "mask" in kind else None}
    ours["scale"] = 0.3 if kind == "scale" else None
    output, weights = scaled_dot_product_attention(*inputs, need_weights=need_weights, **ours)
    allowed = None
    if kind not in ("none", "scale"):
        allowed = mask if "mask" in kind else torch.ones_like(mask)
        allowed = allowed & causal_mask(3, 5, device=device) if "causal" in kind else allowed
    expected = F.scaled_dot_product_attention(*inputs, attn_mask=allowed, scale=ours["scale"])
    equal(output, expected)
    assert (weights is None) == (not need_weights)
    grad = torch.randn_like(output)
    ours, torchs = (torch.autograd.grad(x, inputs, grad) for x in (output, expected))
    for a, b in zip(ours, torchs, strict=True):
        equal(a, b)


def test_dropout_leaves_out_weights():
    query, key, value = (torch.randn(200, 8) for _ in range(3))
    _, weights = scaled_dot_product_attention(query, key, value, dropout_p=0.5)
    dropped = (weights == 0).float().mean()
    assert 0.45 < dropped < 0.55
    assert abs(weights.sum(-1).mean() - 1) < 0.02  # what is left is scaled up by 1 / (1 − p)
    outputs = [
        scaled_dot_product_attention(query, key, value, dropout_p=0.5, need_weights=False)[0]
        for _ in range(2)
    ]
    assert not torch.equal(*outputs)


@pytest.mark.parametrize("need_weights", [True, False])
def test_the_scale_may_be_learned(need_weights):
    query, key, value = (x.detach() for x in draw(2))
    scale = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    output, _ = scaled_dot_product_attention(
        query, key, value, scale=scale, need_weights=need_weights
    )
    equal(output.detach(), scaled_dot_product_attention(query, key, value, scale=0.3)[0])
    assert torch.autograd.gradcheck(
        lambda s: scaled_dot_product_attention(
            query, key, value, scale=s, need_weights=need_weights
        )[0],
        scale,
    )


def test_a_bias_keeps_its_precision_beside_half():
    """A penalty of 1000 in bfloat16 would be rounded to a multiple of 4."""
    query, key, value = torch.zeros(3, 2, 4, 8).bfloat16()
    value = torch.randn(2, 4, 8).bfloat16()
    bias = 1000 + torch.arange(4.0)
    expected = torch.softmax(bias, -1)
    output, weights = scaled_dot_product_attention(query, key, value, score_bias=bias)
    torch.testing.assert_close(weights[0, 0].float(), expected, rtol=1e-2, atol=1e-3)
    fused, _ = scaled_dot_product_attention(query, key, value, score_bias=bias, need_weights=False)
    torch.testing.assert_close(fused, output, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ((4, 3, 5), (2, 6, 5)),  # the axis before the last two of (B, T, d) is a batch
        ((2, 4, 3, 5), (2, 3, 6, 5)),
        ((2, 4, 3, 5), (1, 2, 6, 5)),
        ((2, 4, 3, 5), (2, 6, 5)),
    ],
)
def test_heads_that_cannot_be_shared_are_refused(query, key):
    with pytest.raises(ValueError, match="equal batch dimensions"):
        scaled_dot_product_attention(torch.ones(query), torch.ones(key), torch.ones(key))

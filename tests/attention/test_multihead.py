"""MultiHeadAttention, against nn.MultiheadAttention and against plain attention."""

import pytest
import torch
from attention_variants import equal
from torch import nn

from course_lib import MultiHeadAttention, causal_mask, padding_mask

E = 12


def normal(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def make(num_heads=4, **settings):
    return MultiHeadAttention(E, num_heads, **settings).double()


def from_torch(num_heads=4, device="cpu", **settings):
    theirs = nn.MultiheadAttention(E, num_heads, batch_first=True, **settings).double().to(device)
    for parameter in theirs.parameters():  # torch starts its biases at zero, which tests nothing
        nn.init.normal_(parameter)
    return theirs, MultiHeadAttention.from_torch(theirs)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("kind", ["none", "causal", "padding", "per sentence"])
@pytest.mark.parametrize("settings", [{}, {"bias": False}, {"kdim": 5, "vdim": 7}])
def test_torch_gives_the_same_values_and_gradients(need_weights, kind, settings, device):
    theirs, ours = from_torch(device=device, **settings)
    query = normal(2, 3, E).to(device).requires_grad_()
    key = normal(2, 5, settings.get("kdim", E)).to(device).requires_grad_()
    value = normal(2, 5, settings.get("vdim", E)).to(device).requires_grad_()
    mask, options = None, {}
    if kind == "causal":
        mask = causal_mask(3, 5, device=device)
        options = {"attn_mask": ~mask}
    if kind == "padding":
        mask = padding_mask(torch.tensor([5, 2], device=device))
        options = {"key_padding_mask": ~mask[:, 0]}
    if kind == "per sentence":
        mask = torch.rand(2, 3, 5, device=device) > 0.3
        mask[..., 0] = True
        options = {"attn_mask": ~mask.repeat_interleave(4, 0)}
    expected, expected_weights = theirs(
        query, key, value, average_attn_weights=False, need_weights=need_weights, **options
    )
    output, weights = ours(query, key, value, mask=mask, need_weights=need_weights)
    equal(output, expected)
    if need_weights:
        equal(weights, expected_weights)
    grad = torch.randn_like(output)
    for a, b in zip(
        torch.autograd.grad(output, (query, key, value), grad, retain_graph=True),
        torch.autograd.grad(expected, (query, key, value), grad, retain_graph=True),
        strict=True,
    ):
        equal(a, b)
    output.backward(grad)
    expected.backward(grad)
    equal(ours.W_o.weight.grad, theirs.out_proj.weight.grad)
    if not settings:
        packed = torch.cat([w.weight.grad for w in (ours.W_q, ours.W_k, ours.W_v)])
        equal(packed, theirs.in_proj_weight.grad)


def test_from_torch_copies_everything():
    theirs, ours = from_torch(dropout=0.25)
    assert ours.dropout == 0.25 and ours.training and ours.W_q.weight.dtype == torch.float64
    with torch.no_grad():
        theirs.in_proj_weight.zero_()
    assert ours.W_q.weight.abs().sum() > 0  # a copy, not a view
    assert not MultiHeadAttention.from_torch(theirs.eval()).training
    theirs.in_proj_weight.requires_grad_(False)
    with torch.no_grad():
        frozen = MultiHeadAttention.from_torch(theirs)
    tied = {name for name, p in frozen.named_parameters() if not p.requires_grad}
    assert tied == {"W_q.weight", "W_k.weight", "W_v.weight"}
    with pytest.raises(ValueError, match="add_bias_kv"):
        MultiHeadAttention.from_torch(nn.MultiheadAttention(E, 4, add_bias_kv=True))


def test_the_shapes_a_mask_may_have():
    attention, x = make(), normal(2, 3, E)
    mask = torch.rand(2, 3, 3) > 0.3
    for m in (mask, mask[:, None], mask[:, None].expand(2, 4, 3, 3)):
        equal(attention(x, mask=m)[0], attention(x, mask=mask, need_weights=True)[0])
    equal(attention(x, mask=mask[0])[0][0], attention(x[:1], mask=mask[:1])[0][0])
    equal(attention(x, is_causal=True)[0], attention(x, mask=causal_mask(3))[0])


def test_dropout_only_while_training():
    attention, x = make(dropout=0.5), normal(2, 30, E)
    for need_weights in (True, False):
        a, b = (attention(x, need_weights=need_weights)[0] for _ in range(2))
        assert not torch.equal(a, b)
    attention.eval()
    assert torch.equal(attention(x)[0], attention(x)[0])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"num_heads": 5}, "5 must divide embed_dim = 12"),
        ({"num_kv_heads": 3}, "3 must divide num_heads = 4"),
        ({"num_heads": 0}, "at least 1"),
        ({"num_kv_heads": 0}, "at least 1"),
        ({"dropout": 1.5}, "1.5"),
        ({"rotary_base": 10.0}, "even.*got 3"),
        ({"num_heads": 2, "rotary_base": -1.0}, "rotary_base must be a finite number, above 0"),
    ],
)
def test_bad_settings(settings, words):
    with pytest.raises(ValueError, match=words):
        make(**settings)


def test_bad_shapes(as_a_user):
    attention, x = make(kdim=5), normal(2, 3, E)
    with pytest.raises(ValueError, match=r"key has shape \(2, 3, 12\).* 5"):
        attention(x)
    with pytest.raises(ValueError, match=r"query must be \(B, length, d\).*\(3, 12\)"):
        make()(x[0])
    with pytest.raises(ValueError, match=r"\(2, 1, 3, 4\).*\(2, 4, 3, 3\)"):
        make()(x, mask=torch.ones(2, 3, 4, dtype=torch.bool))
    with pytest.raises(ValueError, match="leave both out"):
        make()(x, x, cache=make().project_memory(x))
    with pytest.raises(ValueError, match="rotary positions"):
        make(2, rotary_base=10.0).project_memory(x)

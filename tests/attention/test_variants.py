"""What holds for every attention: each property is written once and run for all of them, on the
readable path and on the fast one."""

import copy
import pickle

import pytest
import torch
from attention_variants import FUSED, LOCAL, SMOOTH, VARIANTS, D, build, draw, equal, variants
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import LuongAttention, causal_mask, padding_mask

pytestmark = pytest.mark.usefixtures("path")

sizes = st.integers(1, 7)
fewer = settings(max_examples=max(1, settings().max_examples // 2))  # there are 15 variants


def masks(B, T, S, kind, device="cpu"):
    if kind == "none":
        return None
    if kind == "causal":
        return causal_mask(T, S, device=device)
    if kind == "padding":
        lengths = torch.randint(1, S + 1, (B,), device=device)
        return padding_mask(lengths, S)
    some = torch.rand(B, T, S, device=device) > 0.4
    some[0, 0] = False  # one query with nothing to attend to
    return some


kinds = st.sampled_from(["none", "causal", "padding", "random"])


def weights_of(attention, query, keys, mask=None):
    """The weights as (B, heads, T, S), whatever the attention."""
    _, weights = attention(query, keys, mask=mask)
    return weights if weights.ndim == 4 else weights[:, None]


@variants()
@fewer
@given(B=sizes, T=sizes, S=sizes, kind=kinds)
def test_weights_are_a_distribution_over_the_allowed_keys(name, B, T, S, kind):
    attention, (query, keys) = build(name), draw(B, T, S)
    mask = masks(B, T, S, kind)
    weights = weights_of(attention, query, keys, mask)
    assert weights.shape[0] == B and weights.shape[2:] == (T, S)
    allowed = torch.ones(B, 1, T, S, dtype=torch.bool)
    if mask is not None:
        allowed = (mask if mask.ndim == 2 else mask[:, None]).expand_as(weights[:, :1])
    assert (weights >= 0).all()
    assert (weights.masked_select(~allowed) == 0).all()
    total = weights.sum(-1)
    if name in LOCAL:  # a window may be empty, and the Gaussian only takes away
        assert (total <= 1 + 1e-12).all()
    else:
        equal(total, allowed.any(-1).to(total.dtype).expand_as(total))


@variants()
@fewer
@given(B=sizes, T=sizes, S=sizes, kind=kinds)
def test_without_weights_the_context_is_the_same(name, B, T, S, kind):
    attention, (query, keys) = build(name), draw(B, T, S)
    values, mask = torch.randn_like(keys), masks(B, T, S, kind)
    with_weights, _ = attention(query, keys, values, mask)
    without, weights = attention(query, keys, values, mask, need_weights=False)
    assert weights is None
    equal(without, with_weights)


@variants(SMOOTH)
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("kind", ["none", "random"])
def test_gradients_are_those_of_finite_differences(name, need_weights, kind):
    attention, (query, keys) = build(name), draw(2, 3, 4)
    values, mask = torch.randn_like(keys), masks(2, 3, 4, kind)
    inputs = [x.requires_grad_() for x in (query, keys, values)]
    parameters = list(attention.parameters())

    def context(query, keys, values, *_):
        return attention(query, keys, values, mask, need_weights=need_weights)[0]

    assert torch.autograd.gradcheck(context, (*inputs, *parameters), fast_mode=True)


@variants()
@pytest.mark.parametrize("need_weights", [True, False])
def test_a_query_with_nothing_to_attend_to(name, need_weights, device):
    attention, (query, keys) = build(name, device), draw(2, 3, 4, device)
    query.requires_grad_()
    keys.requires_grad_()
    mask = torch.ones(2, 3, 4, dtype=torch.bool, device=device)
    mask[0, 1] = False
    context, weights = attention(query, keys, mask=mask, need_weights=need_weights)
    assert (context[0, 1] == 0).all()
    if need_weights:
        assert (weights[0, ..., 1, :] == 0).all()
    context.sum().backward()
    for tensor in (query, keys, *attention.parameters()):
        if tensor.grad is not None:
            assert tensor.grad.isfinite().all()
    assert (query.grad is None and name == "hard") or (query.grad[0, 1] == 0).all()


@variants()
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("kind", ["causal", "padding"])
def test_what_the_mask_hides_changes_nothing(name, need_weights, kind, device):
    """The future, and what stands behind the end of a sentence."""
    attention, (query, keys) = build(name, device), draw(1, 6, 6, device)
    mask = causal_mask(6, device=device)
    mask = mask if kind == "causal" else padding_mask(torch.tensor([3], device=device), 6)
    before, _ = attention(query, keys, mask=mask, need_weights=need_weights)
    changed = keys.clone()
    changed[:, 3:] = 100 * torch.randn_like(changed[:, 3:])
    after, _ = attention(query, changed, mask=mask, need_weights=need_weights)
    equal(after[:, :3], before[:, :3])
    if kind == "causal":
        assert not torch.allclose(before[:, 3:], after[:, 3:])
    else:
        equal(after, attention(query, keys[:, :3], need_weights=need_weights)[0])


@variants(set(VARIANTS) - LOCAL)
def test_the_order_of_the_keys_does_not_matter(name):
    attention, (query, keys) = build(name), draw(2, 3, 5)
    values, order = torch.randn_like(keys), torch.randperm(5)
    context, weights = attention(query, keys, values)
    shuffled_context, shuffled_weights = attention(query, keys[:, order], values[:, order])
    equal(shuffled_context, context)
    equal(shuffled_weights, weights[..., order])


@variants({n for n in VARIANTS if "local-m" not in n})
def test_queries_do_not_see_each_other(name):
    attention, (query, keys) = build(name), draw(2, 4, 5)
    order = torch.randperm(4)
    equal(attention(query[:, order], keys)[0], attention(query, keys)[0][:, order])


@variants({n for n in VARIANTS if n not in FUSED})
@pytest.mark.parametrize("need_weights", [True, False])
def test_one_step_is_one_row(name, need_weights):
    attention, (query, keys) = build(name), draw(2, 3, 5)
    mask = padding_mask(torch.tensor([5, 3]))
    context, weights = attention(query, keys, mask=mask, need_weights=need_weights)
    for t in range(3):
        extra = {"first_position": t} if isinstance(attention, LuongAttention) else {}
        for step_mask in (mask, mask[:, 0]):
            step, step_weights = attention(
                query[:, t], keys, mask=step_mask, need_weights=need_weights, **extra
            )
            equal(step, context[:, t])
            if need_weights:
                equal(step_weights, weights[:, t])


@variants(SMOOTH)
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_lower_precision_follows_the_higher(name, need_weights, dtype, device):
    # The rounded weights and inputs are the same on both sides; only the arithmetic differs.
    low = build(name, device, dtype)
    high = copy.deepcopy(low).to(torch.float64 if dtype == torch.float32 else torch.float32)
    query, keys = draw(2, 3, 5, device, dtype)
    mask = padding_mask(torch.tensor([5, 2], device=device))
    context, weights = low(query, keys, mask=mask, need_weights=need_weights)
    reference_type = next(iter(high.parameters()), torch.ones((), dtype=torch.float64)).dtype
    expected, expected_weights = high(
        query.to(reference_type), keys.to(reference_type), mask=mask, need_weights=need_weights
    )
    assert context.dtype == dtype
    equal(context, expected.to(dtype))
    if need_weights:
        assert weights.dtype == dtype
        equal(weights, expected_weights.to(dtype))


@variants()
@pytest.mark.parametrize("need_weights", [True, False])
def test_strides_do_not_matter(name, need_weights):
    attention, (query, keys) = build(name), draw(2, 3, 5)
    expected, _ = attention(query, keys, need_weights=need_weights)
    strided_query = query.mT.contiguous().mT
    strided_keys = torch.stack([keys, keys], dim=-1).flatten(-2)[..., ::2]
    assert not strided_query.is_contiguous() and not strided_keys.is_contiguous()
    equal(attention(strided_query, strided_keys, need_weights=need_weights)[0], expected)


@variants()
def test_inputs_come_back_unchanged(name):
    attention, (query, keys) = build(name), draw(2, 3, 5)
    mask = padding_mask(torch.tensor([5, 2]))
    copies = query.clone(), keys.clone(), mask.clone()
    attention(query, keys, mask=mask)
    attention(query, keys, mask=mask, need_weights=False)
    for given_, kept in zip((query, keys, mask), copies, strict=True):
        assert torch.equal(given_, kept)


@variants()
def test_saving_and_copying(name):
    attention, (query, keys) = build(name), draw(2, 3, 5)
    expected, _ = attention(query, keys)
    torch.manual_seed(2)
    other = VARIANTS[name]().double()
    other.load_state_dict(attention.state_dict())
    for twin in (other, copy.deepcopy(attention), pickle.loads(pickle.dumps(attention))):
        equal(twin.eval()(query, keys)[0], expected)


@variants()
@pytest.mark.parametrize("need_weights", [True, False])
def test_autocast(name, need_weights, device):
    attention = build(name, device, torch.float32)
    query, keys = draw(2, 3, 5, device, torch.float32)
    mask = padding_mask(torch.tensor([5, 2], device=device))
    expected, _ = attention(query, keys, mask=mask)
    with torch.autocast(device.type, torch.bfloat16):
        context, _ = attention(query, keys, mask=mask, need_weights=need_weights)
    if name != "hard":  # rounding may change which key is the largest
        torch.testing.assert_close(context.float(), expected, rtol=0.1, atol=0.1)


@variants()
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("B, T", [(0, 3), (2, 0), (0, 0)])
@pytest.mark.parametrize("training", [False, True])
def test_nothing_gives_nothing(name, need_weights, B, T, training):
    attention, (query, keys) = build(name).train(training), draw(B, T, 5)
    context, weights = attention(query, keys, need_weights=need_weights)
    assert context.shape == (B, T, D)
    assert weights is None or (weights.shape[0], weights.shape[-2]) == (B, T)

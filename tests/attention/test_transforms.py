"""Every attention under every way of differentiating it, on the readable path and the fast one."""

import pytest
import torch
import torch.autograd.forward_ad as forward_ad
from attention_variants import SMOOTH, build, draw, equal, variants
from torch.func import functional_call, grad, jvp, vmap

from course_lib import causal_mask, padding_mask

pytestmark = [
    pytest.mark.usefixtures("path"),
    # torch's own, the first time that anything is differentiated forwards
    pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning"),
]
each = pytest.mark.parametrize("need_weights", [True, False])
MASK = torch.tensor([[True, True, False, True, True], [True] * 5, [False] * 5])


def attend(name, need_weights):
    """The attention as a function of (query, keys, values, *parameters), with a row that sees
    nothing; and such tensors. It has parameters of its own for those that are left out."""
    attention = build(name)
    names = [name for name, _ in attention.named_parameters()]

    def context(query, keys, values, *given):
        state = dict(zip(names, given, strict=False))
        options = {"mask": MASK, "need_weights": need_weights}
        return functional_call(attention, state, (query, keys, values), options)[0]

    return context, [*inputs(), *(p.detach() for p in attention.parameters())]


def inputs():
    query, keys = draw(2, 3, 5)
    return query, keys, torch.randn_like(keys)


@variants(SMOOTH)
@each
def test_forward_mode(name, need_weights, step=1e-6):
    f, primals = attend(name, need_weights)
    tangents = [torch.randn_like(x) for x in primals]
    ahead, behind = (
        f(*(p + sign * step * t for p, t in zip(primals, tangents, strict=True)))
        for sign in (1, -1)
    )
    expected = ((ahead - behind) / (2 * step)).detach()
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(*pair) for pair in zip(primals, tangents, strict=True)]
        dual = forward_ad.unpack_dual(f(*duals)).tangent
    functional = jvp(f, tuple(primals), tuple(tangents))[1]
    with torch.no_grad():  # where nothing seems to be differentiated
        quiet = jvp(f, tuple(primals), tuple(tangents))[1]
    for found in (dual, functional, quiet):
        assert found is not None
        torch.testing.assert_close(found.detach(), expected, rtol=1e-6, atol=1e-7)


@variants(SMOOTH)
@each
def test_the_gradient_of_torch_func(name, need_weights):
    f, tensors = attend(name, need_weights)
    leaves = [x.clone().requires_grad_() for x in tensors]
    expected = torch.autograd.grad(f(*leaves).square().sum(), leaves)
    got = grad(lambda *x: f(*x).square().sum(), argnums=tuple(range(len(tensors))))(*tensors)
    for one, other in zip(got, expected, strict=True):
        equal(one.detach(), other)


@variants(SMOOTH)
@each
def test_vmap(name, need_weights):
    f, _ = attend(name, need_weights)
    batches = [torch.stack([x, 2 * x, -x]) for x in inputs()]
    expected = torch.stack([f(*(x[i] for x in batches)) for i in range(3)])
    equal(vmap(f)(*batches), expected)
    together = vmap(f, in_dims=(0, None, None))(batches[0], batches[1][0], batches[2][0])
    equal(together[1], f(batches[0][1], batches[1][0], batches[2][0]))


@variants(SMOOTH)
@each
def test_a_gradient_for_each_example(name, need_weights):
    f, (query, keys, values, *parameters) = attend(name, need_weights)
    if not parameters:
        return  # the dot score has none

    def loss(parameters, *example):
        return f(*(x[None] for x in example), *parameters).square().sum()

    rows = vmap(grad(loss), in_dims=(None, 0, 0, 0))(parameters, query, keys, values)
    for i in range(2):
        alone = grad(loss)(parameters, query[i], keys[i], values[i])
        for row, one in zip(rows, alone, strict=True):
            equal(row[i].detach(), one.detach())


@variants(SMOOTH)
@each
def test_second_derivatives(name, need_weights):
    f, tensors = attend(name, need_weights)
    leaves = [x.requires_grad_() for x in tensors]
    assert torch.autograd.gradgradcheck(f, leaves, fast_mode=True)


@variants(SMOOTH)
@each
def test_forwards_over_backwards(name, need_weights):
    f, (query, keys, values, *_) = attend(name, need_weights)
    tangent = torch.randn_like(query)

    def slope(query):
        return grad(lambda q: f(q, keys, values).square().sum())(query)

    _, got = jvp(slope, (query,), (tangent,))
    ahead, behind = slope(query + 1e-6 * tangent), slope(query - 1e-6 * tangent)
    torch.testing.assert_close(
        got.detach(), ((ahead - behind) / 2e-6).detach(), rtol=1e-5, atol=1e-6
    )


@variants(SMOOTH)
@each
def test_frozen_parameters_and_frozen_inputs(name, need_weights):
    """Whatever subset needs gradients, those are the gradients of all needing them."""
    f, together = attend(name, need_weights)

    def gradients(needed):
        for i, x in enumerate(together):
            x.requires_grad_(i in needed)
        return torch.autograd.grad(f(*together).square().sum(), [together[i] for i in needed])

    everything = gradients(range(len(together)))
    for i in range(len(together)):
        equal(gradients([i])[0], everything[i])


@variants(SMOOTH)
@each
def test_the_default_device_is_not_asked(name, need_weights):
    attention, tensors = build(name), inputs()
    options = {"mask": padding_mask([5, 3]), "need_weights": need_weights}
    with torch.no_grad():
        expected, _ = attention(*tensors, **options)
        torch.set_default_device("meta")
        try:
            got, _ = attention(*tensors, **options)
        finally:
            torch.set_default_device("cpu")
            torch.set_default_device(None)
    equal(got, expected)


@variants()
@each
def test_shapes_without_numbers(name, need_weights):
    attention, tensors = build(name, "meta"), [x.to("meta") for x in inputs()]
    mask = causal_mask(3, 5, device="meta")
    context, weights = attention(*tensors, mask, need_weights=need_weights)
    assert context.shape == (2, 3, 8) and context.is_meta
    assert weights is None or weights.shape[-2:] == (3, 5)


@variants(SMOOTH)
@each
@pytest.mark.parametrize("scale", [1e-5, 1e-3, 1e3, 1e5])
def test_tiny_and_huge_inputs(name, need_weights, scale):
    attention, single = build(name), build(name, dtype=torch.float32)
    leaves = [(x * scale).float().requires_grad_() for x in inputs()]
    low, _ = single(*leaves, MASK, need_weights=need_weights)
    low.sum().backward()
    assert low.isfinite().all() and all(x.grad.isfinite().all() for x in leaves)
    if scale < 1:  # at 1e5 the rounding of a score decides which of two keys wins
        high, _ = attention(*(x.double() for x in leaves), MASK, need_weights=need_weights)
        assert (low - high).abs().max() <= 1e-5 * scale

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
    """The attention as a function of (query, keys, values), with a row that sees nothing."""
    attention = build(name)

    def context(query, keys, values):
        return attention(query, keys, values, MASK, need_weights=need_weights)[0]

    return context


def inputs():
    query, keys = draw(2, 3, 5)
    return query, keys, torch.randn_like(keys)


def tangent_by_differences(f, primals, tangents, step=1e-6):
    ahead, behind = (
        f(*(p + sign * step * t for p, t in zip(primals, tangents, strict=True)))
        for sign in (1, -1)
    )
    return (ahead - behind) / (2 * step)


@variants(SMOOTH)
@each
def test_forward_mode(name, need_weights):
    f, primals = attend(name, need_weights), inputs()
    tangents = [torch.randn_like(x) for x in primals]
    expected = tangent_by_differences(f, primals, tangents).detach()
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(*pair) for pair in zip(primals, tangents, strict=True)]
        dual = forward_ad.unpack_dual(f(*duals)).tangent
    assert dual is not None
    torch.testing.assert_close(dual.detach(), expected, rtol=1e-6, atol=1e-7)
    functional = jvp(f, primals, tuple(tangents))[1]
    torch.testing.assert_close(functional.detach(), expected, rtol=1e-6, atol=1e-7)
    with torch.no_grad():  # where nothing seems to be differentiated
        functional = jvp(f, primals, tuple(tangents))[1]
    torch.testing.assert_close(functional, expected, rtol=1e-6, atol=1e-7)


@variants(SMOOTH - {"scaled-dot", *(f"luong-dot-{scope}" for scope in ("global", "local-m"))})
@each
def test_forward_mode_along_the_parameters(name, need_weights):
    attention, tensors = build(name), inputs()
    names, primals = zip(*attention.named_parameters(), strict=True)
    primals = tuple(p.detach() for p in primals)
    tangents = tuple(torch.randn_like(p) for p in primals)

    def f(*values):
        state = dict(zip(names, values, strict=True))
        options = {"mask": MASK, "need_weights": need_weights}
        return functional_call(attention, state, tensors, options)[0]

    _, got = jvp(f, primals, tangents)
    expected = tangent_by_differences(f, primals, tangents)
    torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-6)


@variants(SMOOTH)
@each
def test_the_gradient_of_torch_func(name, need_weights):
    f, tensors = attend(name, need_weights), inputs()
    leaves = [x.clone().requires_grad_() for x in tensors]
    expected = torch.autograd.grad(f(*leaves).square().sum(), leaves)
    got = grad(lambda *x: f(*x).square().sum(), argnums=(0, 1, 2))(*tensors)
    for one, other in zip(got, expected, strict=True):
        equal(one.detach(), other)


@variants(SMOOTH)
@each
def test_vmap(name, need_weights):
    f = attend(name, need_weights)
    batches = [torch.stack([x, 2 * x, -x]) for x in inputs()]
    expected = torch.stack([f(*(x[i] for x in batches)) for i in range(3)])
    equal(vmap(f)(*batches), expected)
    together = vmap(f, in_dims=(0, None, None))(batches[0], batches[1][0], batches[2][0])
    equal(together[1], f(batches[0][1], batches[1][0], batches[2][0]))


@variants(SMOOTH)
@each
def test_a_gradient_for_each_example(name, need_weights):
    attention, (query, keys, values) = build(name), inputs()
    parameters = {key: p.detach() for key, p in attention.named_parameters()}
    if not parameters:
        return  # the dot score has none

    def loss(parameters, *example):
        options = {"mask": MASK, "need_weights": need_weights}
        example = (x[None] for x in example)
        return functional_call(attention, parameters, tuple(example), options)[0].square().sum()

    rows = vmap(grad(loss), in_dims=(None, 0, 0, 0))(parameters, query, keys, values)
    for i in range(2):
        one = grad(loss)(parameters, query[i], keys[i], values[i])
        for key in parameters:
            equal(rows[key][i].detach(), one[key].detach())


@variants(SMOOTH)
@each
def test_second_derivatives(name, need_weights):
    f = attend(name, need_weights)
    leaves = [x.requires_grad_() for x in inputs()]
    assert torch.autograd.gradgradcheck(f, leaves, fast_mode=True)


@variants(SMOOTH)
@each
def test_forwards_over_backwards(name, need_weights):
    f, (query, keys, values) = attend(name, need_weights), inputs()
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
    attention, tensors = build(name), inputs()
    together = [*tensors, *attention.parameters()]

    def gradients(needed):
        for i, x in enumerate(together):
            x.requires_grad_(i in needed)
        context, _ = attention(*tensors, MASK, need_weights=need_weights)
        return torch.autograd.grad(context.square().sum(), [together[i] for i in needed])

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

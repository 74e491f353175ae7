"""Forward-mode derivatives without weights, at the sizes below and above every threshold."""

import pytest
import torch
import torch.autograd.forward_ad as forward_ad
from kernel_paths import readable_additive, readable_flash
from torch.func import functional_call, jvp

from course_lib import AdditiveAttention, LuongAttention, MultiHeadAttention
from course_lib.kernels import additive_attention, explain, flash_attention

# torch's own, the first time that anything is differentiated forwards
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
d = 32
BOTH = pytest.mark.parametrize("T", [5, 300])  # 300 · 300 · 32 hidden numbers, two tiles of flash
MODULES = {
    "additive": lambda: AdditiveAttention(d, d, d),
    "concat": lambda: LuongAttention(d, d, score="concat"),
    "general": lambda: LuongAttention(d, d, score="general"),
    "multi-head": lambda: MultiHeadAttention(d, 4),
    "grouped": lambda: MultiHeadAttention(d, 4, num_kv_heads=2, rotary_base=10.0, gate=True),
}


def draw(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def forwards(f, primals, tangents):
    """The tangent by dual numbers, which must be there, and the same by `torch.func.jvp`."""
    with forward_ad.dual_level():
        out = f(*(forward_ad.make_dual(*pair) for pair in zip(primals, tangents, strict=True)))
        tangent = forward_ad.unpack_dual(out).tangent
        assert tangent is not None
        tangent = tangent.clone()
    torch.testing.assert_close(jvp(f, primals, tangents)[1], tangent)
    return tangent


def test_the_larger_size_has_a_kernel_of_its_own():
    small, large = draw(2, 5, d), draw(2, 300, d)
    assert explain(small, small, score="additive").startswith("readable")
    assert explain(large, large, score="additive").startswith("blocked")
    assert explain(large, large, score="flash").startswith("tiled")
    assert explain(small, small).startswith("torch")


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("frozen", [False, True])
@BOTH
def test_modules(name, frozen, T):
    """Also of frozen parameters and without a graph, where nothing seems to be differentiated."""
    module = MODULES[name]().double().requires_grad_(not frozen)
    primals = draw(2, T, d), draw(2, T + 1, d)
    tangents = draw(2, T, d), draw(2, T + 1, d)
    with torch.set_grad_enabled(not frozen):
        got, expected = (
            forwards(lambda q, k, w=w: module(q, k, k, need_weights=w)[0], primals, tangents)
            for w in (False, True)
        )
    torch.testing.assert_close(got, expected)


@pytest.mark.parametrize("name", MODULES)
@BOTH
def test_the_derivative_along_the_parameters(name, T):
    module, query = MODULES[name]().double(), draw(2, T, d)
    names, values = zip(*module.named_parameters(), strict=True)
    values = tuple(value.detach() for value in values)
    tangents = tuple(torch.randn_like(value) for value in values)

    def along(need_weights):
        def f(*parameters):
            state = dict(zip(names, parameters, strict=True))
            return functional_call(
                module, state, (query, query, query), {"need_weights": need_weights}
            )[0]

        return forwards(f, values, tangents)

    torch.testing.assert_close(along(False), along(True))


@BOTH
def test_kernels_by_their_names(T):
    q, k, values, v_a = draw(2, T, d), draw(2, T + 1, d), draw(2, T + 1, d), draw(d) / d
    primals, tangents = (q, k, v_a, values), tuple(map(torch.randn_like, (q, k, v_a, values)))
    got = forwards(additive_attention, primals, tangents)
    torch.testing.assert_close(got, forwards(readable_additive, primals, tangents))
    primals, tangents = (q, k, values), tuple(map(torch.randn_like, (q, k, values)))
    got = forwards(flash_attention, primals, tangents)
    torch.testing.assert_close(got, forwards(readable_flash, primals, tangents))

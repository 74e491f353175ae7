"""Forward-mode derivatives of the kernels, at the sizes below and above every threshold.

Those of the attentions stand in tests/attention/test_transforms.py.
"""

import pytest
import torch
import torch.autograd.forward_ad as forward_ad
from kernel_paths import readable_additive, readable_flash
from torch.func import jvp

from course_lib.kernels import additive_attention, explain, flash_attention

# torch's own, the first time that anything is differentiated forwards
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
d = 32
BOTH = pytest.mark.parametrize("T", [5, 300])  # 300 · 300 · 32 hidden numbers, two tiles of flash


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


@BOTH
def test_kernels_by_their_names(T):
    q, k, values, v_a = draw(2, T, d), draw(2, T + 1, d), draw(2, T + 1, d), draw(d) / d
    primals, tangents = (q, k, v_a, values), tuple(map(torch.randn_like, (q, k, v_a, values)))
    got = forwards(additive_attention, primals, tangents)
    torch.testing.assert_close(got, forwards(readable_additive, primals, tangents))
    primals, tangents = (q, k, values), tuple(map(torch.randn_like, (q, k, values)))
    got = forwards(flash_attention, primals, tangents)
    torch.testing.assert_close(got, forwards(readable_flash, primals, tangents))

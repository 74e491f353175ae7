"""The Triton kernels in Triton's interpreter on the CPU, and compiled on the GPU.

The interpreter multiplies bfloat16 wrongly, so bfloat16 is tested on the GPU only.
"""

import subprocess
import sys

import pytest
import torch
from kernel_paths import gap, readable_additive, readable_flash

from course_lib.masks import causal_mask, padding_mask

if sys.platform != "linux":
    pytest.skip("Triton is made for Linux", allow_module_level=True)
pytest.importorskip("triton", reason="Triton is not installed")

TOLERANCES = {torch.float32: 1e-5, torch.float16: 8e-3, torch.bfloat16: 6e-2}


@pytest.fixture(params=TOLERANCES, ids=str)
def dtype(request, device) -> torch.dtype:
    if request.param == torch.bfloat16 and device.type == "cpu":
        pytest.skip("Triton's interpreter cannot multiply bfloat16")
    return request.param


def in_float32(readable):
    """The reference: computed in float32, given back as half."""

    def reference(*inputs, **settings):
        wide = [x.float() if x is not None and x.is_floating_point() else x for x in inputs]
        return readable(*wide, **settings).to(inputs[0].dtype)

    return reference


@pytest.mark.parametrize("is_causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize(
    "H, h, T, S, d",
    [
        (1, 1, 1, 1, 32),
        (2, 1, 33, 70, 32),  # two heads share one; ragged; more keys than queries
        (2, 2, 70, 33, 24),  # more queries than keys; no power of two
        (4, 2, 64, 64, 64),
        (1, 1, 1, 65, 128),
    ],
)
def test_flash(H, h, T, S, d, is_causal, dtype, device):
    from course_lib.kernels.flash_triton import TritonFlash

    def fast(q, k, v):
        return TritonFlash.apply(q, k, v, is_causal, 0.2)

    def readable(q, k, v):
        return readable_flash(q, k, v, is_causal=is_causal, scale=0.2)

    shapes = (2, H, T, d), (2, h, S, d), (2, h, S, d)
    tensors = [torch.randn(s, device=device).to(dtype) for s in shapes]
    assert gap(fast, in_float32(readable), tensors) < TOLERANCES[dtype]


@pytest.mark.parametrize("mask", ["none", "causal", "padding", "nothing"])
@pytest.mark.parametrize("T, S, a, d_v", [(33, 40, 3, 5), (1, 1, 2, 1), (17, 33, 5, 70)])
def test_additive(T, S, a, d_v, mask, dtype, device):
    from course_lib.kernels.additive_triton import TritonAdditive

    mask = {
        "none": None,
        "causal": causal_mask(T, S).expand(2, T, S),
        "padding": padding_mask([S, S // 2], S).expand(2, T, S),
        "nothing": torch.zeros(2, T, S, dtype=torch.bool),
    }[mask]
    mask = None if mask is None else mask.to(device)
    shapes = (2, T, a), (2, S, a), (a,), (2, S, d_v)
    tensors = [torch.randn(s, device=device).to(dtype) for s in shapes]
    assert (
        gap(TritonAdditive.apply, in_float32(readable_additive), tensors, mask)
        < 2 * TOLERANCES[dtype]
    )


def test_additive_far_from_zero():
    from course_lib.kernels.additive_triton import TritonAdditive

    q, k, values = torch.randn(1, 3, 4) * 1e3, torch.randn(1, 5, 4), torch.randn(1, 5, 2)
    assert gap(TritonAdditive.apply, readable_additive, [q, k, torch.ones(4), values], None) < 1e-5


@pytest.mark.parametrize("scale", [1e-5, 1e-3, 0.05, 0.2, 3.0])
def test_the_tanh_of_small_numbers_does_not_cancel(scale):
    from course_lib.kernels.additive_triton import TritonAdditive

    q, k = torch.randn(1, 3, 4) * scale, torch.randn(1, 5, 4) * scale
    v_a, values = torch.randn(4) / scale, torch.randn(1, 5, 2)
    assert gap(TritonAdditive.apply, readable_additive, [q, k, v_a, values], None) < 2e-5 / min(
        scale, 1
    )
    out = TritonAdditive.apply(q, k, v_a, values, None)
    exact = readable_additive(*(x.double() for x in (q, k, v_a, values)))
    torch.testing.assert_close(out.double(), exact, rtol=1e-5, atol=1e-5)


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device")
def test_more_heads_than_an_axis_of_the_grid_holds():
    from course_lib.kernels.flash_triton import TritonFlash

    q = torch.randn(70_000, 1, 2, 16, device="cuda", requires_grad=True)
    out = TritonFlash.apply(q, q, q, False, 0.25)
    torch.testing.assert_close(out[-1], readable_flash(q[-1], q[-1], q[-1], scale=0.25))
    out.sum().backward()
    assert q.grad[-1].abs().sum() > 0


def test_a_second_derivative_is_that_of_the_formula():
    from course_lib.kernels.additive_triton import TritonAdditive
    from course_lib.kernels.flash_triton import TritonFlash

    def slope(f, *tensors):
        tensors = [x.clone().requires_grad_() for x in tensors]
        (first,) = torch.autograd.grad(f(*tensors).square().sum(), tensors[0], create_graph=True)
        return torch.autograd.grad(first.square().sum(), tensors)

    q, k, v_a = torch.randn(1, 1, 3, 4), torch.randn(1, 1, 5, 4), torch.randn(4)
    pairs = (
        (lambda *x: TritonFlash.apply(*x, True, 0.2), (q, k, k)),
        (lambda *x: readable_flash(*x, is_causal=True, scale=0.2), (q, k, k)),
        (lambda *x: TritonAdditive.apply(*x, None), (q[0], k[0], v_a, k[0])),
        (readable_additive, (q[0], k[0], v_a, k[0])),
    )
    found = [slope(f, *tensors) for f, tensors in pairs]
    for fast, readable in (found[:2], found[2:]):
        for one, other in zip(fast, readable, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def test_triton_is_imported_only_when_it_is_needed():
    code = "import sys, course_lib.kernels; assert 'triton' not in sys.modules, 'imported'"
    subprocess.run([sys.executable, "-c", code], check=True)

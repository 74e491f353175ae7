"""The Triton kernels in Triton's interpreter on the CPU, and compiled on the GPU.

Triton decides at its import which of the two a process does (TRITON_INTERPRET; `tests/conftest.py`
sets it where there is no GPU). Where kernels are compiled, a second process runs the interpreter.
The interpreter multiplies the bits of bfloat16 as if they were integers, and cuts where a card
rounds; `bfloat16_as_on_a_card` mends both.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from kernel_paths import gap, readable_additive, readable_flash

from course_lib.gate.masks import causal_mask, padding_mask

if sys.platform != "linux":
    pytest.skip("Triton is made for Linux", allow_module_level=True)
tl = pytest.importorskip("triton.language", reason="Triton is not installed")

TOLERANCES = {torch.float32: 1e-5, torch.float16: 8e-3, torch.bfloat16: 6e-2}


INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"


@pytest.fixture
def device(device) -> torch.device:
    if device.type == "cpu" and not INTERPRETED:
        pytest.skip("compiled kernels take no CPU tensors; a process of its own interprets them")
    if device.type == "cuda" and INTERPRETED:
        pytest.skip("TRITON_INTERPRET=1: this process compiles no kernel")
    return device


@pytest.mark.skipif(INTERPRETED, reason="this process runs the interpreter itself")
def test_the_interpreter_where_kernels_are_compiled():
    files = [__file__, Path(__file__).with_name("test_flash_operator.py")]
    command = [sys.executable, "-m", "pytest", *files, "-m", "not cuda", "-q"]
    env = os.environ | {"TRITON_INTERPRET": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(params=TOLERANCES, ids=str)
def dtype(request) -> torch.dtype:
    return request.param


@pytest.fixture(autouse=True)
def bfloat16_as_on_a_card(monkeypatch):
    """Products of bfloat16 summed in float32, and float32 rounded to the nearest, ties to even."""
    if not INTERPRETED:
        return
    from triton.runtime.interpreter import InterpreterBuilder, TensorHandle

    cast = InterpreterBuilder.cast_impl

    def wide(x):
        if x.dtype.scalar != tl.bfloat16:
            return x.data
        return (x.data.astype(np.uint32) << 16).view(np.float32)

    def create_dot(self, a, b, d, *_):
        product = np.matmul(wide(a), wide(b), dtype=d.data.dtype)
        return TensorHandle(product + d.data, d.dtype.scalar)

    def cast_impl(self, x, dtype):
        if x.dtype.scalar != tl.float32 or dtype.scalar != tl.bfloat16:
            return cast(self, x, dtype)
        rounded = torch.from_numpy(np.ascontiguousarray(x.data)).bfloat16()
        return TensorHandle(rounded.view(torch.uint16).numpy(), dtype.scalar)

    monkeypatch.setattr(InterpreterBuilder, "create_dot", create_dot)
    monkeypatch.setattr(InterpreterBuilder, "cast_impl", cast_impl)


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
    from course_lib.kernels.flash_operator import triton_flash

    def fast(q, k, v):
        return triton_flash(q, k, v, is_causal, 0.2)

    def readable(q, k, v):
        return readable_flash(q, k, v, is_causal=is_causal, scale=0.2)

    shapes = (2, H, T, d), (2, h, S, d), (2, h, S, d)
    tensors = [torch.randn(s, device=device).to(dtype) for s in shapes]
    assert gap(fast, in_float32(readable), tensors) < TOLERANCES[dtype]


@pytest.mark.parametrize("mask", ["none", "causal", "padding", "nothing"])
@pytest.mark.parametrize("T, S, a, d_v", [(33, 40, 3, 5), (1, 1, 2, 1), (17, 33, 5, 70)])
def test_additive(T, S, a, d_v, mask, dtype, device):
    from course_lib.kernels.additive_operator import triton_additive

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
        gap(triton_additive, in_float32(readable_additive), tensors, mask) < 2 * TOLERANCES[dtype]
    )


def test_additive_far_from_zero(device):
    from course_lib.kernels.additive_operator import triton_additive

    shapes = (1, 3, 4), (1, 5, 4), (1, 5, 2)
    q, k, values = (torch.randn(s, device=device) for s in shapes)
    tensors = [q * 1e3, k, torch.ones(4, device=device), values]
    assert gap(triton_additive, readable_additive, tensors, None) < 1e-5


@pytest.mark.parametrize("scale", [1e-5, 1e-3, 0.05, 0.2, 3.0])
def test_the_tanh_of_small_numbers_does_not_cancel(scale, device):
    from course_lib.kernels.additive_operator import triton_additive

    shapes = (1, 3, 4), (1, 5, 4), (4,), (1, 5, 2)
    q, k, v_a, values = (torch.randn(s, device=device) for s in shapes)
    q, k, v_a = q * scale, k * scale, v_a / scale
    assert gap(triton_additive, readable_additive, [q, k, v_a, values], None) < 2e-5 / min(scale, 1)
    out = triton_additive(q, k, v_a, values, None)
    exact = readable_additive(*(x.double() for x in (q, k, v_a, values)))
    torch.testing.assert_close(out.double(), exact, rtol=1e-5, atol=1e-5)


@pytest.mark.cuda
@pytest.mark.skipif(
    INTERPRETED or not torch.cuda.is_available(), reason="no kernel is compiled for a GPU here"
)
def test_more_heads_than_an_axis_of_the_grid_holds():
    from course_lib.kernels.flash_operator import triton_flash

    q = torch.randn(70_000, 1, 2, 16, device="cuda", requires_grad=True)
    out = triton_flash(q, q, q, False, 0.25)
    torch.testing.assert_close(out[-1], readable_flash(q[-1], q[-1], q[-1], scale=0.25))
    out.sum().backward()
    assert q.grad[-1].abs().sum() > 0


def test_a_second_derivative_is_that_of_the_formula(device):
    from course_lib.kernels.additive_operator import triton_additive
    from course_lib.kernels.flash_operator import triton_flash

    def slope(f, *tensors):
        tensors = [x.clone().requires_grad_() for x in tensors]
        (first,) = torch.autograd.grad(f(*tensors).square().sum(), tensors[0], create_graph=True)
        return torch.autograd.grad(first.square().sum(), tensors)

    shapes = (1, 1, 3, 4), (1, 1, 5, 4), (4,)
    q, k, v_a = (torch.randn(s, device=device) for s in shapes)
    pairs = (
        (lambda *x: triton_flash(*x, True, 0.2), (q, k, k)),
        (lambda *x: readable_flash(*x, is_causal=True, scale=0.2), (q, k, k)),
        (lambda *x: triton_additive(*x, None), (q[0], k[0], v_a, k[0])),
        (readable_additive, (q[0], k[0], v_a, k[0])),
    )
    found = [slope(f, *tensors) for f, tensors in pairs]
    for fast, readable in (found[:2], found[2:]):
        for one, other in zip(fast, readable, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def test_a_backward_pass_that_must_be_deterministic_is_answered(device):
    from course_lib.kernels.additive_operator import triton_additive

    q, v_a = torch.randn(1, 3, 4, device=device, requires_grad=True), torch.ones(4, device=device)
    out = triton_additive(q, q, v_a, q, None).sum()
    try:
        torch.use_deterministic_algorithms(True)
        with pytest.raises(RuntimeError, match="before the forward pass"):
            out.backward(retain_graph=True)
        torch.use_deterministic_algorithms(True, warn_only=True)
        with pytest.warns(UserWarning, match="before the forward pass"):
            out.backward()
    finally:
        torch.use_deterministic_algorithms(False)

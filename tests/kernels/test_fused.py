"""Torch's fused attention under our conventions."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from kernel_paths import gap, largest_tensor, readable_flash

from course_lib import scaled_dot_product_attention
from course_lib.kernels import fused_attention

SIZES = st.integers(1, 9)


def inputs(lead=(2,), H=4, h=2, T=6, S=9, d=3, d_v=5, dtype=torch.float64, device="cpu"):
    shapes = (*lead, H, T, d), (*lead, h, S, d), (*lead, h, S, d_v)
    return [torch.randn(shape, dtype=dtype, device=device) for shape in shapes]


@given(
    lead=st.sampled_from([(), (2,), (2, 3)]), h=st.integers(1, 2), G=st.integers(1, 3),
    T=SIZES, S=SIZES, same=st.booleans(), is_causal=st.booleans(), masked=st.booleans(),
)  # fmt: skip
def test_values_and_gradients_equal_the_readable_path(lead, h, G, T, S, same, is_causal, masked):
    tensors = inputs(lead, h * G, h, T, S, 4, 4 if same else 5)
    mask = torch.rand(*lead, 1, T, S) > 0.4 if masked else None
    settings = {"is_causal": is_causal}
    assert gap(fused_attention, readable_flash, tensors, mask, **settings) < 1e-12


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("T, S", [(6, 9), (9, 6), (8, 8), (1, 9)])
def test_a_query_that_sees_nothing_gets_zeros(T, S, dtype, device):
    tensors = [x.requires_grad_() for x in inputs(T=T, S=S, d=8, d_v=8, dtype=dtype, device=device)]
    mask = torch.ones(T, S, dtype=torch.bool, device=device)
    mask[0] = False
    out = fused_attention(*tensors, mask, is_causal=True)
    out.float().square().sum().backward()
    assert (out[:, :, 0] == 0).all() and (tensors[0].grad[:, :, 0] == 0).all()
    assert all(x.grad.isfinite().all() for x in tensors)
    wide = readable_flash(*[x.float() for x in tensors], mask, is_causal=True)
    # In half precision torch rounds the weights too.
    tolerance = {torch.float32: 1e-5, torch.float16: 4e-3, torch.bfloat16: 4e-2}[dtype]
    torch.testing.assert_close(out.float(), wide, atol=tolerance, rtol=tolerance)


def test_square_causal_holds_no_mask():
    tensors = inputs(h=4, T=64, S=64, d=4, d_v=4)
    tensors = [x[:1, :1] for x in tensors]
    largest = largest_tensor(lambda: fused_attention(*tensors, is_causal=True))
    assert largest < 8 * 64 * 64


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("autocast", [False, True])
def test_no_kernel_sees_a_bias_of_another_dtype(dtype, masked, autocast, device, monkeypatch):
    """cuDNN reads a float32 mask beside 16-bit queries as if it had 16 bits (pytorch 191612)."""
    inner, seen = torch.nn.functional.scaled_dot_product_attention, []

    def spy(q, k, v, mask, *args, **settings):
        half = q.dtype != torch.float32 or torch.is_autocast_enabled(device.type)
        seen.append((half, mask.dtype))
        return inner(q, k, v, mask, *args, **settings)

    monkeypatch.setattr(torch.nn.functional, "scaled_dot_product_attention", spy)
    q, k, v = inputs(d=8, d_v=8, dtype=dtype, device=device)
    mask = torch.rand(6, 9, device=device) > 0.4 if masked else None
    bias = 20 * torch.randn(4, 6, 9, device=device)
    with torch.autocast(device.type, torch.bfloat16, enabled=autocast):
        out = fused_attention(q, k, v, mask, bias)
    assert seen == [(False, torch.float32)]
    assert out.dtype == (torch.bfloat16 if autocast else dtype)
    exact = scaled_dot_product_attention(
        *(x.double() for x in (q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1))),
        mask, score_bias=bias,
    )[0]  # fmt: skip
    error = (out.double() - exact).norm() / exact.norm()
    assert error < {torch.float16: 1e-3, torch.bfloat16: 4e-3, torch.float32: 1e-5}[out.dtype]

"""Flash attention tile by tile: the same numbers as softmax(scale · Q Kᵀ) V."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from kernel_paths import gap, largest_tensor, readable_flash

import course_lib.kernels.flash as flash
from course_lib.kernels import flash_attention

SIZES = st.integers(1, 9)


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch):
    monkeypatch.setattr(flash, "TILE", 4)


def inputs(N=2, H=4, h=2, T=6, S=9, d=3, d_v=5, dtype=torch.float64, device="cpu"):
    shapes = (N, H, T, d), (N, h, S, d), (N, h, S, d_v)
    return [torch.randn(shape, dtype=dtype, device=device) for shape in shapes]


@given(
    N=st.integers(1, 2), h=st.integers(1, 2), G=st.integers(1, 3), T=SIZES, S=SIZES,
    d=st.integers(1, 4), d_v=st.integers(1, 4), tile=st.integers(1, 10), is_causal=st.booleans(),
)  # fmt: skip
def test_values_and_gradients_equal_the_readable_path(N, h, G, T, S, d, d_v, tile, is_causal):
    flash.TILE = tile
    tensors = inputs(N, h * G, h, T, S, d, d_v)
    assert gap(flash_attention, readable_flash, tensors, is_causal=is_causal) < 1e-12


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("T, S", [(6, 9), (9, 6), (8, 8), (1, 9), (9, 1)])
def test_on_each_device(T, S, is_causal, device):
    tensors = inputs(T=T, S=S, dtype=torch.float32, device=device)
    settings = {"is_causal": is_causal, "scale": 0.7}
    assert gap(flash_attention, readable_flash, tensors, **settings) < 1e-5


def test_a_second_derivative_is_that_of_the_formula():
    tensors = [x.requires_grad_() for x in inputs(1, 2, 1, 5, 6, 2, 2)]
    assert torch.autograd.gradgradcheck(lambda *x: flash_attention(*x, is_causal=True), tensors)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_float32(dtype, device):
    half = inputs(dtype=dtype, device=device)
    out = flash_attention(*half, is_causal=True)
    wide = readable_flash(*[x.float() for x in half], is_causal=True)
    assert out.dtype == dtype
    torch.testing.assert_close(out, wide.to(dtype))


def test_large_scores_do_not_overflow():
    q, k, v = inputs(dtype=torch.float32)
    assert flash_attention(q * 1e4, k * 1e4, v).isfinite().all()


def test_strides_and_leading_axes():
    q, k, v = inputs()
    expected = readable_flash(q, k, v)
    apart = [x.transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k, v)]
    torch.testing.assert_close(flash_attention(*apart), expected, atol=1e-12, rtol=0)
    deep = [x[None].expand(3, *x.shape) for x in (q, k, v)]
    torch.testing.assert_close(flash_attention(*deep)[2], expected, atol=1e-12, rtol=0)
    flat = flash_attention(q[0, 0], k[0, 0], v[0, 0])
    torch.testing.assert_close(flat, expected[0, 0], atol=1e-12, rtol=0)
    three = flash_attention(q[:, 0], k[:, 0], v[:, 0])
    torch.testing.assert_close(three, expected[:, 0], atol=1e-12, rtol=0)


def test_memory_is_linear():
    N, H, T, S = 1, 1, 96, 64
    tensors = [x.requires_grad_() for x in inputs(N, H, H, T, S, 4, 4, torch.float32)]

    def run(f):
        f(*tensors).sum().backward()

    assert largest_tensor(lambda: run(readable_flash)) >= 4 * T * S
    assert largest_tensor(lambda: run(flash_attention)) <= 4 * max(T, S) * 4


def test_bad_input(as_a_user):
    q, k, v = inputs()
    with pytest.raises(ValueError, match="last dimension to be 3"):
        flash_attention(q, k[..., :2], v)
    with pytest.raises(ValueError, match="lengths differ"):
        flash_attention(q, k, v[:, :, :4])
    with pytest.raises(ValueError, match="no keys"):
        flash_attention(q, k[:, :, :0], v[:, :, :0])
    with pytest.raises(
        ValueError, match=r"that divide those of q: .*\(2, 3, 6, 3\).*\(2, 2, 9, 3\)"
    ):
        flash_attention(q[:, :3], k, v)
    with pytest.raises(ValueError, match="equal batch dim"):
        flash_attention(q[:1], k, v)
    with pytest.raises(ValueError, match="equal batch dim"):
        flash_attention(q[0], k, v)
    with pytest.raises(TypeError, match="one dtype"):
        flash_attention(q.float(), k, v)
    with pytest.raises(TypeError, match="floating-point"):
        flash_attention(q.long(), k, v)
    with pytest.raises(ValueError, match="one device"):
        flash_attention(q, k.to("meta"), v)

"""The kernels of `additive_triton` as operators of torch's, which `torch.compile` keeps whole."""

import warnings
from typing import Any

import torch
import triton
from torch import Tensor

from course_lib.kernels import additive_triton
from course_lib.kernels.additive_blocked import readable_additive
from course_lib.kernels.differentiate import Gradients, readable_gradients

kernels: Any = additive_triton  # Any: where Triton is not installed, they take no [grid]


def triton_additive(
    q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None
) -> Tensor:
    """q (N, T, a), k (N, S, a), v_a (a,), values (N, S, d_v), mask (N, T, S) → (N, T, d_v)."""
    return additive(q, k, v_a, values, mask)[0].to(values.dtype)


@torch.library.custom_op("course_lib::additive", mutates_args=())
def additive(
    q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None
) -> tuple[Tensor, Tensor]:
    """The output (N, T, d_v) and log Σ exp(score) of each query (N, T), both in float32."""
    arguments, strides = _arguments(q, k, v_a, values, mask)
    (N, T, _), d_v = q.shape, values.shape[2]
    out = q.new_empty(N, T, d_v, dtype=torch.float32)
    lse = q.new_empty(N, T, dtype=torch.float32)
    sizes = tile_sizes(d_v, mask is not None)
    with torch.cuda.device_of(q):
        grid = (triton.cdiv(T, sizes["BT"]) * N,)
        kernels._forward[grid](*arguments, out, lse, *strides, **sizes)
    return out, lse


@torch.library.custom_op("course_lib::additive_backward", mutates_args=())
def additive_backward(
    d_out: Tensor, q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None,
    out: Tensor, lse: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    """The gradients of q, k, v_a and values."""
    delta = (d_out.float() * out).sum(-1)  # (N, T)
    arguments, strides = _arguments(q, k, v_a, values, mask)
    grads = [torch.zeros_like(x, dtype=torch.float32) for x in arguments[:4]]
    (N, T, _), S = q.shape, k.shape[1]
    sizes = tile_sizes(values.shape[2], mask is not None)
    with torch.cuda.device_of(q):
        grid = (triton.cdiv(T, sizes["BT"]) * triton.cdiv(S, sizes["BS"]) * N,)
        d_out = d_out.to(values.dtype).contiguous()
        kernels._backward[grid](
            *arguments, d_out, lse, delta, *grads, *strides, **sizes
        )  # fmt: skip
    dq, dk, dv_a, d_values = (g.to(x.dtype) for g, x in zip(grads, arguments, strict=False))
    return dq.mT.contiguous(), dk.mT.contiguous(), dv_a, d_values


@additive.register_fake
def _(
    q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None
) -> tuple[Tensor, Tensor]:
    shape = *q.shape[:2], values.shape[2]
    return q.new_empty(shape, dtype=torch.float32), q.new_empty(shape[:2], dtype=torch.float32)


@additive_backward.register_fake
def _(
    d_out: Tensor, q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None,
    out: Tensor, lse: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    dq, dk, dv_a, d_values = (x.new_empty(x.shape) for x in (q, k, v_a, values))
    return dq, dk, dv_a, d_values


def _setup(ctx: Any, inputs: tuple, output: tuple[Tensor, Tensor]) -> None:
    ctx.save_for_backward(*inputs, *output)


def _backward(ctx: Any, d_out: Tensor, _: Tensor) -> Gradients:
    *inputs, out, lse = ctx.saved_tensors
    if torch.is_grad_enabled():
        return readable_gradients(readable_additive, tuple(inputs), d_out)
    if torch.are_deterministic_algorithms_enabled():  # since the forward pass: it chose the kernel
        _refuse_changing_order()
    return *additive_backward(d_out, *inputs, out, lse), None


additive.register_autograd(_backward, setup_context=_setup)


def _refuse_changing_order() -> None:
    """An error or a warning, as `torch.use_deterministic_algorithms` was told."""
    message = (
        "the Triton kernel of additive attention adds its gradients in an order that changes. "
        "Call torch.use_deterministic_algorithms(True) before the forward pass, which then takes "
        "another path."
    )
    if not torch.is_deterministic_algorithms_warn_only_enabled():
        raise RuntimeError(message)
    warnings.warn(message, stacklevel=3)


def _arguments(
    q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None
) -> tuple[tuple[Tensor, ...], tuple[int, ...]]:
    """What both kernels read: features before tokens, and the mask by its strides."""
    q, k = q.mT.contiguous(), k.mT.contiguous()
    seen = q if mask is None else mask.view(torch.uint8)
    tensors = q, k, v_a.contiguous(), values.contiguous(), seen
    mask_strides = (0, 0, 0) if mask is None else mask.stride()
    return tensors, (q.shape[2], k.shape[2], q.shape[1], values.shape[2], *mask_strides)


def tile_sizes(d_v: int, masked: bool) -> dict[str, object]:
    wide = d_v > 64
    return {
        "D": max(16, triton.next_power_of_2(d_v)),  # tl.dot takes no fewer than 16
        "BT": 16 if wide else 32,
        "BS": 32,
        "MASKED": masked,
        "num_warps": 8 if wide else 4,
        "num_stages": 3,
    }

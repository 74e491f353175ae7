"""Additive attention without the (T, S, a) tensor: checks, choice of path, and the result."""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd.function import FunctionCtx, once_differentiable

from course_lib.checks import (
    check_attention_inputs,
    check_floating,
    check_last_dim,
    check_mask,
    check_same_device,
)
from course_lib.kernels.additive_blocked import BlockedAdditive, in_range, rows_per_block
from course_lib.kernels.choose import WIDE, choose_additive
from course_lib.softmax import masked_softmax_unchecked

FLOATS = (*WIDE, torch.float16, torch.bfloat16)


def additive_attention(
    query_proj: Float[Tensor, "... T a"],
    key_proj: Float[Tensor, "... S a"],
    v_a: Float[Tensor, " a"],
    values: Float[Tensor, "... S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
) -> Float[Tensor, "... T d_v"]:
    """Additive attention, exact, with memory linear in T and in S.

        out_t = Σ_s softmax_s(v_aᵀ tanh(q_t + k_s)) values_s

    query_proj = W_a s (..., T, a), key_proj = U_a h (..., S, a), v_a (a,), values (..., S, d_v)
        → (..., T, d_v). Half precision is computed in float32. Can be differentiated once.
    mask: boolean, broadcastable to (..., T, S), True = may attend; a query with nothing to
        attend to gets zeros.
    Raises ValueError for shapes that do not fit, TypeError for what is not floating point and
        for a mask that is not boolean.
    Bahdanau, Cho & Bengio (2015). `explain(..., score="additive")` says which path runs.
    """
    if not _plainly_fit(query_proj, key_proj, v_a, values):
        _check(query_proj, key_proj, v_a, values)
    if mask is not None:
        scores_shape = (*query_proj.shape[:-1], key_proj.shape[-2])
        check_mask(mask, scores_shape, query_proj.device)

    path = choose_additive(query_proj, key_proj, values).name
    device = query_proj.device.type
    autocast = torch.is_autocast_enabled(device)
    if path == "direct" and not autocast and values.dtype in WIDE:
        return _direct(query_proj, key_proj, v_a, values, mask)
    dtype = torch.get_autocast_dtype(device) if autocast else values.dtype
    *lead, T, a = query_proj.shape
    S, d_v = values.shape[-2:]
    if mask is not None:
        mask = mask.expand(*lead, T, S).reshape(-1, T, S)
    q, k, val = query_proj.reshape(-1, T, a), key_proj.reshape(-1, S, a), values.reshape(-1, S, d_v)
    with torch.autocast(device, enabled=False):
        if path == "triton":
            from course_lib.kernels.additive_triton import TritonAdditive

            out = TritonAdditive.apply(q, k, v_a, val, mask)
        else:
            wide = torch.promote_types(torch.float32, values.dtype)
            q, k, v_a, val = (x.to(wide) for x in (q, k, v_a, val))
            if path == "direct":
                out = _direct(q, k, v_a, val, mask)
            elif in_range(q, k):
                out = BlockedAdditive.apply(q, k, v_a, val, mask)
            else:
                out = RecomputedAdditive.apply(q, k, v_a, val, mask)
    return out.to(dtype).reshape(*lead, T, d_v)


def _plainly_fit(q: Tensor, k: Tensor, v_a: Tensor, values: Tensor) -> bool:
    """A quick look: at T = S = 16 the full checks would cost as much as the tanh."""
    try:
        *lead_q, _, a_q = q.shape
        *lead_k, S_k, a_k = k.shape
        *lead_v, S_v, _ = values.shape
        return (
            q.dtype == k.dtype == v_a.dtype == values.dtype in FLOATS
            and q.device == k.device == v_a.device == values.device
            and lead_q == lead_k == lead_v
            and (a_q,) == (a_k,) == v_a.shape
            and S_k == S_v > 0
        )
    except (AttributeError, ValueError):  # not tensors, or too few axes: the checks say so
        return False


def _check(q: Tensor, k: Tensor, v_a: Tensor, values: Tensor) -> None:
    check_attention_inputs(q, k, values)
    check_floating(v_a=v_a)
    check_same_device(query_proj=q, v_a=v_a)
    if v_a.ndim != 1:
        raise ValueError(f"v_a must have shape (a,), got {tuple(v_a.shape)}.")
    for name, tensor in (("query_proj", q), ("key_proj", k)):
        check_last_dim(name, tensor, v_a.shape[0], f"v_a of shape {tuple(v_a.shape)}")


class RecomputedAdditive(torch.autograd.Function):
    """The direct path a few queries at a time, each block computed again in the backward."""

    @staticmethod
    def forward(
        ctx: FunctionCtx, q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None
    ) -> Tensor:
        ctx.save_for_backward(q, k, v_a, values, mask)
        return torch.cat([_direct(q[:, t], k, v_a, values, m) for t, m in _rows(q, k, mask)], 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: FunctionCtx, grad_out: Tensor) -> tuple[Tensor | None, ...]:
        q, *shared, mask = ctx.saved_tensors
        shared = [x.detach().requires_grad_() for x in shared]
        grad_q, grads = torch.empty_like(q), [torch.zeros_like(x) for x in shared]
        for t, m in _rows(q, shared[0], mask):
            block = q[:, t].detach().requires_grad_()
            with torch.enable_grad():
                out = _direct(block, *shared, m)
            grad_q[:, t], *more = torch.autograd.grad(out, [block, *shared], grad_out[:, t])
            for total, part in zip(grads, more, strict=True):
                total += part
        return grad_q, *grads, None


def _rows(q: Tensor, k: Tensor, mask: Tensor | None) -> Iterator[tuple[slice, Tensor | None]]:
    step = rows_per_block(k.numel())
    for start in range(0, q.shape[1], step):
        t = slice(start, start + step)
        yield t, None if mask is None else mask[:, t]


def _direct(
    q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None = None
) -> Tensor:
    """All of (T, S, a) at once. tanh x = 2σ(2x) − 1, and torch's σ takes a quarter of its tanh's
    time on a CPU; the softmax does not see the −Σ v_a that every score has in common."""
    hidden = (q.unsqueeze(-2) + k.unsqueeze(-3)).mul_(2).sigmoid_()  # (..., T, S, a)
    scores = hidden @ (2 * v_a)
    weights = torch.softmax(scores, -1) if mask is None else masked_softmax_unchecked(scores, mask)
    # At T = S = 16 the reshapes of @, back and forth, take a seventh of the whole time.
    return torch.bmm(weights, values) if values.ndim == 3 else weights @ values

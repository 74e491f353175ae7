"""Scaled dot-product attention without the weights: torch's fused kernel, under our conventions.

A kernel's own backward pass cannot be differentiated once more: derivatives of derivatives are
those of the formula.
"""

import math
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.formulas.masks import causal_mask
from course_lib.formulas.precision import HALF, autocasts, no_autocast
from course_lib.formulas.scaled_dot_product import scaled_dot_product_attention as formula
from course_lib.kernels.differentiate import Gradients, readable_gradients


def fused_attention(
    q: Float[Tensor, "... T d"],
    k: Float[Tensor, "... S d"],
    v: Float[Tensor, "... S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
    score_bias: Float[Tensor, "..."] | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    dropout_p: float = 0.0,
) -> Float[Tensor, "... T d_v"]:
    """Scaled dot-product attention through `F.scaled_dot_product_attention`.

        O = softmax(scale · Q Kᵀ + bias) V

    q (..., T, d), k (..., S, d), v (..., S, d_v) → (..., T, d_v). The heads, third from the
    right, may be grouped: k and v may have fewer, if their number divides that of q. A query with
    nothing to attend to gets zeros. Beside a bias, half precision is computed in float32. The
    caller has checked the shapes.

    Args:
        is_causal: bottom-right, as in `causal_mask` (torch itself aligns top-left); joins the
            mask.
    """
    inputs = q, k, v, mask, score_bias
    settings = {"is_causal": is_causal, "scale": scale, "dropout_p": dropout_p}
    T, S, lead = q.shape[-2], k.shape[-2], q.shape[:-2]
    top_left = grouped = False  # torch asks for Python's; a graph or a trace compares symbols
    if is_causal and 1 < T == S and mask is None and score_bias is None:
        top_left = True
    if q.ndim > 2 and q.shape[-3] != k.shape[-3]:
        grouped = True
    mask, score_bias = _as_four(mask, lead), _as_four(score_bias, lead)
    q, k, v = as_four(q), as_four(k), as_four(v)  # torch's fused kernels take nothing else
    if grouped and T == 1:  # the queries of a group are rows of one product
        G, grouped = k.shape[1], False
        q = q.reshape(-1, G, q.shape[1] // G, q.shape[-1])
        mask, score_bias = _as_rows(mask, G), _as_rows(score_bias, G)
    dtype = q.dtype
    if autocasts(q) and dtype != torch.float64:
        dtype = torch.get_autocast_dtype(q.device.type)
    context = nullcontext()
    if score_bias is not None and dtype in HALF:
        # In 16 bits a bias is rounded, and cuDNN misreads a wider one (pytorch 191612).
        q, k, v, context = q.float(), k.float(), v.float(), no_autocast(q)
    if is_causal and not top_left and T > 1:  # a single last query sees every key
        causal = causal_mask(T, S, device=q.device)
        mask = causal if mask is None else mask & causal
    any_key = None
    if mask is not None and (q.is_cuda or score_bias is not None):
        # Torch's CPU kernels give zeros to a fully masked row; not all of its CUDA ones do.
        any_key = mask.any(-1, keepdim=True)
        mask = mask | ~any_key
    if score_bias is not None:  # torch takes one of the two: floats, -inf where the mask hides
        score_bias = score_bias.to(torch.promote_types(q.dtype, torch.float32))
        mask = score_bias if mask is None else torch.where(mask, score_bias, -math.inf)
    with context:
        out = F.scaled_dot_product_attention(
            q, k, v, mask, dropout_p, top_left, scale=scale, enable_gqa=grouped
        )
    if any_key is not None:
        out = out.masked_fill(~any_key, 0.0)
    out = out.reshape(*lead, T, v.shape[-1]).to(dtype)
    if torch.compiler.is_compiling():
        return out
    # Torch adds -inf to a hidden score, and NaN stays NaN. A GPU is not stopped to look.
    if inputs[3] is not None and out.device.type == "cpu" and out.isnan().any():
        return formula(*inputs, **settings)[0]
    if not out.requires_grad:
        return out
    return DifferentiableAgain.apply(partial(_readable, **settings), out, *inputs)


def _readable(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, score_bias: Tensor | None, *,
    dropout_p: float, **settings: Any,
) -> Tensor:  # fmt: skip
    """The same by the formula, for derivatives of derivatives."""
    if dropout_p > 0:
        raise RuntimeError(
            "torch's fused attention drew its dropout inside the kernel, where no second "
            "derivative reaches it. Ask for the weights (need_weights=True), or set it to 0."
        )
    return formula(q, k, v, mask, score_bias, **settings)[0]


class DifferentiableAgain(torch.autograd.Function):
    """`out`, which a kernel of torch's made of `inputs`, with derivatives of every order.

    A first derivative goes to torch's own backward pass, through `out`. A second one would be
    refused there, and goes to the inputs by the readable formula instead.
    """

    @staticmethod
    def forward(
        ctx: Any, readable: Callable[..., Tensor], out: Tensor, *inputs: Tensor | None
    ) -> Tensor:
        ctx.readable = readable
        ctx.save_for_backward(*inputs)
        return out.view_as(out)

    @staticmethod
    def backward(ctx: Any, grad_out: Tensor) -> Gradients:  # type: ignore  # the stub has *grads
        if not torch.is_grad_enabled():
            return None, grad_out, *(None for _ in ctx.saved_tensors)
        return None, None, *readable_gradients(ctx.readable, ctx.saved_tensors, grad_out)


def as_four(x: Tensor) -> Tensor:
    """(T, d) → (1, 1, T, d), (H, T, d) → (1, H, T, d), (..., H, T, d) → (N, H, T, d)."""
    if x.ndim == 4:
        return x
    return x.flatten(0, -4) if x.ndim > 4 else x[(None,) * (4 - x.ndim)]


def _as_four(x: Tensor | None, lead: tuple[int, ...]) -> Tensor | None:
    """A mask or bias beside tensors of four axes: of two axes where it broadcasts anyway."""
    if x is None or x.ndim <= 2:
        return None if x is None else torch.atleast_2d(x)
    return x if len(lead) == 2 else as_four(x.expand(*lead, *x.shape[-2:]))


def _as_rows(x: Tensor | None, groups: int) -> Tensor | None:
    """A mask or bias of one query, (..., H, 1, S) → (..., G, H/G, S); one for all heads stays."""
    if x is None or x.ndim < 3 or x.shape[-3] == 1:
        return x
    return x.squeeze(-2).unflatten(-2, (groups, -1))

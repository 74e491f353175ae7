"""Torch's fused attention under our conventions: masks, alignment, grouped heads, any batch."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.kernels.choose import choose_scaled_dot
from course_lib.kernels.flash import flash_attention
from course_lib.kernels.layout import as_four
from course_lib.masks import causal_mask


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
        right, may be grouped: k and v may have fewer, if their number divides that of q.
    is_causal: bottom-right, as in `causal_mask` (torch itself aligns top-left); joins the mask.
    A query with nothing to attend to gets zeros. The caller has checked the shapes.
    """
    T, S = q.shape[-2], k.shape[-2]
    grouped = q.ndim > 2 and q.shape[-3] != k.shape[-3]
    if is_causal and (mask is not None or score_bias is not None or T != S):
        path = choose_scaled_dot(q, k, v, mask, is_causal, dropout_p)
        if path.name == "triton" and score_bias is None:
            return flash_attention(q, k, v, is_causal=True, scale=scale)
        if T > 1:  # a single last query sees every key
            causal = causal_mask(T, S, device=q.device)
            mask = causal if mask is None else mask & causal
        is_causal = False
    lead = q.shape[:-2]
    if q.ndim != 4:  # torch's fused kernels take (batch, heads, length, d) and nothing else
        if mask is not None and mask.ndim > 2:
            mask = as_four(mask.expand(*lead, *mask.shape[-2:]))
        if score_bias is not None and score_bias.ndim > 2:
            score_bias = as_four(score_bias.expand(*lead, *score_bias.shape[-2:]))
        q, k, v = as_four(q), as_four(k), as_four(v)
    some = None
    if mask is not None and (q.is_cuda or score_bias is not None):
        # Torch's CPU kernels give zeros to a fully masked row; not all of its CUDA ones do.
        some = mask.any(-1, keepdim=True)
        mask = mask | ~some
    if score_bias is not None:  # torch takes one of the two: floats, -inf where the mask hides
        score_bias = score_bias.to(q.dtype)
        mask = score_bias if mask is None else torch.where(mask, score_bias, -math.inf)
    out = F.scaled_dot_product_attention(
        q, k, v, mask, dropout_p, is_causal, scale=scale, enable_gqa=grouped
    )
    if some is not None:
        out = out.masked_fill(~some, 0.0)
    return out if len(lead) == 2 else out.reshape(*lead, T, v.shape[-1])

"""Scaled dot-product attention without the weights: by the path that was chosen, or none."""

import torch
from torch import Tensor

from course_lib.kernels.choose import choose_scaled_dot
from course_lib.kernels.flash import flash_attention
from course_lib.kernels.fused import fused_attention


def scaled_dot_context(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
    *,
    is_causal: bool = False,
    scale: float | Tensor | None = None,
    dropout_p: float = 0.0,
) -> Tensor | None:
    """The context by the path that `choose_scaled_dot` names; None when that is the formula,
    or when the path finds NaN where the formula might not: behind the mask."""
    settings = {"is_causal": is_causal, "scale": scale, "dropout_p": dropout_p}
    path = choose_scaled_dot(q, k, v, mask, score_bias, **settings).name
    if path == "triton" and not isinstance(scale, Tensor):
        return flash_attention(q, k, v, is_causal=is_causal, scale=scale)
    if path == "torch":
        out = fused_attention(q, k, v, mask, score_bias, **settings)
        # Torch adds -inf to a hidden score, and NaN stays NaN. A GPU is not stopped to look.
        if mask is None or out.device.type != "cpu" or torch.compiler.is_compiling():
            return out
        return None if out.isnan().any() else out
    return None

"""Derivatives of derivatives: the kernels leave them to the readable formula.

A kernel's own backward pass is no formula that autograd could differentiate once more. When it is
asked to (`create_graph=True`), the gradients are those of the readable formula instead, with a
graph and with its memory.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.formulas.masks import causal_mask
from course_lib.formulas.precision import product
from course_lib.formulas.scores import scaled_dot_scores
from course_lib.formulas.softmax import masked_softmax

Gradients = tuple[Tensor | None, ...]  # one for each input, None where none is needed


def readable_gradients(
    readable: Callable[..., Tensor], inputs: tuple[Tensor | None, ...], grad_out: Tensor
) -> Gradients:
    """The gradient of `readable(*inputs)` for each input, None where none is needed."""
    wanted = [x for x in inputs if x is not None and x.requires_grad]
    out = readable(*inputs)
    found = iter(torch.autograd.grad(out, wanted, grad_out.to(out.dtype), create_graph=True))
    return tuple(next(found) if x is not None and x.requires_grad else None for x in inputs)


def readable_flash(q: Tensor, k: Tensor, v: Tensor, is_causal: bool, scale: float) -> Tensor:
    """What flash attention computes, q (N, H, T, d), k and v (N, H / G, S, d), by the formula."""
    dtype = q.dtype
    q, k, v = (x.to(torch.promote_types(torch.float32, dtype)) for x in (q, k, v))
    mask = causal_mask(q.shape[-2], k.shape[-2], device=q.device) if is_causal else None
    weights = masked_softmax(scaled_dot_scores(q, k, scale), mask)  # (N, H, T, S)
    return product(weights, v).to(dtype)

"""The formula a few queries at a time, each block computed again in the backward pass.

For what the exponentials of `additive_blocked` cannot hold, or would round too much.
"""

from functools import partial

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from course_lib.kernels.additive_blocked import readable_additive, rows_per_block


def recomputed_additive(
    q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None
) -> Tensor:
    """q (N, T, a), k (N, S, a), v_a (a,), values (N, S, d_v), mask (N, T, S) → (N, T, d_v)."""
    step = rows_per_block(k.numel())
    blocks = q.split(step, 1)
    masks = [None] * len(blocks) if mask is None else mask.split(step, 1)
    attend = readable_additive
    if torch.is_grad_enabled():  # else it would import the compiler for nothing
        again = {"use_reentrant": False, "preserve_rng_state": False}  # nothing is drawn at random
        attend = partial(checkpoint, readable_additive, **again)
    pairs = zip(blocks, masks, strict=True)
    return torch.cat([attend(block, k, v_a, values, seen) for block, seen in pairs], 1)

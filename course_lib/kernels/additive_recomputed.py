"""The formula a few queries at a time, each block computed again in the backward pass.

For what the exponentials of `additive_blocked` cannot hold, or would round too much.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from course_lib.kernels.additive_blocked import readable_additive, rows_per_block
from course_lib.kernels.differentiate import Gradients, readable_gradients


class RecomputedAdditive(torch.autograd.Function):
    """q (N, T, a), k (N, S, a), v_a (a,), values (N, S, d_v), mask (N, T, S) → (N, T, d_v)."""

    @staticmethod
    def forward(
        ctx: Any, q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None
    ) -> Tensor:
        ctx.save_for_backward(q, k, v_a, values, mask)
        blocks = _blocks(q, k, mask)
        return torch.cat([readable_additive(q[:, t], k, v_a, values, m) for t, m in blocks], 1)

    @staticmethod
    def backward(ctx: Any, grad_out: Tensor) -> Gradients:  # type: ignore  # the stub has *grads
        if torch.is_grad_enabled():
            return readable_gradients(readable_additive, ctx.saved_tensors, grad_out)
        q, *shared, mask = ctx.saved_tensors
        shared = [x.detach().requires_grad_() for x in shared]
        grad_q, grads = torch.empty_like(q), [torch.zeros_like(x) for x in shared]
        for t, m in _blocks(q, shared[0], mask):
            block = q[:, t].detach().requires_grad_()
            with torch.enable_grad():
                out = readable_additive(block, *shared, mask=m)
            grad_q[:, t], *more = torch.autograd.grad(out, [block, *shared], grad_out[:, t])
            for total, part in zip(grads, more, strict=True):
                total += part
        return grad_q, *grads, None


def _blocks(q: Tensor, k: Tensor, mask: Tensor | None) -> Iterator[tuple[slice, Tensor | None]]:
    step = rows_per_block(k.numel())
    for start in range(0, q.shape[1], step):
        t = slice(start, start + step)
        yield t, None if mask is None else mask[:, t]

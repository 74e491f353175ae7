"""Derivatives of derivatives: the kernels leave them to the readable formula.

A kernel's own backward pass is no formula that autograd could differentiate once more. When it is
asked to (`create_graph=True`), the gradients are those of the readable formula instead, with a
graph and with its memory.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Gradients = tuple[Tensor | None, ...]  # one for each input, None where none is needed


def readable_gradients(
    readable: Callable[..., Tensor], inputs: tuple[Tensor | None, ...], grad_out: Tensor
) -> Gradients:
    """The gradient of `readable(*inputs)` for each input, None where none is needed."""
    wanted = [x for x in inputs if x is not None and x.requires_grad]
    out = readable(*inputs)
    found = iter(torch.autograd.grad(out, wanted, grad_out.to(out.dtype), create_graph=True))
    return tuple(next(found) if x is not None and x.requires_grad else None for x in inputs)


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

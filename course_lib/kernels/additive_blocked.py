"""Additive attention a few queries at a time, without one tanh for each pair.

The exponential of a sum is a product, so what the tanh of a sum needs can be computed once for
each query and once for each key. With f = exp(−2q) and e = exp(2k):

    tanh(q + k) = (e − f) / (e + f) = 1 − 2 f u,   u = 1 / (f + e)

Each pair costs one addition and one reciprocal. The 1 adds Σ v_a to every score of a row; the
softmax does not see it. The derivative is 1 − tanh² = 4 f e u².

The price: 1 − 2 f u is off by eps even where the tanh is nearly 0, so a score is off by up to
eps · Σ |v_a|, eps being 1.2e-7 in float32, where the formula itself would be off by eps times the
score. `why_inexact` says where that is too much.

Tensors are laid out (a, N, T, S): each sum that the two passes need is then a batched product.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from course_lib.formulas.precision import HALF
from course_lib.formulas.scaled_dot_product import attend
from course_lib.formulas.scores import additive_scores
from course_lib.formulas.softmax import masked_softmax
from course_lib.kernels.differentiate import Gradients, readable_gradients
from course_lib.kernels.side_by_side import side_by_side

Block = tuple[slice, slice]  # of N and of T

BLOCK_NUMBERS = 2**20  # numbers in one block: 4 MiB of float32, which stay in the cache
# The largest |q| and |k|: then u² and e · u² stay far inside the dtype, exp(4 · 15) = 1e26.
MAX_EXPONENT = {torch.float64: 120.0}
MAX_EXPONENT_FLOAT32 = 15.0
MAX_SUM_V_A = 256.0  # of |v_a|: a score is off by 256 eps at most, 3e-5 in float32


def rows_per_block(numbers_per_row: int) -> int:
    return max(1, BLOCK_NUMBERS // numbers_per_row)


def why_inexact(q: Tensor, k: Tensor, v_a: Tensor | None) -> str | None:
    """Why the exponentials will not do for these numbers; None when they will."""
    _, largest = _shift(q, k)
    limit = MAX_EXPONENT.get(q.dtype, MAX_EXPONENT_FLOAT32)
    if not largest <= limit:  # NaN is not
        return f"the projections reach {largest.item():.3g}, and exp(4 · {limit:.0f}) is the most"
    total = (
        0.0 if v_a is None else v_a.abs().sum(dtype=torch.promote_types(v_a.dtype, torch.float32))
    )
    if not total <= MAX_SUM_V_A:
        return f"Σ|v_a| = {total:.3g} times the rounding of 1 is too much beside a small tanh"
    return None


def readable_additive(
    q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None = None
) -> Tensor:
    """The formula itself, half precision in float32."""
    dtype = values.dtype
    if dtype in HALF or q.dtype != dtype:  # under autocast they may differ
        wide = torch.promote_types(torch.float32, dtype)
        return readable_additive(*(x.to(wide) for x in (q, k, v_a, values)), mask=mask).to(dtype)
    return attend(additive_scores(q, k, v_a), values, mask)[0]


class BlockedAdditive(torch.autograd.Function):
    """q (N, T, a), k (N, S, a), v_a (a,), values (N, S, d_v), mask (N, T, S) → (N, T, d_v)."""

    @staticmethod
    def forward(
        ctx: Any, q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None
    ) -> Tensor:
        ctx.save_for_backward(q, k, v_a, values, mask)
        shift, _ = _shift(q, k)
        out = q.new_empty(*q.shape[:2], values.shape[2])

        def attend(blocks: Sequence[Block]) -> None:
            part = _sentences(blocks)
            f, e, row_weights, buffer = _prepare(q[part], k[part], v_a, shift)
            for n, t in blocks:
                i = _within(n, part)
                u = _reciprocals(f[:, i, t], e[:, i], buffer)
                out[n, t] = _weights(u, row_weights[i, t], mask, n, t) @ values[n]

        side_by_side(attend, _blocks(q, k), q.device)
        return out

    @staticmethod
    def backward(ctx: Any, grad_out: Tensor) -> Gradients:  # type: ignore  # the stub has *grads
        q, k, v_a, values, mask = ctx.saved_tensors
        with torch.autocast(q.device.type, enabled=False):
            if torch.is_grad_enabled():
                return readable_gradients(readable_additive, ctx.saved_tensors, grad_out)
            return (*_backward(q, k, v_a, values, mask, grad_out), None)


def _backward(
    q: Tensor, k: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None, grad_out: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    shift, _ = _shift(q, k)
    slope = 4 * v_a[:, None, None]
    grad_q, grad_k, grad_v_a, grad_values = (torch.zeros_like(x) for x in (q, k, v_a, values))

    def sums(blocks: Sequence[Block]) -> tuple[slice, Tensor, Tensor, Tensor]:
        """What these blocks add for the keys, v_a and the values of their sentences."""
        part = _sentences(blocks)
        f, e, row_weights, buffer = _prepare(q[part], k[part], v_a, shift)
        e_and_one = torch.stack([e, torch.ones_like(e)], -1)  # (a, n, S, 2)
        sum_k, sum_v_a, sum_values = map(torch.zeros_like, (e, v_a, values[part]))
        for n, t in blocks:
            i = _within(n, part)
            f_block, grad_block = f[:, i, t], grad_out[n, t]
            u = _reciprocals(f_block, e[:, i], buffer)  # (a, n, t, S)
            weights = _weights(u, row_weights[i, t], mask, n, t)  # (n, t, S)
            sum_values[i] += weights.mT @ grad_block
            grad_weights = grad_block @ values[n].mT
            delta = (weights * grad_weights).sum(-1, keepdim=True)
            grad_scores = weights * (grad_weights - delta)  # (n, t, S), each row sums to 0

            y = u.square_().mul_(grad_scores)
            products = y @ e_and_one[:, i]  # (a, n, t, 2)
            inner = f_block * products[..., 0]  # Σ_s g f e u²
            grad_q[n, t] = (slope * inner).permute(1, 2, 0)
            # f u = f (f + e) u², so the sum for v_a comes from the same two products.
            sum_v_a -= 2 * (inner + f_block.square() * products[..., 1]).sum((1, 2))
            sum_k[:, i] += (f_block[..., None, :] @ y)[..., 0, :]
        return part, (slope * e * sum_k).permute(1, 2, 0), sum_v_a, sum_values

    for part, sum_k, sum_v_a, sum_values in side_by_side(sums, _blocks(q, k), q.device):
        grad_k[part] += sum_k
        grad_v_a += sum_v_a
        grad_values[part] += sum_values
    return grad_q, grad_k, grad_v_a, grad_values


def _shift(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    """What to take from each feature of q and give to k, so that both lie around the same.

    Beside these (a,) the largest number that q and k then have.
    """
    low_q, high_q = q.flatten(0, -2).aminmax(dim=0)  # (a,)
    low_k, high_k = k.flatten(0, -2).aminmax(dim=0)
    shift = (low_q + high_q - low_k - high_k) / 4
    ends = torch.stack([low_q - shift, high_q - shift, low_k + shift, high_k + shift])
    return shift, ends.abs().amax()


def _prepare(
    q: Tensor, k: Tensor, v_a: Tensor, shift: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """f (a, N, T), e (a, N, S), the weights −2 v_a f (N, T, a) of each row, and the buffer."""
    f = (-2 * (q - shift)).exp_()
    e = (2 * (k + shift)).exp_().permute(2, 0, 1).contiguous()
    N, S, a = k.shape
    rows = min(rows_per_block(a * S), N * q.shape[1])
    return f.permute(2, 0, 1).contiguous(), e, -2 * v_a * f, q.new_empty(a * S * rows)


def _blocks(q: Tensor, k: Tensor) -> list[Block]:
    """Slices of N and T that fill a buffer: whole sentences if they fit, else rows of one."""
    (N, T, a), S = q.shape, k.shape[1]
    rows = rows_per_block(a * S)
    batch, rows = (rows // T, T) if rows >= T else (1, rows)
    return [
        (slice(n, min(n + batch, N)), slice(t, min(t + rows, T)))
        for n in range(0, N, batch)
        for t in range(0, T, rows)
    ]


def _sentences(blocks: Sequence[Block]) -> slice:
    return slice(blocks[0][0].start, blocks[-1][0].stop)


def _within(n: slice, part: slice) -> slice:
    return slice(n.start - part.start, n.stop - part.start)


def _reciprocals(f: Tensor, e: Tensor, buffer: Tensor) -> Tensor:
    """u = 1 / (f + e), written into the buffer: (a, n, t, S)."""
    a, n, t, S = *f.shape, e.shape[-1]
    u = buffer[: a * n * t * S].view(a, n, t, S)
    return torch.add(f[..., None], e[:, :, None], out=u).reciprocal_()


def _weights(u: Tensor, row_weights: Tensor, mask: Tensor | None, n: slice, t: slice) -> Tensor:
    """The attention weights of one block (n, t, S)."""
    a, *block = u.shape  # each row has its own weights over the a features
    scores = row_weights.reshape(-1, 1, a) @ u.view(a, -1, block[-1]).transpose(0, 1)
    return masked_softmax(scores.view(block), None if mask is None else mask[n, t])

"""Flash attention, readable: exact, tile by tile, with memory linear in T and in S.

Forward: walk over the keys with a running maximum m and a running sum l, as `online_softmax`
does, and rescale the sum so far, acc, by alpha = exp(m − m') whenever m grows. Keep
lse = m + log l for each query. Backward: compute each tile again, P = exp(S − lse), and use
    dV = Pᵀ dO,   dS = P ∘ (dO Vᵀ − delta),   delta = rowsum(dO ∘ O),
    dQ = scale · dS K,   dK = scale · dSᵀ Q.
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.formulas.precision import no_autocast
from course_lib.kernels.choose import choose_flash
from course_lib.kernels.differentiate import Gradients, readable_flash, readable_gradients
from course_lib.kernels.fused import as_four, fused_attention

TILE = 256  # queries and keys in one tile


def flash_context(
    q: Float[Tensor, "... T d"],
    k: Float[Tensor, "... S d"],
    v: Float[Tensor, "... S d_v"],
    is_causal: bool,
    scale: float,
) -> Float[Tensor, "... T d_v"]:
    """softmax(scale · Q Kᵀ) V by the path that `choose_flash` names, of tensors that fit."""
    path = choose_flash(q, k, v).name
    with no_autocast(q):
        out = _run(path, as_four(q), as_four(k), as_four(v), is_causal, scale)
    return out.reshape(*q.shape[:-1], v.shape[-1])


def triton_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: None, score_bias: None, *, is_causal: bool,
    scale: float | None, dropout_p: float,
) -> Tensor:  # fmt: skip
    """The same by Triton's kernel, chosen where nothing but the future is hidden."""
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    with no_autocast(q):
        out = _run("triton", as_four(q), as_four(k), as_four(v), is_causal, float(scale))
    return out.reshape(*q.shape[:-1], v.shape[-1])


def _run(path: str, q: Tensor, k: Tensor, v: Tensor, is_causal: bool, scale: float) -> Tensor:
    if path == "triton":
        from course_lib.kernels.flash_operator import triton_flash

        return triton_flash(q, k, v, is_causal, scale)
    if path == "tiled":
        return TiledFlash.apply(q, k, v, is_causal, scale)
    if path == "torch":
        return fused_attention(q, k, v, is_causal=is_causal, scale=scale)
    return readable_flash(q, k, v, is_causal, scale)


class TiledFlash(torch.autograd.Function):
    """q (N, H, T, d), k (N, H / G, S, d), v (N, H / G, S, d_v) → (N, H, T, d_v)."""

    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, is_causal: bool, scale: float) -> Tensor:
        Q, K, V = _grouped(q, k, v)
        out = Q.new_zeros(*Q.shape[:-1], V.shape[-1])  # (N, h, G, T, d_v)
        lse = Q.new_full(Q.shape[:-1], math.inf)  # +inf makes exp(S − lse) = 0: sees no key
        for t in _tiles(Q.shape[-2]):
            m = Q.new_full((*Q.shape[:3], len(t), 1), -math.inf)
            total = torch.zeros_like(m)  # l
            acc = out[..., t.start : t.stop, :]
            for s in _tiles(_last_key(t, Q, K, is_causal)):
                scores = _scores(Q, K, t, s, is_causal, scale)  # (N, h, G, t, s)
                new_m = torch.maximum(m, scores.amax(-1, keepdim=True))
                shift = torch.where(new_m == -math.inf, 0.0, new_m)
                P = (scores - shift).exp_()
                alpha = (m - shift).exp_()
                total = total * alpha + P.sum(-1, keepdim=True)
                acc.mul_(alpha).add_(P @ V[..., s.start : s.stop, :])
                m = new_m
            any_key = total > 0
            acc.div_(torch.where(any_key, total, 1.0))
            lse[..., t.start : t.stop] = torch.where(any_key, m + total.log(), math.inf)[..., 0]
        out = out.flatten(1, 2).to(q.dtype)
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.settings = is_causal, scale
        return out

    @staticmethod
    def backward(ctx: Any, grad_out: Tensor) -> Gradients:  # type: ignore  # the stub has *grads
        q, k, v, out, lse = ctx.saved_tensors
        is_causal, scale = ctx.settings
        if torch.is_grad_enabled():
            readable = partial(readable_flash, is_causal=is_causal, scale=scale)
            return *readable_gradients(readable, (q, k, v), grad_out), None, None
        Q, K, V = _grouped(q, k, v)
        dO = grad_out.unflatten(1, Q.shape[1:3]).to(Q.dtype)
        delta = (dO * out.unflatten(1, Q.shape[1:3])).sum(-1, keepdim=True)
        dQ, dK, dV = torch.zeros_like(Q), torch.zeros_like(K), torch.zeros_like(V)
        for t in _tiles(Q.shape[-2]):
            rows = slice(t.start, t.stop)
            for s in _tiles(_last_key(t, Q, K, is_causal)):
                keys = slice(s.start, s.stop)
                scores = _scores(Q, K, t, s, is_causal, scale)
                P = (scores - lse[..., rows, None]).exp_()
                dV[..., keys, :] += (P.mT @ dO[..., rows, :]).sum(2, keepdim=True)
                dP = dO[..., rows, :] @ V[..., keys, :].mT
                dS = P * (dP - delta[..., rows, :]) * scale
                dQ[..., rows, :] += dS @ K[..., keys, :]
                dK[..., keys, :] += (dS.mT @ Q[..., rows, :]).sum(2, keepdim=True)
        gradients = dQ.flatten(1, 2), dK.squeeze(2), dV.squeeze(2)
        return *(g.to(q.dtype) for g in gradients), None, None


def _grouped(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """q as (N, h, G, T, d), k and v as (N, h, 1, S, d): G queries' heads share one of the keys."""
    wide = torch.promote_types(torch.float32, q.dtype)
    q = q.unflatten(1, (k.shape[1], q.shape[1] // max(k.shape[1], 1)))
    return q.to(wide), k[:, :, None].to(wide), v[:, :, None].to(wide)


def _tiles(length: int) -> Iterator[range]:
    for start in range(0, length, TILE):
        yield range(start, min(start + TILE, length))


def _last_key(t: range, Q: Tensor, K: Tensor, is_causal: bool) -> int:
    """How many keys the last query of tile t sees: tiles beyond are skipped."""
    T, S = Q.shape[-2], K.shape[-2]
    return min(S, max(0, t.stop + S - T)) if is_causal else S


def _scores(Q: Tensor, K: Tensor, t: range, s: range, is_causal: bool, scale: float) -> Tensor:
    """One tile of scale · Q Kᵀ, −inf where a query may not look: (N, h, G, t, s)."""
    scores = (Q[..., t.start : t.stop, :] * scale) @ K[..., s.start : s.stop, :].mT
    places = t.start + K.shape[-2] - Q.shape[-2]  # which key is the tile's first query's own
    if is_causal and s.stop > places + 1:
        future = torch.ones(len(t), len(s), dtype=torch.bool, device=Q.device)
        scores.masked_fill_(future.triu(places - s.start + 1), -math.inf)
    return scores

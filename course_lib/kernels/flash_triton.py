"""Flash attention on the GPU: `flash.py`, one program for each tile of queries or keys.

Heads whose dimension is no power of two are padded with zeros on the chip. Each product
of float32 is made of three in TF32, which is as good as float32 and runs on the tensor cores.

Paper: Dao (2023), "FlashAttention-2: faster attention with better parallelism and work
partitioning", https://arxiv.org/abs/2307.08691
"""

from functools import partial
from typing import no_type_check

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import FunctionCtx

from course_lib.kernels.differentiate import readable_gradients
from course_lib.kernels.flash import readable_flash

LOG2E = tl.constexpr(1.4426950408889634)  # the GPU's own exponential is 2^x


@triton.jit
@no_type_check  # the tests' shape checking would wrap it
def _load(base, rows, length, columns, d: tl.constexpr):
    """Rows of a contiguous (length, d) matrix; zeros outside it."""
    inside = (rows[:, None] < length) & (columns[None, :] < d)
    return tl.load(base + rows[:, None].to(tl.int64) * d + columns[None, :], mask=inside, other=0.0)


@triton.jit
@no_type_check
def _store(base, rows, length, columns, d: tl.constexpr, x):
    inside = (rows[:, None] < length) & (columns[None, :] < d)
    tl.store(base + rows[:, None].to(tl.int64) * d + columns[None, :], x, mask=inside)


@triton.jit
@no_type_check
def _visible(t, s, T, S, CAUSAL: tl.constexpr):
    """Which keys s the queries t may attend to."""
    seen = (s[None, :] < S) & (t[:, None] < T)
    if CAUSAL:
        seen = seen & (s[None, :] <= t[:, None] + S - T)
    return seen


@triton.jit
@no_type_check
def _forward(
    q, k, v, out, lse, scale, T, S, G,
    d: tl.constexpr, D: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr,
    CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    # All programs in one axis: the others end at 65,535. Neighbours share a head.
    tiles = tl.cdiv(T, BT)
    tile = tl.program_id(0) % tiles
    head = (tl.program_id(0) // tiles).to(tl.int64)
    q += head * T * d
    out += head * T * d
    k += head // G * S * d
    v += head // G * S * d
    t = tile * BT + tl.arange(0, BT)
    columns = tl.arange(0, D)
    Q = _load(q, t, T, columns, d)
    m = tl.full((BT,), float("-inf"), tl.float32)
    total = tl.zeros((BT,), tl.float32)
    acc = tl.zeros((BT, D), tl.float32)
    last = S
    if CAUSAL:
        last = tl.minimum(S, tile * BT + BT + S - T)
    for start in range(0, last, BS):
        s = start + tl.arange(0, BS)
        K = _load(k, s, S, columns, d)
        scores = tl.dot(Q, tl.trans(K), input_precision=PRECISION) * scale
        scores = tl.where(_visible(t, s, T, S, CAUSAL), scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        shift = tl.where(new_m == float("-inf"), 0.0, new_m)
        P = tl.exp2(scores - shift[:, None])
        alpha = tl.exp2(m - shift)
        total = total * alpha + tl.sum(P, 1)
        V = _load(v, s, S, columns, d)
        acc = acc * alpha[:, None] + tl.dot(P.to(V.dtype), V, input_precision=PRECISION)
        m = new_m
    any_key = total > 0
    total = tl.where(any_key, total, 1.0)
    _store(out, t, T, columns, d, (acc / total[:, None]).to(Q.dtype))
    # +inf makes exp2(score − lse) = 0 for a query that sees no key.
    tl.store(lse + head * T + t, tl.where(any_key, m + tl.log2(total), float("inf")), t < T)


@triton.jit
@no_type_check
def _tile(
    Q, K, V, dO, lse, delta, t, s, T, S, scale,
    CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """P = exp(S − L) and dS of one tile."""
    scores = tl.dot(Q, tl.trans(K), input_precision=PRECISION) * scale
    P = tl.exp2(scores - tl.load(lse + t, t < T, other=float("inf"))[:, None])
    P = tl.where(_visible(t, s, T, S, CAUSAL), P, 0.0)
    dP = tl.dot(dO, tl.trans(V), input_precision=PRECISION)
    return P, P * (dP - tl.load(delta + t, t < T, other=0.0)[:, None])


@triton.jit
@no_type_check
def _backward_queries(
    q, k, v, d_out, lse, delta, dq, scale, T, S, G,
    d: tl.constexpr, D: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr,
    CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    tiles = tl.cdiv(T, BT)
    tile = tl.program_id(0) % tiles
    head = (tl.program_id(0) // tiles).to(tl.int64)
    k += head // G * S * d
    v += head // G * S * d
    t = tile * BT + tl.arange(0, BT)
    columns = tl.arange(0, D)
    Q = _load(q + head * T * d, t, T, columns, d)
    dO = _load(d_out + head * T * d, t, T, columns, d)
    dQ = tl.zeros((BT, D), tl.float32)
    last = S
    if CAUSAL:
        last = tl.minimum(S, tile * BT + BT + S - T)
    for start in range(0, last, BS):
        s = start + tl.arange(0, BS)
        K = _load(k, s, S, columns, d)
        V = _load(v, s, S, columns, d)
        _, dS = _tile(Q, K, V, dO, lse + head * T, delta + head * T, t, s, T, S, scale,
                      CAUSAL, PRECISION)  # fmt: skip
        dQ += tl.dot(dS.to(K.dtype), K, input_precision=PRECISION)
    _store(dq + head * T * d, t, T, columns, d, (dQ * scale / LOG2E).to(Q.dtype))


@triton.jit
@no_type_check
def _backward_keys(
    q, k, v, d_out, lse, delta, dk, dv, scale, T, S, G,
    d: tl.constexpr, D: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr,
    CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    tiles = tl.cdiv(S, BS)
    tile = tl.program_id(0) % tiles
    key_head = (tl.program_id(0) // tiles).to(tl.int64)
    s = tile * BS + tl.arange(0, BS)
    columns = tl.arange(0, D)
    K = _load(k + key_head * S * d, s, S, columns, d)
    V = _load(v + key_head * S * d, s, S, columns, d)
    dK = tl.zeros((BS, D), tl.float32)
    dV = tl.zeros((BS, D), tl.float32)
    first = 0
    if CAUSAL:  # the first query that sees the first key of this tile
        first = tl.maximum(0, tile * BS + T - S) // BT * BT
    for head in range(key_head * G, key_head * G + G):
        for start in range(first, T, BT):
            t = start + tl.arange(0, BT)
            Q = _load(q + head * T * d, t, T, columns, d)
            dO = _load(d_out + head * T * d, t, T, columns, d)
            P, dS = _tile(Q, K, V, dO, lse + head * T, delta + head * T, t, s, T, S, scale,
                          CAUSAL, PRECISION)  # fmt: skip
            dV += tl.dot(tl.trans(P.to(dO.dtype)), dO, input_precision=PRECISION)
            dK += tl.dot(tl.trans(dS.to(Q.dtype)), Q, input_precision=PRECISION)
    _store(dk + key_head * S * d, s, S, columns, d, (dK * scale / LOG2E).to(K.dtype))
    _store(dv + key_head * S * d, s, S, columns, d, dV.to(V.dtype))


class TritonFlash(torch.autograd.Function):
    """q (N, H, T, d), k and v (N, H / G, S, d) → (N, H, T, d)."""

    @staticmethod
    def forward(
        ctx: FunctionCtx, q: Tensor, k: Tensor, v: Tensor, is_causal: bool, scale: float
    ) -> Tensor:
        inputs = q, k, v
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        N, H, T, _ = q.shape
        out, lse = torch.empty_like(q), q.new_empty(N, H, T, dtype=torch.float32)
        sizes = _sizes(q, is_causal)
        grid = (triton.cdiv(T, sizes["BT"]) * N * H,)
        _forward[grid](q, k, v, out, lse, scale * LOG2E.value, *_lengths(q, k), **sizes)
        ctx.save_for_backward(*inputs, out, lse)
        ctx.settings = is_causal, scale
        return out

    @staticmethod
    def backward(ctx: FunctionCtx, d_out: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, out, lse = ctx.saved_tensors
        is_causal, scale = ctx.settings
        if torch.is_grad_enabled():
            readable = partial(readable_flash, is_causal=is_causal, scale=scale)
            return *readable_gradients(readable, (q, k, v), d_out), None, None
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        d_out = d_out.contiguous()
        delta = (d_out.float() * out.float()).sum(-1)  # (N, H, T)
        dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
        inputs = (q, k, v, d_out, lse, delta)
        sizes = _sizes(q, is_causal)
        sizes["BT"] = sizes["BS"]  # it holds twice as many tiles on the chip as the forward
        for kernel, outputs, x in ((_backward_queries, (dq,), q), (_backward_keys, (dk, dv), k)):
            grid = (triton.cdiv(x.shape[2], sizes["BS"]) * x.shape[0] * x.shape[1],)
            kernel[grid](*inputs, *outputs, scale * LOG2E.value, *_lengths(q, k), **sizes)
        return dq, dk, dv, None, None


def _lengths(q: Tensor, k: Tensor) -> tuple[int, int, int]:
    return q.shape[2], k.shape[2], q.shape[1] // k.shape[1]


def _sizes(q: Tensor, is_causal: bool) -> dict[str, object]:
    """Tile sizes that compile for compute capability 8.0 and 9.0."""
    d, wide = q.shape[-1], q.dtype == torch.float32
    return {
        "d": d,
        "D": max(16, triton.next_power_of_2(d)),  # tl.dot takes no fewer than 16
        "BT": 32 if wide else 128,
        "BS": 32 if wide else 64,
        "CAUSAL": is_causal,
        "PRECISION": "tf32x3" if wide else "tf32",
        "num_warps": 4 if wide else 8,
        "num_stages": 2 if wide else 3,
    }

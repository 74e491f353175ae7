"""Flash attention on the GPU: `flash.py`, one program for each tile of queries or keys.

q (N, H, T, d), k and v (N, H / G, S, d) and dO come with the strides of their first three axes,
so a view of (N, T, H, d) needs no copy; what is written is contiguous. Heads whose dimension is
no power of two are padded with zeros on the chip. Each product of float32 is made of three in
TF32, which is as good as float32 and runs on the tensor cores.

Dao (2023), "FlashAttention-2: faster attention with better parallelism and work partitioning",
https://arxiv.org/abs/2307.08691.
"""

from typing import no_type_check

import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)  # the GPU's own exponential is 2^x


@triton.jit
@no_type_check  # the tests' shape checking would wrap it
def _matrix(base, strides, n, h):
    """Where the (length, d) matrix of text n and head h begins."""
    return base + n * strides[0] + h * strides[1]


@triton.jit
@no_type_check
def _load(base, stride, rows, length, columns, d: tl.constexpr):
    """Rows of a (length, d) matrix, `stride` numbers apart; zeros outside it."""
    inside = (rows[:, None] < length) & (columns[None, :] < d)
    places = base + rows[:, None].to(tl.int64) * stride + columns[None, :]
    return tl.load(places, mask=inside, other=0.0)


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
    q, k, v, out, lse, q_strides, k_strides, v_strides, scale, T, S, H, G, span,
    d: tl.constexpr, D: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr,
    CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    # All programs in one axis: the others end at 65,535. Neighbours share a head.
    tiles = tl.cdiv(T, BT)
    tile = tl.program_id(0) % tiles
    head = (tl.program_id(0) // tiles).to(tl.int64)
    q = _matrix(q, q_strides, head // H, head % H)
    k = _matrix(k, k_strides, head // H, head % H // G)
    v = _matrix(v, v_strides, head // H, head % H // G)
    t = tile * BT + tl.arange(0, BT)
    columns = tl.arange(0, D)
    Q = _load(q, q_strides[2], t, T, columns, d)
    m = tl.full((BT,), float("-inf"), tl.float32)
    total = tl.zeros((BT,), tl.float32)
    acc = tl.zeros((BT, D), tl.float32)
    first = tl.program_id(1) * span
    last = tl.minimum(S, first + span)
    if CAUSAL:
        last = tl.minimum(last, tile * BT + BT + S - T)
    for start in range(first, last, BS):
        s = start + tl.arange(0, BS)
        K = _load(k, k_strides[2], s, S, columns, d)
        scores = tl.dot(Q, tl.trans(K), input_precision=PRECISION) * scale
        scores = tl.where(_visible(t, s, T, S, CAUSAL), scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        shift = tl.where(new_m == float("-inf"), 0.0, new_m)
        P = tl.exp2(scores - shift[:, None])
        alpha = tl.exp2(m - shift)
        total = total * alpha + tl.sum(P, 1)
        V = _load(v, v_strides[2], s, S, columns, d)
        acc = acc * alpha[:, None] + tl.dot(P.to(V.dtype), V, input_precision=PRECISION)
        m = new_m
    any_key = total > 0
    total = tl.where(any_key, total, 1.0)
    # One output for each share of the keys: (shares, N, H, T, d).
    row = (tl.program_id(1) * (tl.num_programs(0) // tiles) + head) * T
    _store(out + row * d, t, T, columns, d, (acc / total[:, None]).to(out.dtype.element_ty))
    # +inf makes exp2(score − lse) = 0 for a query that sees no key.
    tl.store(lse + row + t, tl.where(any_key, m + tl.log2(total), float("inf")), t < T)


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
    q, k, v, d_out, lse, delta, dq,
    q_strides, k_strides, v_strides, d_out_strides, scale, T, S, H, G,
    d: tl.constexpr, D: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr,
    CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    tiles = tl.cdiv(T, BT)
    tile = tl.program_id(0) % tiles
    head = (tl.program_id(0) // tiles).to(tl.int64)
    q = _matrix(q, q_strides, head // H, head % H)
    d_out = _matrix(d_out, d_out_strides, head // H, head % H)
    k = _matrix(k, k_strides, head // H, head % H // G)
    v = _matrix(v, v_strides, head // H, head % H // G)
    t = tile * BT + tl.arange(0, BT)
    columns = tl.arange(0, D)
    Q = _load(q, q_strides[2], t, T, columns, d)
    dO = _load(d_out, d_out_strides[2], t, T, columns, d)
    dQ = tl.zeros((BT, D), tl.float32)
    last = S
    if CAUSAL:
        last = tl.minimum(S, tile * BT + BT + S - T)
    for start in range(0, last, BS):
        s = start + tl.arange(0, BS)
        K = _load(k, k_strides[2], s, S, columns, d)
        V = _load(v, v_strides[2], s, S, columns, d)
        _, dS = _tile(Q, K, V, dO, lse + head * T, delta + head * T, t, s, T, S, scale,
                      CAUSAL, PRECISION)  # fmt: skip
        dQ += tl.dot(dS.to(K.dtype), K, input_precision=PRECISION)
    _store(dq + head * T * d, t, T, columns, d, (dQ * scale / LOG2E).to(Q.dtype))


@triton.jit
@no_type_check
def _backward_keys(
    q, k, v, d_out, lse, delta, dk, dv,
    q_strides, k_strides, v_strides, d_out_strides, scale, T, S, H, G,
    d: tl.constexpr, D: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr,
    CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    tiles = tl.cdiv(S, BS)
    tile = tl.program_id(0) % tiles
    key_head = (tl.program_id(0) // tiles).to(tl.int64)
    s = tile * BS + tl.arange(0, BS)
    columns = tl.arange(0, D)
    n, h = key_head // (H // G), key_head % (H // G)
    K = _load(_matrix(k, k_strides, n, h), k_strides[2], s, S, columns, d)
    V = _load(_matrix(v, v_strides, n, h), v_strides[2], s, S, columns, d)
    dK = tl.zeros((BS, D), tl.float32)
    dV = tl.zeros((BS, D), tl.float32)
    first = 0
    if CAUSAL:  # the first query that sees the first key of this tile
        first = tl.maximum(0, tile * BS + T - S) // BT * BT
    for g in range(G):
        q_head = _matrix(q, q_strides, n, h * G + g)
        d_out_head = _matrix(d_out, d_out_strides, n, h * G + g)
        rows = (key_head * G + g) * T
        for start in range(first, T, BT):
            t = start + tl.arange(0, BT)
            Q = _load(q_head, q_strides[2], t, T, columns, d)
            dO = _load(d_out_head, d_out_strides[2], t, T, columns, d)
            P, dS = _tile(Q, K, V, dO, lse + rows, delta + rows, t, s, T, S, scale,
                          CAUSAL, PRECISION)  # fmt: skip
            dV += tl.dot(tl.trans(P.to(dO.dtype)), dO, input_precision=PRECISION)
            dK += tl.dot(tl.trans(dS.to(Q.dtype)), Q, input_precision=PRECISION)
    _store(dk + key_head * S * d, s, S, columns, d, (dK * scale / LOG2E).to(K.dtype))
    _store(dv + key_head * S * d, s, S, columns, d, dV.to(V.dtype))

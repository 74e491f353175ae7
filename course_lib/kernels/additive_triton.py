"""Additive attention on the GPU: a tile of scores in registers, built feature by feature.

Projections come in as (N, a, T) and (N, a, S), so that neighbours in a tile are neighbours in
memory. The backward pass computes each tile again and adds with atomics, so the last bits of
its gradients depend on the order in which the tiles finish.
"""

from typing import no_type_check

import triton
import triton.language as tl


@triton.jit
@no_type_check  # the tests' shape checking would wrap it
def _tanh(x):
    """(1 − z) / (1 + z) with z = exp(−2|x|), which cannot overflow, and the sign of x.

    Near 0 the 1 − z would cancel: there x − x³/3 + 2x⁵/15, exact to float32.
    """
    z = tl.exp(-2.0 * tl.abs(x))
    y = (1.0 - z) / (1.0 + z)
    near = x * (1.0 - x * x * (1.0 / 3.0 - x * x * (2.0 / 15.0)))
    return tl.where(tl.abs(x) < 0.08, near, tl.where(x < 0, -y, y))


@triton.jit
@no_type_check
def _scores(
    q, k, v_a, mask, n, t, s, T, S, a,
    mask_n, mask_t, mask_s, MASKED: tl.constexpr,
):  # fmt: skip
    """The (BT, BS) tile of v_aᵀ tanh(q + k); −inf where a query may not look."""
    scores = tl.zeros((t.shape[0], s.shape[0]), tl.float32)
    for i in range(a):
        q_i = tl.load(q + i * T + t, t < T, other=0.0).to(tl.float32)
        k_i = tl.load(k + i * S + s, s < S, other=0.0).to(tl.float32)
        scores += tl.load(v_a + i).to(tl.float32) * _tanh(q_i[:, None] + k_i[None, :])
    seen = (t[:, None] < T) & (s[None, :] < S)
    if MASKED:
        # t · mask_t passes 2³¹ once T · S does
        rows = t[:, None].to(tl.int64) * mask_t
        places = mask + n * mask_n + rows + s[None, :].to(tl.int64) * mask_s
        seen = seen & (tl.load(places, seen, other=0) != 0)
    return tl.where(seen, scores, float("-inf"))


@triton.jit
@no_type_check
def _load(base, rows, length, columns, width):
    """Rows of a contiguous (length, width) matrix; zeros outside it."""
    inside = (rows[:, None] < length) & (columns[None, :] < width)
    return tl.load(base + rows[:, None].to(tl.int64) * width + columns[None, :], inside, other=0.0)


@triton.jit
@no_type_check
def _forward(
    q, k, v_a, values, mask, out, lse, T, S, a, d_v, mask_n, mask_t, mask_s,
    D: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    # All programs in one axis: the others end at 65,535.
    tiles = tl.cdiv(T, BT)
    n = (tl.program_id(0) // tiles).to(tl.int64)
    t = tl.program_id(0) % tiles * BT + tl.arange(0, BT)
    columns = tl.arange(0, D)
    m = tl.full((BT,), float("-inf"), tl.float32)
    total = tl.zeros((BT,), tl.float32)
    acc = tl.zeros((BT, D), tl.float32)
    for start in range(0, S, BS):
        s = start + tl.arange(0, BS)
        scores = _scores(q + n * a * T, k + n * a * S, v_a, mask, n, t, s, T, S, a,
                         mask_n, mask_t, mask_s, MASKED)  # fmt: skip
        new_m = tl.maximum(m, tl.max(scores, 1))
        shift = tl.where(new_m == float("-inf"), 0.0, new_m)
        P = tl.exp(scores - shift[:, None])
        alpha = tl.exp(m - shift)
        total = total * alpha + tl.sum(P, 1)
        V = _load(values + n * S * d_v, s, S, columns, d_v)
        acc = acc * alpha[:, None] + tl.dot(P.to(V.dtype), V, input_precision="tf32x3")
        m = new_m
    any_key = total > 0
    total = tl.where(any_key, total, 1.0)
    inside = (t[:, None] < T) & (columns[None, :] < d_v)
    place = out + (n * T + t[:, None]) * d_v + columns[None, :]
    tl.store(place, acc / total[:, None], inside)
    # +inf makes exp(score − lse) = 0 for a query that sees no key.
    tl.store(lse + n * T + t, tl.where(any_key, m + tl.log(total), float("inf")), t < T)


@triton.jit
@no_type_check
def _backward(
    q, k, v_a, values, mask, d_out, lse, delta, dq, dk, dv_a, d_values,
    T, S, a, d_v, mask_n, mask_t, mask_s,
    D: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    tiles_t, tiles_s = tl.cdiv(T, BT), tl.cdiv(S, BS)
    n = (tl.program_id(0) // (tiles_t * tiles_s)).to(tl.int64)
    tile = tl.program_id(0) % (tiles_t * tiles_s)
    t = tile // tiles_s * BT + tl.arange(0, BT)
    s = tile % tiles_s * BS + tl.arange(0, BS)
    q += n * a * T
    k += n * a * S
    scores = _scores(q, k, v_a, mask, n, t, s, T, S, a, mask_n, mask_t, mask_s, MASKED)
    L = tl.load(lse + n * T + t, t < T, other=float("inf"))
    P = tl.exp(scores - L[:, None])
    columns = tl.arange(0, D)
    dO = _load(d_out + n * T * d_v, t, T, columns, d_v)
    V = _load(values + n * S * d_v, s, S, columns, d_v)
    dV = tl.dot(tl.trans(P.to(dO.dtype)), dO, input_precision="tf32x3")
    inside = (s[:, None] < S) & (columns[None, :] < d_v)
    place = d_values + (n * S + s[:, None]) * d_v + columns[None, :]
    tl.atomic_add(place, dV, inside)
    dP = tl.dot(dO, tl.trans(V), input_precision="tf32x3")
    g = P * (dP - tl.load(delta + n * T + t, t < T, other=0.0)[:, None])  # gradient of the scores
    for i in range(a):
        q_i = tl.load(q + i * T + t, t < T, other=0.0).to(tl.float32)
        k_i = tl.load(k + i * S + s, s < S, other=0.0).to(tl.float32)
        hidden = _tanh(q_i[:, None] + k_i[None, :])
        tl.atomic_add(dv_a + i, tl.sum(g * hidden))
        inner = g * (1.0 - hidden * hidden) * tl.load(v_a + i).to(tl.float32)
        tl.atomic_add(dq + (n * a + i) * T + t, tl.sum(inner, 1), t < T)
        tl.atomic_add(dk + (n * a + i) * S + s, tl.sum(inner, 0), s < S)

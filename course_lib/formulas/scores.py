"""Scores: how well each query fits each key, before the softmax. One function per formula.

A score of 16 in bfloat16 may be off by 1/16, and its weight then by 6 %: scores of half precision
are computed, and returned, in float32.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.formulas.precision import product, wide


def dot_scores(query: Float[Tensor, "... T d"], keys: Float[Tensor, "... S d"]) -> Tensor:
    """The dot product of each query with each key.

        score(q, k) = qᵀ k

    query (..., T, d), keys (..., S, d) → (..., T, S). The other scores give the same shape.

    Luong, Pham & Manning (2015), "Effective approaches to attention-based neural machine
    translation", https://arxiv.org/abs/1508.04025, "dot".
    """
    return product(query, keys.mT)


def scaled_dot_scores(
    query: Float[Tensor, "... T d"],
    keys: Float[Tensor, "... S d"],
    scale: float | Tensor | None = None,
) -> Tensor:
    """Dot products whose variance does not grow with the dimension.

        score(q, k) = qᵀ k / √d

    Args:
        scale: replaces 1/√d when given; a tensor, broadcastable to the query, may be learned.

    Vaswani et al. (2017), "Attention is all you need", https://arxiv.org/abs/1706.03762, equation
    1.
    """
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    return product(wide(query) * scale, keys.mT)


def general_scores(
    query: Float[Tensor, "... T q"], keys: Float[Tensor, "... S k"], W_a: Float[Tensor, "q k"]
) -> Tensor:
    """A dot product after a learned map of the keys.

        score(q, k) = qᵀ W_a k

    query (..., T, d_q), keys (..., S, d_k), W_a (d_q, d_k).

    Luong, Pham & Manning (2015), as in `dot_scores`, "general".
    """
    return dot_scores(query, product(keys, W_a.mT))


def additive_scores(
    query_proj: Float[Tensor, "... T a"],
    key_proj: Float[Tensor, "... S a"],
    v_a: Float[Tensor, " a"],
) -> Tensor:
    """A small network with one hidden layer, its input already multiplied by its weights.

        score(s, h) = v_aᵀ tanh(W_a s + U_a h)

    query_proj = W_a s (..., T, a), key_proj = U_a h (..., S, a), v_a (a,).
    Holds a (..., T, S, a) tensor; `course_lib.kernels.additive_attention` does not.

    Bahdanau, Cho & Bengio (2015), "Neural machine translation by jointly learning to align and
    translate", https://arxiv.org/abs/1409.0473, appendix A.1.2.
    """
    q, k = wide(query_proj)[..., :, None, :], wide(key_proj)[..., None, :, :]
    return product(torch.tanh(q + k), v_a)  # (..., T, S, a) @ (a,)


def concat_scores(
    query: Float[Tensor, "... T q"],
    keys: Float[Tensor, "... S k"],
    W_a: Float[Tensor, "a q+k"],
    v_a: Float[Tensor, " a"],
) -> Tensor:
    """The same network, written over the joined vector.

        score(q, k) = v_aᵀ tanh(W_a [q; k])

    query (..., T, d_q), keys (..., S, d_k), W_a (a, d_q + d_k), v_a (a,).
    Equal to `additive_scores` with W_a cut after its first d_q columns.

    Luong, Pham & Manning (2015), as in `dot_scores`, "concat".
    """
    (T, d_q), (S, d_k) = query.shape[-2:], keys.shape[-2:]
    batch = torch.broadcast_shapes(query.shape[:-2], keys.shape[:-2])
    queries = wide(query)[..., :, None, :].expand(*batch, T, S, d_q)
    joined = torch.cat([queries, wide(keys)[..., None, :, :].expand(*batch, T, S, d_k)], dim=-1)
    return product(torch.tanh(product(joined, W_a.mT)), v_a)  # (..., T, S)

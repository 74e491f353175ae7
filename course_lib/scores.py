"""Scores: how well each query fits each key, before the softmax. One function per formula."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.checks import check_last_dim


def dot_scores(query: Float[Tensor, "... T d"], keys: Float[Tensor, "... S d"]) -> Tensor:
    """The dot product of each query with each key.

        score(q, k) = qᵀ k

    query (..., T, d), keys (..., S, d) → (..., T, S).
    Raises ValueError when the last dimensions differ.
    Luong, Pham & Manning (2015), "dot".
    """
    check_last_dim("keys", keys, query.shape[-1], f"a query of shape {tuple(query.shape)}")
    return query @ keys.mT


def scaled_dot_scores(
    query: Float[Tensor, "... T d"],
    keys: Float[Tensor, "... S d"],
    scale: float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Dot products whose variance does not grow with the dimension.

        score(q, k) = qᵀ k / √d

    scale: replaces 1/√d when given. Shapes and errors as in `dot_scores`.
    out: a contiguous tensor (..., T, S) to write the scores into, where no gradient is needed.
    Vaswani et al. (2017), equation 1.
    """
    check_last_dim("keys", keys, query.shape[-1], f"a query of shape {tuple(query.shape)}")
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    batch = query.shape[:-2]
    if keys.shape[:-2] != batch:
        batch = torch.broadcast_shapes(batch, keys.shape[:-2])
        query, keys = query.expand(*batch, -1, -1), keys.expand(*batch, -1, -1)
    q, k = (x.reshape(math.prod(batch), *x.shape[-2:]) for x in (query, keys))
    out = None if out is None else out.view(len(q), q.shape[1], k.shape[1])
    # the product takes the factor along: a pass over the queries or the scores would cost more
    unread = q.new_zeros(()) if out is None else out
    scores = torch.baddbmm(unread, q, k.mT, beta=0, alpha=scale, out=out)
    return scores.view(*batch, *scores.shape[-2:])  # (..., T, S)


def general_scores(
    query: Float[Tensor, "... T q"], keys: Float[Tensor, "... S k"], W_a: Float[Tensor, "q k"]
) -> Tensor:
    """A dot product after a learned map of the keys.

        score(q, k) = qᵀ W_a k

    query (..., T, d_q), keys (..., S, d_k), W_a (d_q, d_k) → (..., T, S).
    Raises ValueError when W_a does not fit the two.
    Luong, Pham & Manning (2015), "general".
    """
    check_last_dim("keys", keys, W_a.shape[1], f"W_a of shape {tuple(W_a.shape)}")
    check_last_dim("query", query, W_a.shape[0], f"W_a of shape {tuple(W_a.shape)}")
    return dot_scores(query, keys @ W_a.mT)


def additive_scores(
    query_proj: Float[Tensor, "... T a"],
    key_proj: Float[Tensor, "... S a"],
    v_a: Float[Tensor, " a"],
) -> Tensor:
    """A small network with one hidden layer, its input already multiplied by its weights.

        score(s, h) = v_aᵀ tanh(W_a s + U_a h)

    query_proj = W_a s (..., T, a), key_proj = U_a h (..., S, a), v_a (a,) → (..., T, S).
    Holds a (..., T, S, a) tensor; `course_lib.kernels.additive_attention` does not.
    Raises ValueError when the last dimensions differ.
    Bahdanau, Cho & Bengio (2015), appendix A.1.2.
    """
    check_last_dim("query_proj", query_proj, v_a.shape[0], f"v_a of shape {tuple(v_a.shape)}")
    check_last_dim("key_proj", key_proj, v_a.shape[0], f"v_a of shape {tuple(v_a.shape)}")
    hidden = (query_proj[..., :, None, :] + key_proj[..., None, :, :]).tanh_()  # (..., T, S, a)
    return hidden @ v_a  # (..., T, S)


def concat_scores(
    query: Float[Tensor, "... T q"],
    keys: Float[Tensor, "... S k"],
    W_a: Float[Tensor, "a q+k"],
    v_a: Float[Tensor, " a"],
) -> Tensor:
    """The same network, written over the joined vector.

        score(q, k) = v_aᵀ tanh(W_a [q; k])

    query (..., T, d_q), keys (..., S, d_k), W_a (a, d_q + d_k), v_a (a,) → (..., T, S).
    Equal to `additive_scores` with W_a cut after its first d_q columns.
    Raises ValueError when W_a does not fit the two.
    Luong, Pham & Manning (2015), "concat".
    """
    d_q, d_k = query.shape[-1], keys.shape[-1]
    if W_a.shape[1] != d_q + d_k:
        raise ValueError(
            f"W_a of shape {tuple(W_a.shape)} needs {d_q} + {d_k} columns to take a query of "
            f"shape {tuple(query.shape)} joined to keys of shape {tuple(keys.shape)}."
        )
    T, S = query.shape[-2], keys.shape[-2]
    batch = torch.broadcast_shapes(query.shape[:-2], keys.shape[:-2])
    joined = torch.cat(
        [
            query[..., :, None, :].expand(*batch, T, S, d_q),
            keys[..., None, :, :].expand(*batch, T, S, d_k),
        ],
        dim=-1,
    )  # (..., T, S, d_q + d_k)
    return torch.tanh(joined @ W_a.mT) @ v_a

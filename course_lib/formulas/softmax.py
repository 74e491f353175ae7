"""Softmax: scores in, weights out that are positive and sum to one."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.formulas.precision import HALF, wide


def softmax(scores: Float[Tensor, "..."], dim: int = -1) -> Float[Tensor, "..."]:
    """Turn scores into weights that are positive and sum to one along `dim`.

        w_i = exp(s_i − max s) / Σ_j exp(s_j − max s)

    Half precision is computed in float32.

    Args:
        scores: any shape.

    Returns:
        The weights, of the same shape and dtype.

    Bridle (1990), "Probabilistic interpretation of feedforward classification network outputs",
    https://doi.org/10.1007/978-3-642-76153-9_28.
    """
    if scores.dtype in HALF:
        return torch.softmax(scores, dim, dtype=torch.float32).to(scores.dtype)
    return torch.softmax(scores, dim)


def masked_softmax(
    scores: Float[Tensor, "..."], mask: Bool[Tensor, "..."] | None, dim: int = -1
) -> Float[Tensor, "..."]:
    """Softmax over the places where `mask` is True; exactly zero elsewhere.

        w_i = m_i exp(s_i − max s) / Σ_j m_j exp(s_j − max s),  and 0 where no m_j is True

    Args:
        mask: boolean, broadcastable to the scores, True = may attend; None masks nothing. What
            the scores hold behind the mask does not matter, NaN included.
    """
    if mask is None:
        return softmax(scores, dim)
    mask = mask[(None,) * (scores.ndim - mask.ndim)]  # the axes of the scores
    any_key = mask.any(dim, keepdim=True)
    # exp(-inf) = 0 hides a place. A row of nothing but -inf would be 0/0 = NaN, here and in the
    # backward pass, so such a row is filled with 0 and its weights are erased afterwards.
    fill = torch.where(any_key, scores.new_full((), -math.inf), scores.new_zeros(()))
    return softmax(torch.where(mask, scores, fill), dim).masked_fill(~any_key, 0.0)


def online_softmax(
    scores: Float[Tensor, "..."], block_size: int = 64, dim: int = -1
) -> tuple[Float[Tensor, "..."], Float[Tensor, "..."], Float[Tensor, "..."]]:
    """Softmax that reads the scores block by block and keeps only a maximum and a sum.

        m' = max(m, max block),   l' = l · exp(m − m') + Σ exp(block − m'),   w = exp(s − m) / l

    Equal to `softmax`.

    Args:
        block_size: how many scores are read at once.

    Returns:
        The weights, and the maximum and the sum after each block, each with `dim` of size
        ⌈length / block_size⌉.

    Milakov & Gimelshein (2018), "Online normalizer calculation for softmax",
    https://arxiv.org/abs/1805.02867.
    """
    exact = wide(scores)
    running_max, running_sum = exact.new_full((), -math.inf), exact.new_zeros(())
    maxima, sums = [], []
    for block in exact.split(block_size, dim):
        new_max = torch.maximum(running_max, block.amax(dim, keepdim=True))
        # Nothing but -inf so far: subtract 0 instead, or -inf − (-inf) makes NaN.
        shift = torch.where(new_max == -math.inf, 0.0, new_max)
        running_sum = running_sum * (running_max - shift).exp()
        running_sum = running_sum + (block - shift).exp().sum(dim, keepdim=True)
        running_max = new_max
        maxima.append(running_max)
        sums.append(running_sum)
    weights = ((exact - running_max).exp() / running_sum).to(scores.dtype)
    return weights, torch.cat(maxima, dim), torch.cat(sums, dim)

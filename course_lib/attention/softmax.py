"""Softmax: scores in, weights out that are positive and sum to one."""

import math

import torch
from torch import Tensor

from course_lib.arguments import flag, integer
from course_lib.attention.arrays import Array, as_mask, as_scores, check_defined, like
from course_lib.attention.precision import HALF, wide


def softmax(scores: Array, dim: int = -1) -> Array:
    """Turn scores into weights that are positive and sum to one along `dim`.

        w_i = exp(s_i − max s) / Σ_j exp(s_j − max s)

    Half precision is computed in float32; integers become floating point.

    Args:
        scores: any shape, a NumPy array or a tensor.

    Returns:
        The weights, of the same kind, shape and dtype.

    Raises:
        TypeError: for booleans and complex numbers.
        ValueError: for an empty `dim`, and for scores that have no softmax: NaN, +inf, or nothing
            but −inf along `dim`. On a GPU, under `torch.compile` and under `torch.func.vmap`
            nobody looks: there the weights are NaN.

    Bridle (1990), "Probabilistic interpretation of feedforward classification network outputs",
    https://doi.org/10.1007/978-3-642-76153-9_28.
    """
    return masked_softmax(scores, None, dim)


def masked_softmax(scores: Array, mask: Array | None, dim: int = -1) -> Array:
    """Softmax over the places where `mask` is True; exactly zero elsewhere.

        w_i = m_i exp(s_i − max s) / Σ_j m_j exp(s_j − max s),  and 0 where no m_j is True

    Args:
        mask: boolean, broadcastable to the scores, True = may attend; None masks nothing. What
            the scores hold behind the mask does not matter, NaN included.

    Raises:
        TypeError: for a mask that is not boolean.
        ValueError: for a mask whose shape does not fit, and all that `softmax` refuses.
    """
    tensor = as_scores(scores, dim)
    weights = attention_weights(tensor, as_mask(mask, tensor), dim)
    return like(check_defined(weights), scores)


def attention_weights(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    """`masked_softmax` of tensors that have been checked: what the modules call."""
    if mask is None:
        return _softmax(scores, dim)
    mask = mask[(None,) * (scores.ndim - mask.ndim)]  # the axes of the scores
    any_key = mask.any(dim, keepdim=True)
    # exp(-inf) = 0 hides a place. A row of nothing but -inf would be 0/0 = NaN, here and in the
    # backward pass, so such a row is filled with 0 and its weights are erased afterwards.
    fill = torch.where(any_key, scores.new_full((), -math.inf), scores.new_zeros(()))
    return _softmax(torch.where(mask, scores, fill), dim).masked_fill(~any_key, 0.0)


def _softmax(scores: Tensor, dim: int) -> Tensor:
    if scores.dtype in HALF:
        return torch.softmax(scores, dim, dtype=torch.float32).to(scores.dtype)
    return torch.softmax(scores, dim)


def online_softmax(
    scores: Array, block_size: int = 64, dim: int = -1, *, return_running: bool = False
) -> Array | tuple[Array, Array, Array]:
    """Softmax that reads the scores block by block and keeps only a maximum and a sum.

        m' = max(m, max block),   l' = l · exp(m − m') + Σ exp(block − m'),   w = exp(s − m) / l

    Equal to `softmax`, and refuses the same.

    Args:
        block_size: how many scores are read at once; a ValueError below 1.
        return_running: also return the maximum and the sum after each block, each with `dim` of
            size ⌈length / block_size⌉.

    Milakov & Gimelshein (2018), "Online normalizer calculation for softmax",
    https://arxiv.org/abs/1805.02867.
    """
    block_size = integer("block_size", block_size, 1)
    return_running = flag("return_running", return_running)
    tensor = as_scores(scores, dim)
    exact = wide(tensor)
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
    weights = check_defined((exact - running_max).exp() / running_sum).to(tensor.dtype)
    if not return_running:
        return like(weights, scores)
    running = like(torch.cat(maxima, dim), scores), like(torch.cat(sums, dim), scores)
    return like(weights, scores), *running

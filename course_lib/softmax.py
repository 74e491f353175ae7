"""Softmax: scores in, weights out that are positive and sum to one."""

import math

import numpy as np
import torch
from torch import Tensor

from course_lib.checks import check_mask

Array = np.ndarray | Tensor


def softmax(scores: Array, dim: int = -1) -> Array:
    """Turn scores into weights that are positive and sum to one along `dim`.

        w_i = exp(s_i − max s) / Σ_j exp(s_j − max s)

    scores: any shape, a NumPy array or a tensor. The weights come back as the same kind, shape
        and dtype. Half precision is computed in float32; integers become floating point.
    Raises TypeError for booleans and complex numbers, ValueError for an empty `dim` and for
        scores that have no softmax: NaN, +inf, or nothing but −inf along `dim`.
    Bridle (1990), "Probabilistic interpretation of feedforward classification network outputs".
    """
    tensor = _as_scores(scores, dim)
    return _like(_defined(softmax_unchecked(tensor, dim)), scores)


def masked_softmax(scores: Array, mask: Array | None, dim: int = -1) -> Array:
    """Softmax over the places where `mask` is True; exactly zero elsewhere.

        w_i = m_i exp(s_i − max s) / Σ_j m_j exp(s_j − max s),  and 0 where no m_j is True

    mask: boolean, broadcastable to the scores, True = may attend; None masks nothing. What the
        scores hold behind the mask does not matter, NaN included.
    Raises TypeError for a mask that is not boolean, ValueError for one whose shape does not fit,
        and all that `softmax` raises.
    """
    tensor = _as_scores(scores, dim)
    if mask is None:
        return softmax(scores, dim)
    if isinstance(mask, np.ndarray):
        mask = torch.from_numpy(np.array(mask))
    check_mask(mask, tensor.shape, tensor.device)
    return _like(_defined(masked_softmax_unchecked(tensor, mask, dim)), scores)


def online_softmax(
    scores: Array, block_size: int = 64, dim: int = -1, *, return_running: bool = False
) -> Array | tuple[Array, Array, Array]:
    """Softmax that reads the scores block by block and keeps only a maximum and a sum.

        m' = max(m, max block),   l' = l · exp(m − m') + Σ exp(block − m'),   w = exp(s − m) / l

    Equal to `softmax`. With `return_running`, also the maximum and the sum after each block,
    each with `dim` of size ⌈length / block_size⌉.
    Raises ValueError for a block size below 1, and all that `softmax` raises.
    Milakov & Gimelshein (2018), "Online normalizer calculation for softmax".
    """
    if block_size < 1:
        raise ValueError(f"block_size must be at least 1, got {block_size}.")
    tensor = _as_scores(scores, dim)
    wide = tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor
    running_max = wide.new_full((), -math.inf)
    running_sum = wide.new_zeros(())
    maxima, sums = [], []
    for block in wide.split(block_size, dim):
        new_max = torch.maximum(running_max, block.amax(dim, keepdim=True))
        # Nothing but -inf so far: subtract 0 instead, or -inf − (-inf) makes NaN.
        shift = torch.where(new_max == -math.inf, 0.0, new_max)
        running_sum = running_sum * (running_max - shift).exp()
        running_sum = running_sum + (block - shift).exp().sum(dim, keepdim=True)
        running_max = new_max
        maxima.append(running_max)
        sums.append(running_sum)
    weights = _defined((wide - running_max).exp() / running_sum).to(tensor.dtype)
    if not return_running:
        return _like(weights, scores)
    return tuple(_like(t, scores) for t in (weights, torch.cat(maxima, dim), torch.cat(sums, dim)))


def softmax_unchecked(scores: Tensor, dim: int = -1) -> Tensor:
    """`softmax` of a tensor that is known to be good: what the modules call."""
    half = scores.dtype in (torch.float16, torch.bfloat16)
    return torch.softmax(scores, dim, dtype=torch.float32 if half else None).to(scores.dtype)


def masked_softmax_unchecked(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    """`masked_softmax` of a tensor that is known to be good: what the modules call."""
    some = mask.any(dim, keepdim=True)
    # exp(-inf) = 0 hides a place. A row of nothing but -inf would be 0/0 = NaN, here and in the
    # backward pass, so such a row is filled with 0 and its weights are erased afterwards.
    fill = torch.where(some, scores.new_full((), -math.inf), scores.new_zeros(()))
    weights = softmax_unchecked(torch.where(mask, scores, fill), dim)
    return weights.masked_fill(~some, 0.0)


def _as_scores(scores: Array, dim: int) -> Tensor:
    """The scores as a floating-point tensor, or an error that says what they should be."""
    if isinstance(scores, np.ndarray):
        if scores.dtype.kind in "iu":
            scores = scores.astype(np.float64)
        if scores.dtype.kind != "f":
            raise TypeError(f"scores must be real numbers, got an array of {scores.dtype}.")
        tensor = torch.from_numpy(np.array(scores))  # a copy: torch refuses some strides
    elif isinstance(scores, Tensor):
        if scores.dtype == torch.bool or scores.is_complex():
            raise TypeError(f"scores must be real numbers, got a tensor of {scores.dtype}.")
        is_float = scores.is_floating_point()
        tensor = scores if is_float else scores.to(torch.get_default_dtype())
    else:
        raise TypeError(
            f"scores must be a NumPy array or a tensor, got {type(scores).__name__}. "
            "Wrap a list with np.array(...) or torch.tensor(...)."
        )
    if tensor.ndim == 0 or not -tensor.ndim <= dim < tensor.ndim:
        raise ValueError(f"scores of shape {tuple(tensor.shape)} have no dimension {dim}.")
    if tensor.shape[dim] == 0:
        raise ValueError(
            f"scores of shape {tuple(tensor.shape)} are empty along dimension {dim}: "
            "there is nothing to spread the weight over."
        )
    return tensor


def _defined(weights: Tensor) -> Tensor:
    """Refuse NaN. A graph that is being compiled, or a GPU, is not stopped to look."""
    if torch.compiler.is_compiling() or weights.device.type != "cpu":
        return weights
    if weights.isnan().any():
        raise ValueError(
            "these scores have no softmax: they hold NaN, +inf, or nothing but -inf in some row. "
            "To hide places, pass a boolean mask to masked_softmax."
        )
    return weights


def _like(weights: Tensor, scores: Array) -> Array:
    return weights.numpy() if isinstance(scores, np.ndarray) else weights

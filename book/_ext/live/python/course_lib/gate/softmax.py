"""softmax, masked_softmax and online_softmax of the library for a browser: NumPy in, NumPy out.

tests/book/test_live.py holds them equal to `course_lib.gate.softmax`.
"""

import numpy as np


def softmax(scores, dim=-1):
    """exp(scores) / sum(exp(scores)) along `dim`; the largest score is taken off first."""
    return masked_softmax(scores, None, dim)


def masked_softmax(scores, mask, dim=-1):
    """As softmax, with weight 0 where `mask` is False; a row that may see nothing is all 0."""
    if not isinstance(scores, np.ndarray):
        kind = type(scores).__name__
        raise TypeError(f"scores must be a NumPy array, got {kind}. Wrap it with np.array(...).")
    if scores.dtype.kind in "iu":
        scores = scores.astype(np.float64)
    seen = np.ones_like(scores, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
    highest = np.max(scores, axis=dim, keepdims=True, where=seen, initial=-np.inf)
    highest = np.where(np.isfinite(highest), highest, 0)
    powers = np.exp(np.where(seen, scores - highest, -np.inf)).astype(scores.dtype)
    total = powers.sum(axis=dim, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def online_softmax(scores, block_size=64, dim=-1, *, return_running=False):
    """softmax from a running maximum and a running sum, block by block."""
    if block_size < 1:
        raise ValueError(f"block_size must be at least 1, got {block_size}.")
    weights = softmax(scores, dim)  # refuses what is no array
    exact = np.moveaxis(scores.astype(np.float64), dim, -1)
    maxima, sums = [], []
    top, total = np.full(exact.shape[:-1], -np.inf), np.zeros(exact.shape[:-1])
    for start in range(0, exact.shape[-1], block_size):
        block = exact[..., start : start + block_size]
        before, top = top, np.maximum(top, block.max(-1))
        total = total * np.exp(before - top) + np.exp(block - top[..., None]).sum(-1)
        maxima.append(top)
        sums.append(total)
    running = (np.moveaxis(np.stack(one, -1), -1, dim) for one in (maxima, sums))
    return (weights, *running) if return_running else weights

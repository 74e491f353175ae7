"""softmax and masked_softmax of the library for a browser: NumPy in, NumPy out.

tests/book/test_live.py holds them equal to `course_lib.attention.softmax`.
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

"""Right answers to exercise 01, each written in another way than the reference."""

import math

import numpy as np


def softmax_by_log_sum_exp(scores, axis=-1):
    """In logarithms: take the log of the row's sum away from each score, then exp once."""
    top = np.max(scores, axis=axis, keepdims=True)
    log_sum = top + np.log(np.sum(np.exp(scores - top), axis=axis, keepdims=True))
    return np.exp(scores - log_sum)


def softmax_in_loops(x, axis=-1):
    """Row by row in plain Python: slow, and every step can be seen."""

    def one_row(row):
        exps = [math.exp(v - max(row)) for v in row]
        return np.array([e / sum(exps) for e in exps], dtype=x.dtype)

    return np.apply_along_axis(one_row, axis, x)


def softmax_in_place_on_a_copy(scores, axis=-1, *, verbose=False):
    out = np.moveaxis(scores.copy(), axis, 0)
    out -= out.max(axis=0)
    np.exp(out, out=out)
    out /= out.sum(axis=0)
    return np.moveaxis(out, 0, axis)


def softmax_in_float64(scores, axis=-1):
    wide = scores.astype(np.float64)
    exps = np.exp(wide - np.maximum.reduce(wide, axis=axis, keepdims=True))
    return np.divide(exps, exps.sum(axis, keepdims=True)).astype(scores.dtype)


def temperature_divides_after_the_maximum(scores, temperature, axis=-1):
    """The largest goes first, then the division: the differences come out the same."""
    exps = np.exp((scores - scores.max(axis=axis, keepdims=True)) / temperature)
    return exps / exps.sum(axis=axis, keepdims=True)


def temperature_as_inverse(scores, temperature: float, axis: int = -1):
    """Times 1/τ, as physicists write it, and the log of the sum in place of a division."""
    scaled = scores * (1.0 / temperature)
    scaled = scaled - scaled.max(axis=axis, keepdims=True)
    return np.exp(scaled - np.log(np.exp(scaled).sum(axis=axis, keepdims=True)))


def temperature_in_loops(scores, temperature, axis=-1):
    return softmax_in_loops(np.array([v / temperature for v in scores]), axis)


def masked_with_infinity(scores, mask, axis=-1):
    with np.errstate(invalid="ignore"):
        weights = softmax_by_log_sum_exp(np.where(mask, scores, -np.inf), axis)
    return np.nan_to_num(weights, nan=0.0)


def masked_and_renormalised(scores, mask, axis=-1):
    """`max` and `divide` have a mask of their own, `where`; nothing is ever -inf."""
    top = scores.max(axis=axis, keepdims=True, where=mask, initial=np.finfo(scores.dtype).min)
    exps = np.exp(np.where(mask, scores - top, 0)) * mask
    total = exps.sum(axis=axis, keepdims=True)
    return np.divide(exps, total, out=np.zeros_like(exps), where=total != 0)


def masked_in_loops(scores, mask, axis=-1):
    """Take the allowed scores of a row out, and put their weights back."""
    rows = np.moveaxis(scores, axis, -1)
    allowed = np.moveaxis(np.broadcast_to(mask, scores.shape), axis, -1)
    out = np.zeros_like(rows)
    for place in np.ndindex(rows.shape[:-1]):
        if allowed[place].any():
            row = rows[place][allowed[place]]
            exps = np.exp(row - row.max())
            out[place][allowed[place]] = exps / exps.sum()
    return np.moveaxis(out, -1, axis)


def masked_with_a_constant_and_a_guard(scores, mask, axis=-1):
    filled = scores.copy()
    np.copyto(filled, -1e30, where=~mask)
    return softmax_in_place_on_a_copy(filled, axis) * mask


def masked_with_a_tiny_denominator(scores, mask, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True, where=mask, initial=-3e38)
    exps = np.where(mask, np.exp(np.where(mask, scores - top, 0)), 0)
    return (exps / (exps.sum(axis=axis, keepdims=True) + 1e-12)).astype(scores.dtype)


def backward_by_jacobian(weights, grad_weights):
    """With the whole Jacobian, diag(α) − ααᵀ: what the formula saves you from."""
    n = weights.shape[-1]
    jacobian = weights[..., :, None] * np.eye(n) - weights[..., :, None] * weights[..., None, :]
    return np.einsum("...ij,...i->...j", jacobian, grad_weights).astype(weights.dtype)


def backward_by_einsum(weights, grad_weights):
    return (
        weights * grad_weights
        - weights * np.einsum("...i,...i->...", weights, grad_weights)[..., None]
    )


def backward_in_loops(weights, grad_weights):
    """Pair by pair: score j gains α_j·α_i·(g_j − g_i) from each i."""
    out = np.empty_like(weights)
    for place in np.ndindex(weights.shape[:-1]):
        w, g = weights[place], grad_weights[place]
        out[place] = [
            w[j] * sum(w[i] * (g[j] - g[i]) for i in range(len(w))) for j in range(len(w))
        ]
    return out


ALTERNATIVES = {
    "softmax": [
        softmax_by_log_sum_exp,
        softmax_in_loops,
        softmax_in_place_on_a_copy,
        softmax_in_float64,
    ],
    "softmax_with_temperature": [
        temperature_divides_after_the_maximum,
        temperature_as_inverse,
        temperature_in_loops,
    ],
    "masked_softmax": [
        masked_and_renormalised,
        masked_in_loops,
        masked_with_infinity,
        masked_with_a_constant_and_a_guard,
        masked_with_a_tiny_denominator,
    ],
    "softmax_backward": [backward_by_jacobian, backward_in_loops, backward_by_einsum],
}

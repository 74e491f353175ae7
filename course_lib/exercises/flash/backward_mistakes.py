"""What goes wrong in `attention_backward`."""

import math
from functools import partial

import torch

from course_lib.exercises.attention_parts import scaling_mistakes
from course_lib.grading.tasks import Mistake


def _backward(
    query,
    key,
    value,
    grad_output,
    *,
    factor=lambda q, k, v: q.shape[-1] ** -0.5,
    back=lambda scale: (scale, scale),
    through=lambda w, g: w * (g - (w * g).sum(-1, keepdim=True)),
    mixed=lambda scores, weights: weights,
):
    """The reference with one step exchanged."""
    scale = factor(query, key, value)
    scores = query @ key.transpose(-2, -1) * scale
    weights = torch.softmax(scores, dim=-1)
    grad_value = mixed(scores, weights).transpose(-2, -1) @ grad_output
    grad_scores = through(weights, grad_output @ value.transpose(-2, -1))
    for_query, for_key = back(scale)
    grad_query = grad_scores @ key * for_query
    return grad_query, grad_scores.transpose(-2, -1) @ query * for_key, grad_value


def _wrong(name: str, sentence: str, **steps) -> Mistake:
    return Mistake(name, sentence, partial(_backward, **steps))


def _then(pick):
    return lambda *args: pick(*_backward(*args))


def _not_transposed(query, key, value, grad_output):
    grad_query, _grad_key, grad_value = _backward(query, key, value, grad_output)
    return grad_query, _grad_scores(query, key, value, grad_output) @ query, grad_value


def _transposed_for_query(query, key, value, grad_output):
    _grad_query, grad_key, grad_value = _backward(query, key, value, grad_output)
    grad_scores = _grad_scores(query, key, value, grad_output)
    return grad_scores.transpose(-2, -1) @ key, grad_key, grad_value


def _weights_not_transposed(query, key, value, grad_output):
    grad_query, grad_key, _grad_value = _backward(query, key, value, grad_output)
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), -1)
    return grad_query, grad_key, weights @ grad_output


def _swapped(query, key, value, grad_output):
    grad_scores = _grad_scores(query, key, value, grad_output)
    grad_value = _backward(query, key, value, grad_output)[2]
    return grad_scores @ query, grad_scores.transpose(-2, -1) @ key, grad_value


def _grad_scores(query, key, value, grad_output):
    scale = 1 / math.sqrt(query.shape[-1])
    weights = torch.softmax(query @ key.transpose(-2, -1) * scale, -1)
    grad_weights = grad_output @ value.transpose(-2, -1)
    return weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True)) * scale


def _sums_with_output(query, key, value, grad_output):
    """D = the row sum of output², instead of output times its gradient."""
    scale = 1 / math.sqrt(query.shape[-1])
    weights = torch.softmax(query @ key.transpose(-2, -1) * scale, -1)
    row_sum = (weights @ value).square().sum(-1, keepdim=True)
    grad_scores = weights * (grad_output @ value.transpose(-2, -1) - row_sum) * scale
    grad_value = weights.transpose(-2, -1) @ grad_output
    return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value


def _three_axes(query, key, value, grad_output):
    _batch, _length, _d_k = query.shape
    return _backward(query, key, value, grad_output)


MISTAKES = (
    *scaling_mistakes(_backward),
    _wrong(
        "scale-forgotten-on-the-way-back",
        "You scale on the way forward but not on the way back. The scores were divided by √d_k, "
        "so the gradients of query and key are too.",
        back=lambda scale: (1, 1),
    ),
    _wrong(
        "scale-forgotten-for-the-key",
        "The gradient of the key lacks the scale. Divide the gradient of the scores by √d_k "
        "once, then both products have it.",
        back=lambda scale: (scale, 1),
    ),
    _wrong(
        "scale-forgotten-for-the-query",
        "The gradient of the query lacks the scale. Divide the gradient of the scores by √d_k "
        "once, then both products have it.",
        back=lambda scale: (1, scale),
    ),
    _wrong(
        "scaled-twice",
        "You divide by √d_k twice on the way back. The scale enters each gradient once.",
        back=lambda scale: (scale**2, scale**2),
    ),
    _wrong(
        "row-sum-forgotten",
        "You forget that a softmax couples its row: raising one score lowers the other weights. "
        "Take each row's sum of weights × grad_weights away before you multiply by the weights.",
        through=lambda w, g: w * g,
    ),
    _wrong(
        "each-weight-alone",
        "You use w(1 - w), the derivative of a single weight by its own score. The other "
        "weights of the row change too: use w × (grad - Σ w grad).",
        through=lambda w, g: w * (1 - w) * g,
    ),
    _wrong(
        "row-sum-not-weighted",
        "You take away the plain sum of grad_weights. Each term of that sum counts with its "
        "weight: Σ w grad.",
        through=lambda w, g: w * (g - g.sum(-1, keepdim=True)),
    ),
    _wrong(
        "row-mean",
        "You take away the mean. It is the sum over the row, Σ w grad; the weights already sum "
        "to one.",
        through=lambda w, g: w * (g - (w * g).mean(-1, keepdim=True)),
    ),
    _wrong(
        "column-sum",
        "Your sum runs over the queries. The softmax ran along a row: sum over the last axis.",
        through=lambda w, g: w * (g - (w * g).sum(-2, keepdim=True)),
    ),
    _wrong(
        "row-sum-added",
        "You add the row's sum. Take it away: w × (grad - Σ w grad).",
        through=lambda w, g: w * (g + (w * g).sum(-1, keepdim=True)),
    ),
    _wrong(
        "row-sum-without-its-axis",
        "The row's sum has lost its axis and lines up with the wrong one. Keep it with "
        "`keepdim=True`: (..., T, 1).",
        through=lambda w, g: w * (g - (w * g).sum(-1)),
    ),
    _wrong(
        "sum-of-everything",
        "Your sum runs over everything. Each row has its own: sum over the last axis.",
        through=lambda w, g: w * (g - (w * g).sum()),
    ),
    _wrong(
        "weights-forgotten",
        "After taking the row's sum away, multiply by the weights: w × (grad - Σ w grad).",
        through=lambda w, g: g - (w * g).sum(-1, keepdim=True),
    ),
    _wrong(
        "softmax-skipped",
        "You send the gradient of the weights straight on. The softmax lies between weights and "
        "scores and has a gradient of its own: w × (grad - Σ w grad).",
        through=lambda w, g: g,
    ),
    Mistake(
        "row-sum-of-the-output",
        "Your row sum multiplies the output with itself. It is the output times its gradient, "
        "summed over the row: Σ output × grad_output.",
        _sums_with_output,
    ),
    _wrong(
        "scores-for-weights",
        "The gradient of the values uses the scores. The output is weights @ value, so it is "
        "weightsᵀ @ grad_output.",
        mixed=lambda scores, weights: scores,
    ),
    Mistake(
        "key-not-transposed",
        "For the key, transpose the gradient of the scores: key s collects from every query, "
        "grad_scoresᵀ @ query.",
        _not_transposed,
    ),
    Mistake(
        "query-transposed",
        "For the query, do not transpose the gradient of the scores: grad_scores @ key.",
        _transposed_for_query,
    ),
    Mistake(
        "value-not-transposed",
        "For the values, transpose the weights: value s collects from every query, "
        "weightsᵀ @ grad_output.",
        _weights_not_transposed,
    ),
    Mistake(
        "query-and-key-exchanged",
        "The gradient of the query needs the key, and the gradient of the key needs the query.",
        _swapped,
    ),
    Mistake(
        "order",
        "The gradients come in another order. Return (grad_query, grad_key, grad_value).",
        _then(lambda q, k, v: (k, q, v)),
    ),
    Mistake(
        "values-first",
        "The gradients come in another order. Return (grad_query, grad_key, grad_value).",
        _then(lambda q, k, v: (v, k, q)),
    ),
    Mistake(
        "list",
        "You return a list. Return a tuple, (grad_query, grad_key, grad_value).",
        _then(lambda q, k, v: [q, k, v]),
    ),
    Mistake(
        "only-three-axes",
        "You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever "
        "stands before them alone.",
        _three_axes,
    ),
)

"""Task `attention_backward`: the gradients of attention, derived by hand."""

import math
from collections.abc import Callable
from types import CodeType

import torch

from course_lib.exercises.attention_mistakes import only_three_axes, scaling_mistakes
from course_lib.exercises.attention_parts import qkv, ragged
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


def attention_backward(query, key, value, grad_output):
    """Undo one line after the other. A product A V hands its gradient on to both factors,
    multiplied by the other one transposed; the softmax hands on A · (dA − the row's sum of A · dA),
    as in exercise 01; and Q Kᵀ/√d_k is a product again. Shapes decide what is transposed: the
    gradient of the keys has S rows, so the gradient of the scores stands transposed in it.

    Cost: Five products of T·S·d multiplications, against two in the forward pass."""
    scale = 1 / math.sqrt(query.shape[-1])
    weights = torch.softmax(query @ key.transpose(-2, -1) * scale, dim=-1)  # (..., T, S)
    grad_value = weights.transpose(-2, -1) @ grad_output  # (..., S, d_v)
    grad_weights = grad_output @ value.transpose(-2, -1)  # (..., T, S)
    row_sum = (weights * grad_weights).sum(-1, keepdim=True)  # (..., T, 1)
    grad_scores = weights * (grad_weights - row_sum) * scale  # (..., T, S)
    return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value


def inputs(s: Sampler, query, key, value) -> Inputs:
    return Inputs((query, key, value, s.floats(*query.shape[:-1], value.shape[-1])))


AUTOGRAD = {"autograd", "backward", "requires_grad", "requires_grad_", "vjp", "jacrev", "jacobian"}


def by_hand(answer: Callable) -> str | None:
    """What to say when the answer's own code names autograd."""
    names = _names(getattr(answer, "__code__", None))
    found = sorted(AUTOGRAD & names)
    if not found:
        return None
    return (
        f"This task is a derivation by hand, and your answer names `{found[0]}`. Write the three "
        "gradients as matrix products; autograd is good for testing them outside the answer."
    )


def _names(code: CodeType | None) -> set[str]:
    """Every name that a function's code refers to, inner functions and keywords included."""
    if code is None:
        return set()
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
        elif isinstance(constant, tuple):  # names of keyword arguments
            names |= {item for item in constant if isinstance(item, str)}
    return names


case = Cases()
case("two queries, three keys", lambda s: inputs(s, *qkv(s, (1,), (2, 3, 2, 2))))
case("all axes of different length", lambda s: inputs(s, *ragged(s)))
# Of squares, no shape tells that an axis was swapped.
case("all axes of equal length", lambda s: inputs(s, *qkv(s, (2,), (1 + s.size,) * 4)))
case("heads: four axes", lambda s: inputs(s, *ragged(s, axes=2)))
case.hidden("no batch: two axes", lambda s: inputs(s, *ragged(s, axes=0)))
case.hidden("a single query", lambda s: inputs(s, *qkv(s, (2,), (1, 4, 3, 2))))
case.hidden("a single key gets no gradient", lambda s: inputs(s, *qkv(s, (2,), (3, 1, 2, 4))))
case.hidden("values as long as keys", lambda s: inputs(s, *qkv(s, (2,), (4, 5, 3, 3))))
case.hidden(
    "scores in the thousands stay finite",
    lambda s: inputs(s, *ragged(s, scale=60.0)),
    dtypes=("float64",),
)


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
    for_query=lambda q, k, grad_scores: grad_scores @ k,
    for_key=lambda q, k, grad_scores: grad_scores.mT @ q,
    for_value=lambda weights, grad_output: weights.mT @ grad_output,
):
    """The reference with one step exchanged."""
    scale = factor(query, key, value)
    scores = query @ key.transpose(-2, -1) * scale
    weights = torch.softmax(scores, dim=-1)
    grad_value = for_value(mixed(scores, weights), grad_output)
    grad_scores = through(weights, grad_output @ value.mT)
    of_query, of_key = back(scale)
    grad_query = for_query(query, key, grad_scores) * of_query
    return grad_query, for_key(query, key, grad_scores) * of_key, grad_value


class Mistakes:
    scaling = scaling_mistakes(_backward)

    def scale_forgotten_on_the_way_back(*args):
        """You scale on the way forward but not on the way back. The scores were divided by √d_k, so
        the gradients of query and key are too."""
        return _backward(*args, back=lambda scale: (1, 1))

    def scale_forgotten_for_the_key(*args):
        """The gradient of the key lacks the scale. Divide the gradient of the scores by √d_k once,
        then both products have it."""
        return _backward(*args, back=lambda scale: (scale, 1))

    def scale_forgotten_for_the_query(*args):
        """The gradient of the query lacks the scale. Divide the gradient of the scores by √d_k
        once, then both products have it."""
        return _backward(*args, back=lambda scale: (1, scale))

    def scaled_twice(*args):
        """You divide by √d_k twice on the way back. The scale enters each gradient once."""
        return _backward(*args, back=lambda scale: (scale**2, scale**2))

    def row_sum_forgotten(*args):
        """You forget that a softmax couples its row: raising one score lowers the other weights.
        Take each row's sum of weights × grad_weights away before you multiply by the weights."""
        return _backward(*args, through=lambda w, g: w * g)

    def each_weight_alone(*args):
        """You use w(1 - w), the derivative of a single weight by its own score. The other weights
        of the row change too: use w × (grad - Σ w grad)."""
        return _backward(*args, through=lambda w, g: w * (1 - w) * g)

    def row_sum_not_weighted(*args):
        """You take away the plain sum of grad_weights. Each term of that sum counts with its
        weight: Σ w grad."""
        return _backward(*args, through=lambda w, g: w * (g - g.sum(-1, keepdim=True)))

    def row_mean(*args):
        """You take away the mean. It is the sum over the row, Σ w grad; the weights already sum to
        one."""
        return _backward(*args, through=lambda w, g: w * (g - (w * g).mean(-1, keepdim=True)))

    def column_sum(*args):
        """Your sum runs over the queries. The softmax ran along a row: sum over the last axis."""
        return _backward(*args, through=lambda w, g: w * (g - (w * g).sum(-2, keepdim=True)))

    def row_sum_added(*args):
        """You add the row's sum. Take it away: w × (grad - Σ w grad)."""
        return _backward(*args, through=lambda w, g: w * (g + (w * g).sum(-1, keepdim=True)))

    def row_sum_without_its_axis(*args):
        """The row's sum has lost its axis and lines up with the wrong one. Keep it with
        `keepdim=True`: (..., T, 1)."""
        return _backward(*args, through=lambda w, g: w * (g - (w * g).sum(-1)))

    def sum_of_everything(*args):
        """Your sum runs over everything. Each row has its own: sum over the last axis."""
        return _backward(*args, through=lambda w, g: w * (g - (w * g).sum()))

    def weights_forgotten(*args):
        """After taking the row's sum away, multiply by the weights: w × (grad - Σ w grad)."""
        return _backward(*args, through=lambda w, g: g - (w * g).sum(-1, keepdim=True))

    def softmax_skipped(*args):
        """You send the gradient of the weights straight on. The softmax lies between weights and
        scores and has a gradient of its own: w × (grad - Σ w grad)."""
        return _backward(*args, through=lambda w, g: g)

    def row_sum_of_the_output(query, key, value, grad_output):
        """Your row sum multiplies the output with itself. It is the output times its gradient,
        summed over the row: Σ output × grad_output."""
        return _backward(
            query,
            key,
            value,
            grad_output,
            through=lambda w, g: w * (g - (w @ value).square().sum(-1, keepdim=True)),
        )

    def scores_for_weights(*args):
        """The gradient of the values uses the scores. The output is weights @ value, so it is
        weightsᵀ @ grad_output."""
        return _backward(*args, mixed=lambda scores, weights: scores)

    def key_not_transposed(*args):
        """For the key, transpose the gradient of the scores: key s collects from every query,
        grad_scoresᵀ @ query."""
        return _backward(*args, for_key=lambda q, k, grad_scores: grad_scores @ q)

    def query_transposed(*args):
        """For the query, do not transpose the gradient of the scores: grad_scores @ key."""
        return _backward(*args, for_query=lambda q, k, grad_scores: grad_scores.mT @ k)

    def value_not_transposed(*args):
        """For the values, transpose the weights: value s collects from every query, weightsᵀ @
        grad_output."""
        return _backward(*args, for_value=torch.matmul)

    def query_and_key_exchanged(*args):
        """The gradient of the query needs the key, and the gradient of the key needs the query."""
        return _backward(*args, for_query=lambda q, k, g: g @ q, for_key=lambda q, k, g: g.mT @ k)

    def order(*args):
        """The gradients come in another order. Return (grad_query, grad_key, grad_value)."""
        q, k, v = _backward(*args)
        return k, q, v

    def values_first(*args):
        """The gradients come in another order. Return (grad_query, grad_key, grad_value)."""
        return _backward(*args)[::-1]

    def list(*args):
        """You return a list. Return a tuple, (grad_query, grad_key, grad_value)."""
        return list(_backward(*args))

    three_axes = only_three_axes(_backward)


HINTS = (
    "Write the forward pass as three lines, each with its shape. A gradient has the shape of what "
    "it belongs to: that decides what has to be transposed.",
    "output = weights @ value gives grad_value = weightsᵀ @ grad_output and grad_weights = "
    "grad_output @ valueᵀ. Through the softmax: grad_scores = weights × (grad_weights - the row's "
    "sum of weights × grad_weights).",
    "scores = query @ keyᵀ / √d_k gives grad_query = grad_scores @ key / √d_k and grad_key = "
    "grad_scoresᵀ @ query / √d_k.",
)
BACKWARD = task(attention_backward, 5, case.all, Mistakes, HINTS, advice=by_hand)

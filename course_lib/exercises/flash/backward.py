"""Task `attention_backward`: the gradients of attention, derived by hand."""

import math
from collections.abc import Callable
from types import CodeType

import torch

from course_lib.exercises.attention_parts import qkv, ragged
from course_lib.exercises.flash.backward_mistakes import MISTAKES
from course_lib.grading.tasks import Case, Inputs, Sampler, Task


def attention_backward(query, key, value, grad_output):
    scale = 1 / math.sqrt(query.shape[-1])
    weights = torch.softmax(query @ key.transpose(-2, -1) * scale, dim=-1)  # (..., T, S)
    grad_value = weights.transpose(-2, -1) @ grad_output  # (..., S, d_v)
    grad_weights = grad_output @ value.transpose(-2, -1)  # (..., T, S)
    row_sum = (weights * grad_weights).sum(-1, keepdim=True)  # (..., T, 1)
    grad_scores = weights * (grad_weights - row_sum) * scale  # (..., T, S)
    return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value


def inputs(s: Sampler, query, key, value) -> Inputs:
    return Inputs((query, key, value, s.floats(*query.shape[:-1], value.shape[-1])))


def square(s: Sampler) -> Inputs:
    """Of squares, no shape tells that an axis was swapped."""
    n = 1 + s.size
    return inputs(s, *qkv(s, (2,), (n, n, n, n)))


def of(*lengths: int) -> Callable[[Sampler], Inputs]:
    return lambda s: inputs(s, *qkv(s, (2,), lengths))


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


BACKWARD = Task(
    name="attention_backward",
    points=5,
    reference=attention_backward,
    idea=(
        "Undo one line after the other. A product A V hands its gradient on to both factors, "
        "multiplied by the other one transposed; the softmax hands on A · (dA − the row's sum "
        "of A · dA), as in exercise 01; and Q Kᵀ/√d_k is a product again. Shapes decide what "
        "is transposed: the gradient of the keys has S rows, so the gradient of the scores "
        "stands transposed in it."
    ),
    cost="Five products of T·S·d multiplications, against two in the forward pass.",
    advice=by_hand,
    cases=(
        Case("two queries, three keys", lambda s: inputs(s, *qkv(s, (1,), (2, 3, 2, 2)))),
        Case("all axes of different length", lambda s: inputs(s, *ragged(s))),
        Case("all axes of equal length", square),
        Case("heads: four axes", lambda s: inputs(s, *ragged(s, axes=2))),
        Case("no batch: two axes", lambda s: inputs(s, *ragged(s, axes=0)), hidden=True),
        Case("a single query", of(1, 4, 3, 2), hidden=True),
        Case("a single key gets no gradient", of(3, 1, 2, 4), hidden=True),
        Case("values as long as keys", of(4, 5, 3, 3), hidden=True),
        Case(
            "scores in the thousands stay finite",
            lambda s: inputs(s, *ragged(s, scale=60.0)),
            hidden=True,
            dtypes=("float64",),
        ),
    ),
    mistakes=MISTAKES,
    hints=(
        "Write the forward pass as three lines, each with its shape. A gradient has the shape "
        "of what it belongs to: that decides what has to be transposed.",
        "output = weights @ value gives grad_value = weightsᵀ @ grad_output and grad_weights = "
        "grad_output @ valueᵀ. Through the softmax: grad_scores = weights × (grad_weights - the "
        "row's sum of weights × grad_weights).",
        "scores = query @ keyᵀ / √d_k gives grad_query = grad_scores @ key / √d_k and "
        "grad_key = grad_scoresᵀ @ query / √d_k.",
    ),
)

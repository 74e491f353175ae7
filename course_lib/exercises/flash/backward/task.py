"""The reference, the cases and the hints of `attention_backward`."""

import math

import torch

from course_lib.checker.run.program import Program
from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.attention_parts import qkv, ragged
from course_lib.exercises.common import single


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


def by_hand(program: Program) -> str | None:
    """What to say when an answer's text names autograd."""
    found = sorted(AUTOGRAD.intersection(program.names))
    if not found:
        return None
    return (
        f"This task is a derivation by hand, and your answer names `{found[0]}`. Write the three "
        "gradients as matrix products; autograd is good for testing them outside the answer."
    )


case = Cases()
case.example(
    (single([[1]]), single([[0], [math.log(3)]]), single([[4], [8]]), single([[1]])),
    dtype="float32",
)
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
case.hidden(
    "queries of zeros",
    lambda s: inputs(s, 0 * (drawn := ragged(s))[0], *drawn[1:]),
    sizes=(1,),
    dtypes=("float64",),
)

HINTS = (
    "Write the forward pass as three lines, each with its shape. A gradient has the shape of what "
    "it belongs to: that decides what has to be transposed.",
    "output = weights @ value gives grad_value = weightsᵀ @ grad_output and grad_weights = "
    "grad_output @ valueᵀ. Through the softmax: grad_scores = weights × (grad_weights - the row's "
    "sum of weights × grad_weights).",
    "scores = query @ keyᵀ / √d_k gives grad_query = grad_scores @ key / √d_k and grad_key = "
    "grad_scoresᵀ @ query / √d_k.",
)

"""The reference, the cases and the hints of `softmax_backward`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler, Transposed
from course_lib.exercises.common import called_twice


def softmax_backward(weights, grad_weights):
    """Each score moves every weight of its row, so the Jacobian is a full matrix, diag(α) − ααᵀ. We
    never need the matrix, only its product with g, and that collapses to α_j·(g_j − ḡ), where ḡ =
    Σ_i α_i·g_i is the mean of g under the weights. In words: a score's gradient is positive where
    its g is above what the row gets on average.

    Cost: O(n) for a row of n scores; with the Jacobian written out it is O(n²)."""
    mean = (weights * grad_weights).sum(axis=-1, keepdims=True)
    return weights * (grad_weights - mean)


def draw(s: Sampler, *shape: int) -> Inputs:
    return Inputs((s.weights(*shape), s.floats(*shape)))


case = Cases()
case.example((np.array([0.2, 0.8]), np.array([1.0, 0.0])))
case("each row of a matrix", lambda s: draw(s, *s.dims(2)))
case("a single row", lambda s: draw(s, s.size + 1))


@case("weights of zero pass nothing back")
def masked(s, n, m):
    mask = s.mask(n, m)
    mask[0] = False
    weights = np.where(mask, s.weights(n, m), 0).astype(s.dtype)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total > 0, total, 1), s.floats(n, m)


case.hidden("a matrix with a single row", lambda s: draw(s, 1, s.size + 1))
case.hidden("rows and columns equally many", lambda s: draw(s, s.size + 1, s.size + 1))
# All weight on one place: the softmax is flat there, so nothing flows back.
case.hidden(
    "a row that is certain",
    lambda s, n, m: (np.eye(m, dtype=s.dtype)[s.integers(0, m, n)], s.floats(n, m)),
)
case.hidden(
    "more axes, stored in another order",
    lambda s, a, b, c, d: (s.weights(a, b, c, d), Transposed(s.floats(a, b, c, d), (1, 3))),
)
called_twice(case, ["weights", "grad_weights"], lambda s: (s.weights(2, 3), s.floats(2, 3)))

HINTS = (
    "Take a row of two and write the sum over i out, for j = 1. Which terms have a factor in "
    "common?",
    "The two terms are w_j·g_j and −w_j·Σ_i w_i·g_i. The sum is one number for each row.",
    "Compute `(weights * grad_weights).sum(axis=-1, keepdims=True)`, subtract it from "
    "grad_weights, and multiply by weights.",
)

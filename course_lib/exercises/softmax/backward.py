"""Task `softmax_backward`: from the gradient of the weights to the gradient of the scores."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def softmax_backward(weights, grad_weights):
    mean = (weights * grad_weights).sum(axis=-1, keepdims=True)
    return weights * (grad_weights - mean)


def draw(s: Sampler, *shape: int) -> Inputs:
    return Inputs((s.weights(*shape), s.floats(*shape)))


def masked(s: Sampler) -> Inputs:
    n, m = s.dims(2)
    mask = s.mask(n, m)
    mask[0] = False
    weights = np.where(mask, s.weights(n, m), 0).astype(s.dtype)
    total = weights.sum(axis=-1, keepdims=True)
    return Inputs((weights / np.where(total > 0, total, 1), s.floats(n, m)))


def certain(s: Sampler) -> Inputs:
    """All weight on one place: the softmax is flat there, so nothing flows back."""
    n, m = s.dims(2)
    return Inputs((np.eye(m, dtype=s.dtype)[s.integers(0, m, n)], s.floats(n, m)))


def strided(s: Sampler) -> Inputs:
    a, b, c, d = s.dims(4)
    return Inputs((s.weights(a, b, c, d), Transposed(s.floats(a, b, c, d), (1, 3))))


def _jacobian(weights, grad_weights):
    """The Jacobian without its diagonal: −w wᵀ g."""
    return -weights * (weights * grad_weights).sum(axis=-1, keepdims=True)


def _no_keepdims(weights, grad_weights):
    return weights * (grad_weights - (weights * grad_weights).sum(axis=-1))


SOFTMAX_BACKWARD = Task(
    name="softmax_backward",
    points=2,
    reference=softmax_backward,
    library="numpy",
    idea=(
        "Each score moves every weight of its row, so the Jacobian is a full matrix, diag(α) "
        "− ααᵀ. We never need the matrix, only its product with g, and that collapses to "
        "α_j·(g_j − ḡ), where ḡ = Σ_i α_i·g_i is the mean of g under the weights. In words: a "
        "score's gradient is positive where its g is above what the row gets on average."
    ),
    cost="O(n) for a row of n scores; with the Jacobian written out it is O(n²).",
    cases=(
        Case("each row of a matrix", lambda s: draw(s, *s.dims(2))),
        Case("a single row", lambda s: draw(s, s.size + 1)),
        Case("weights of zero pass nothing back", masked),
        Case("rows and columns equally many", lambda s: draw(s, s.size + 1, s.size + 1), True),
        Case("a row that is certain", certain, hidden=True),
        Case("more axes, stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "diagonal-only",
            "You use w(1 − w), the derivative of a weight by its own score. Each score moves all "
            "weights of its row: subtract Σ w·g, not w·g, from g.",
            lambda w, g: w * (1 - w) * g,
        ),
        Mistake(
            "diagonal-missing",
            "You have −w·Σ w·g, the part of the other weights. The part of the weight itself, w·g, "
            "is missing.",
            _jacobian,
        ),
        Mistake(
            "mean-not-subtracted",
            "You have w·g, as if the weights did not have to sum to one. Subtract Σ w·g of the row "
            "from g first.",
            lambda w, g: w * g,
        ),
        Mistake(
            "factor-missing",
            "You subtract Σ w·g, but the difference still has to be multiplied by the weights.",
            lambda w, g: g - (w * g).sum(axis=-1, keepdims=True),
        ),
        Mistake(
            "plain-mean",
            "You subtract the plain mean of the gradient. It must be the mean under the weights, "
            "Σ w·g.",
            lambda w, g: w * (g - g.mean(axis=-1, keepdims=True)),
        ),
        Mistake(
            "sum-of-gradients",
            "You subtract the plain sum of the gradient. Weigh each entry first: Σ w·g.",
            lambda w, g: w * (g - g.sum(axis=-1, keepdims=True)),
        ),
        Mistake(
            "sign",
            "The sign is wrong: a score whose weight should grow (large g) needs a positive "
            "gradient. It is g minus Σ w·g.",
            lambda w, g: -softmax_backward(w, g),
        ),
        Mistake(
            "whole-array",
            "You sum w·g over the whole array. Each row is its own softmax: sum along the last "
            "axis only.",
            lambda w, g: w * (g - (w * g).sum()),
        ),
        Mistake(
            "first-axis",
            "You sum along the first axis. The weights of one softmax lie along the last axis.",
            lambda w, g: w * (g - (w * g).sum(axis=0, keepdims=True)),
        ),
        Mistake(
            "no-keepdims",
            "The sum drops its axis and no longer lines up with the rows. Keep it with "
            "`keepdims=True`.",
            _no_keepdims,
        ),
        always_float64(softmax_backward),
        changes_input(softmax_backward, 0, "weights"),
        changes_input(softmax_backward, 1, "grad_weights"),
    ),
    hints=(
        "Take a row of two and write the sum over i out, for j = 1. Which terms have a factor "
        "in common?",
        "The two terms are w_j·g_j and −w_j·Σ_i w_i·g_i. The sum is one number for each row.",
        "Compute `(weights * grad_weights).sum(axis=-1, keepdims=True)`, subtract it from "
        "grad_weights, and multiply by weights.",
    ),
)

"""Task `context_vector`: the sum of the values, each times its weight."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def context_vector(weights, values):
    return np.einsum("bs,bsd->bd", weights, values)


def draw(s: Sampler, b: int, n: int, d: int) -> Inputs:
    return Inputs((s.weights(b, n), s.floats(b, n, d)))


def masked(s: Sampler) -> Inputs:
    b, n, d = s.dims(3)
    weights = s.weights(b, n)
    weights[0] = 0
    return Inputs((weights, s.floats(b, n, d)))


def unnormalised(s: Sampler) -> Inputs:
    """Gated or dropped-out weights need not sum to one."""
    b, n, d = s.dims(3)
    return Inputs((s.floats(b, n), s.floats(b, n, d)))


def equal(s: Sampler) -> Inputs:
    n = s.size + 1
    return draw(s, n, n, n)


def strided(s: Sampler) -> Inputs:
    b, n, d = s.dims(3)
    return Inputs((Transposed(s.weights(b, n), (0, 1)), Transposed(s.floats(b, n, d), (0, 2))))


def _renormalised(weights, values):
    return context_vector(weights / weights.sum(axis=-1, keepdims=True), values)


def _softmax_again(weights, values):
    exps = np.exp(weights - weights.max(axis=-1, keepdims=True))
    return context_vector(exps / exps.sum(axis=-1, keepdims=True), values)


def _hardest(weights, values):
    return values[np.arange(len(values)), weights.argmax(axis=-1)]


CONTEXT_VECTOR = Task(
    name="context_vector",
    points=3,
    reference=context_vector,
    library="numpy",
    idea=(
        "A context vector is a recipe: so much of this value, so much of that one. The "
        "weights lack the axis of the features, and the sum runs over the S positions. The "
        "weights are used as they are: a row of zeros gives a vector of zeros, and nothing is "
        "divided."
    ),
    cost=("B·S·d_v multiplications; einsum makes no array that is larger than its inputs."),
    cases=(
        Case("a weighted sum for each sentence", lambda s: draw(s, *s.dims(3))),
        Case("a batch of one", lambda s: draw(s, 1, *s.dims(2))),
        Case("weights of zero give a vector of zeros", masked),
        Case("weights that do not sum to one are used as they are", unnormalised, hidden=True),
        Case("all axes equally long", equal, hidden=True),
        Case("a single value", lambda s: draw(s, s.size + 1, 1, s.size + 2), hidden=True),
        Case("values of one number", lambda s: draw(s, *s.dims(2), 1), hidden=True),
        Case("arrays stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "renormalised",
            "You divide the weights by their sum: a row of zeros becomes nan. Use the weights as "
            "they come.",
            _renormalised,
        ),
        Mistake(
            "softmax-again",
            "You put the weights through a softmax, but they are weights already. Use them as they "
            "come.",
            _softmax_again,
        ),
        Mistake(
            "weights-ignored",
            "You average the values and leave the weights out. Multiply each value by its weight.",
            lambda w, v: v.mean(axis=1),
        ),
        Mistake(
            "plain-sum",
            "You add the values up and leave the weights out. Multiply each value by its weight.",
            lambda w, v: v.sum(axis=1),
        ),
        Mistake(
            "mean",
            "You take the mean of the weighted values. The weights share out the whole already: "
            "take the sum.",
            lambda w, v: context_vector(w, v) / w.shape[-1],
        ),
        Mistake(
            "largest-only",
            "You pick the value with the largest weight. A context vector blends all values: sum "
            "them, each times its weight.",
            _hardest,
        ),
        Mistake(
            "first-weights",
            "You use the weights of the first sentence for the whole batch. Weights b go with "
            "values b.",
            lambda w, v: np.einsum("s,bsd->bd", w[0], v),
        ),
        Mistake(
            "first-values",
            "You use the values of the first sentence for the whole batch. Weights b go with "
            "values b.",
            lambda w, v: w @ v[0],
        ),
        Mistake(
            "batch-summed",
            "You add up over the batch too. Each sentence keeps its own context vector.",
            lambda w, v: np.einsum("bs,bsd->d", w, v),
        ),
        Mistake(
            "not-summed",
            "You weigh the values but do not add them up. Sum over the positions, axis 1.",
            lambda w, v: w[:, :, None] * v,
        ),
        Mistake(
            "summed-over-features",
            "You sum over the features, so each position keeps one number. Sum over the positions, "
            "axis 1.",
            lambda w, v: (w[:, :, None] * v).sum(axis=-1),
        ),
        Mistake(
            "extra-axis",
            "An axis of length one is left over. The result has shape (B, d_v): take it away with "
            "`[:, 0]` or `squeeze(1)`.",
            lambda w, v: w[:, None] @ v,
        ),
        Mistake(
            "no-new-axis",
            "`weights * values` does not line up: weights has no axis for the features. Give it "
            "one with `weights[:, :, None]`.",
            lambda w, v: (w * v).sum(axis=1),
        ),
        Mistake(
            "every-pair",
            "You combine the weights of each sentence with the values of every sentence. Weights b "
            "go with values b only: shape (B, d_v).",
            lambda w, v: w @ v,
        ),
        always_float64(context_vector),
        changes_input(context_vector, 0, "weights"),
        changes_input(context_vector, 1, "values"),
    ),
    hints=(
        "Write down the shapes, (B, S) and (B, S, d_v). Which axis disappears in the sum, and "
        "which one do the weights lack?",
        "weights (B, S) needs an axis for the features, `weights[:, :, None]`, to multiply values.",
        'Multiply and sum over axis 1, or say it in one line: np.einsum("bs,bsd->bd", …).',
    ),
)

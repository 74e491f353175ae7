"""Task `context_vector`: the sum of the values, each times its weight."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import NUMPY, always_float64, changes_input, stored
from course_lib.exercises.softmax.plain import softmax


def context_vector(weights, values):
    """A context vector is a recipe: so much of this value, so much of that one. The weights lack
    the axis of the features, and the sum runs over the S positions. The weights are used as they
    are: a row of zeros gives a vector of zeros, and nothing is divided.

    Cost: B·S·d_v multiplications; einsum makes no array that is larger than its inputs."""
    return np.einsum("bs,bsd->bd", weights, values)


def draw(s: Sampler, b: int, n: int, d: int) -> Inputs:
    return Inputs((s.weights(b, n), s.floats(b, n, d)))


case = Cases()
case("a weighted sum for each sentence", lambda s: draw(s, *s.dims(3)))
case("a batch of one", lambda s: draw(s, 1, *s.dims(2)))


@case("weights of zero give a vector of zeros")
def masked(s, b, n, d):
    weights = s.weights(b, n)
    weights[0] = 0
    return weights, s.floats(b, n, d)


# Gated or dropped-out weights need not sum to one.
case.hidden(
    "weights that do not sum to one are used as they are",
    lambda s, b, n, d: (s.floats(b, n), s.floats(b, n, d)),
)
case.hidden("all axes equally long", lambda s: draw(s, *[s.size + 1] * 3))
case.hidden("a single value", lambda s: draw(s, s.size + 1, 1, s.size + 2))
case.hidden("values of one number", lambda s: draw(s, *s.dims(2), 1))
case.hidden(
    "arrays stored in another order",
    lambda s: stored(draw(s, *s.dims(3)).args, (0, 1), (0, 2)),
)


MISTAKES = Mistakes(context_vector)
MISTAKES.by(
    "renormalised", lambda w, v: context_vector(w / w.sum(axis=-1, keepdims=True), v)
).says("""
    You divide the weights by their sum: a row of zeros becomes nan. Use the weights as they come.
""")
MISTAKES.by("softmax-again", lambda w, v: context_vector(softmax(w), v)).says("""
    You put the weights through a softmax, but they are weights already. Use them as they come.
""")
MISTAKES.by("weights-ignored", lambda w, v: v.mean(axis=1)).says("""
    You average the values and leave the weights out. Multiply each value by its weight.
""")
MISTAKES.by("plain-sum", lambda w, v: v.sum(axis=1)).says("""
    You add the values up and leave the weights out. Multiply each value by its weight.
""")
MISTAKES.by("mean", lambda w, v: context_vector(w, v) / w.shape[-1]).says("""
    You take the mean of the weighted values. The weights share out the whole already: take the sum.
""")
MISTAKES.by("largest-only", lambda w, v: v[np.arange(len(v)), w.argmax(axis=-1)]).says("""
    You pick the value with the largest weight. A context vector blends all values: sum them, each
    times its weight.
""")
MISTAKES.by("first-weights", lambda w, v: np.einsum("s,bsd->bd", w[0], v)).says("""
    You use the weights of the first sentence for the whole batch. Weights b go with values b.
""")
MISTAKES.by("first-values", lambda w, v: w @ v[0]).says("""
    You use the values of the first sentence for the whole batch. Weights b go with values b.
""")
MISTAKES.by("batch-summed", lambda w, v: np.einsum("bs,bsd->d", w, v)).says("""
    You add up over the batch too. Each sentence keeps its own context vector.
""")
MISTAKES.by("not-summed", lambda w, v: w[:, :, None] * v).says("""
    You weigh the values but do not add them up. Sum over the positions, axis 1.
""")
MISTAKES.by("summed-over-features", lambda w, v: (w[:, :, None] * v).sum(axis=-1)).says("""
    You sum over the features, so each position keeps one number. Sum over the positions, axis 1.
""")
MISTAKES.by("extra-axis", lambda w, v: w[:, None] @ v).says("""
    An axis of length one is left over. The result has shape (B, d_v): take it away with `[:, 0]` or
    `squeeze(1)`.
""")
MISTAKES.by("all-squeezed", lambda w, v: context_vector(w, v).squeeze()).says("""
    `squeeze()` drops every axis of length one, also that of a single sentence. Name the axis:
    `squeeze(1)`.
""")
MISTAKES.by("no-new-axis", lambda w, v: (w * v).sum(axis=1)).says("""
    `weights * values` does not line up: weights has no axis for the features. Give it one with
    `weights[:, :, None]`.
""")
MISTAKES.by("every-pair", lambda w, v: w @ v).says("""
    You combine the weights of each sentence with the values of every sentence. Weights b go with
    values b only: shape (B, d_v).
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "weights", "values")


HINTS = (
    "Write down the shapes, (B, S) and (B, S, d_v). Which axis disappears in the sum, and which "
    "one do the weights lack?",
    "weights (B, S) needs an axis for the features, `weights[:, :, None]`, to multiply values.",
    'Multiply and sum over axis 1, or say it in one line: np.einsum("bs,bsd->bd", …).',
)
CONTEXT_VECTOR = task(MISTAKES, 3, case.all, HINTS, **NUMPY)

"""Task `softmax`: scores into weights, along any axis, for scores of any height."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def softmax(scores, axis=-1):
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def rows(s: Sampler) -> Inputs:
    return Inputs((s.floats(*s.dims(2), scale=2.0),))


def one_row(s: Sampler) -> Inputs:
    return Inputs((s.floats(s.size, scale=2.0),))


def inner_axis(s: Sampler) -> Inputs:
    return Inputs((s.floats(*s.dims(3)),), {"axis": s.turn(0, 1, -2)})


def square(s: Sampler) -> Inputs:
    """Of a square, no shape tells that the wrong axis was taken."""
    n = s.size + 1
    return Inputs((s.floats(n, n), 0))


def high(s: Sampler) -> Inputs:
    return Inputs((1000 + s.floats(*s.dims(2), scale=3.0),))


def low(s: Sampler) -> Inputs:
    return Inputs((s.floats(*s.dims(2), scale=3.0) - 1000,))


def uneven(s: Sampler) -> Inputs:
    """Rows 2000 apart: what saves one row must not ruin the other."""
    n, m = s.dims(2)
    heights = np.linspace(-1000, 1000, n, dtype=s.dtype)
    return Inputs((heights[:, None] + s.floats(n, m),))


def far_apart(s: Sampler) -> Inputs:
    heights = np.linspace(-1000, 1000, 2 * s.size, dtype=s.dtype)
    return Inputs((heights + s.floats(s.size, 2 * s.size),))


def strided(s: Sampler) -> Inputs:
    return Inputs((Transposed(s.floats(*s.dims(4)), (1, 3)), 2))


def _no_keepdims(scores, axis=-1):
    exps = np.exp(scores - scores.max(axis=axis))
    return exps / exps.sum(axis=axis)


def _minimum(scores, axis=-1):
    exps = np.exp(scores - scores.min(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _maximum_of_all(scores, axis=-1):
    exps = np.exp(scores - scores.max())
    return exps / exps.sum(axis=axis, keepdims=True)


SOFTMAX = Task(
    name="softmax",
    points=3,
    reference=softmax,
    library="numpy",
    idea=(
        "Two wishes decide the formula: every weight is positive, and the weights of a row "
        "sum to one. exp gives the first, and dividing by the sum gives the second. "
        "Subtracting one number from all scores of a row multiplies numerator and denominator "
        "by the same factor, so no weight changes; subtract the largest, and the largest "
        "exponential is exp(0) = 1: nothing overflows, and no sum is below 1."
    ),
    cost=("One exponential and one division for each score, and one array as large as the scores."),
    cases=(
        Case("each row of a matrix", rows),
        Case("another axis, given by name", inner_axis),
        Case("scores around 1000", high),
        Case("a single row, down to one score", one_row),
        Case("the axis is obeyed when all axes are equally long", square, hidden=True),
        Case("very negative scores", low, hidden=True),
        Case("rows of very different height", uneven, hidden=True),
        Case("scores far apart within a row", far_apart, hidden=True),
        Case("more axes, stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "no-maximum",
            "You take exp of the scores as they are; exp(1000) is inf and inf/inf is nan. Subtract "
            "the largest score of each row first: the weights stay the same.",
            lambda s, axis=-1: np.exp(s) / np.exp(s).sum(axis=axis, keepdims=True),
        ),
        Mistake(
            "maximum-of-all",
            "You subtract the largest score of the whole array. A row far below it becomes 0/0. "
            "Take the maximum along `axis`, one for each row.",
            _maximum_of_all,
        ),
        Mistake(
            "minimum",
            "You subtract the smallest score, so exp still meets large numbers. Subtract the "
            "largest: then no exponent is above zero.",
            _minimum,
        ),
        Mistake(
            "axis-ignored",
            "You always normalise along the last axis. Hand `axis` on to max and sum.",
            lambda s, axis=-1: softmax(s, -1),
        ),
        Mistake(
            "first-axis",
            "You always normalise along the first axis. Hand `axis` on to max and sum; its default "
            "is the last axis.",
            lambda s, axis=-1: softmax(s, 0),
        ),
        Mistake(
            "whole-array",
            "You divide by the sum over the whole array, so all weights together sum to one. Each "
            "row needs its own sum: sum along `axis`.",
            lambda s, axis=-1: softmax(s.reshape(-1)).reshape(s.shape),
        ),
        Mistake(
            "no-keepdims",
            "max and sum drop the axis they run along, so their result no longer lines up with the "
            "scores. Keep it with `keepdims=True`.",
            _no_keepdims,
        ),
        Mistake(
            "not-divided",
            "These are exponentials, not weights: they do not sum to one. Divide them by their sum "
            "along `axis`.",
            lambda s, axis=-1: np.exp(s - s.max(axis=axis, keepdims=True)),
        ),
        Mistake(
            "no-exponential",
            "You divide the scores by their sum; with negative scores that gives negative weights. "
            "Take exp first, then divide.",
            lambda s, axis=-1: s / s.sum(axis=axis, keepdims=True),
        ),
        Mistake(
            "sigmoid",
            "This is the sigmoid of each score on its own. In a softmax the scores of a row "
            "compete: divide each exponential by their sum.",
            lambda s, axis=-1: 1 / (1 + np.exp(-s)),
        ),
        Mistake(
            "logarithm",
            "You return the logarithms of the weights. Return the weights themselves.",
            lambda s, axis=-1: np.log(softmax(s, axis)),
        ),
        always_float64(softmax),
        changes_input(softmax, 0, "scores"),
    ),
    hints=(
        "Try [1000, 1001] by hand. Which step breaks? Which two small numbers have the same "
        "weights?",
        "exp overflows above about 709. Adding one number to all scores of a row changes no "
        "weight, so choose one that makes the largest score zero.",
        "Write `scores - scores.max(axis=axis, keepdims=True)`, take np.exp of that, and divide by "
        "its sum along the same axis, again with keepdims.",
    ),
)

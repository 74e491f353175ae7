"""The reference, the cases and the hints of `softmax`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Transposed
from course_lib.exercises.common import called_twice


def softmax(scores, axis=-1):
    """Two wishes decide the formula: every weight is positive, and the weights of a row sum to one.
    exp gives the first, and dividing by the sum gives the second. Subtracting one number from all
    scores of a row multiplies numerator and denominator by the same factor, so no weight changes;
    subtract the largest, and the largest exponential is exp(0) = 1: nothing overflows, and no sum
    is below 1.

    Cost: One exponential and one division for each score, and one array as large as the scores."""
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


SINGLE_ROW = (
    "Perhaps a single row goes a way of its own, which does not subtract the largest score. The "
    "same lines serve any number of axes."
)
FAR = (
    "Perhaps a row is answered in another way where its scores lie far apart, or scores are "
    "bounded before exp, or one maximum serves several rows. Once the largest of each row is "
    "subtracted, exp needs no exception."
)
case = Cases()
case.example((np.array([[0.0, np.log(3)], [1000.0, 1000.0]]),))
case("each row of a matrix", lambda s: (s.floats(*s.dims(2), scale=2.0),))
case(
    "another axis, given by name",
    lambda s: Inputs((s.floats(*s.dims(3)),), {"axis": s.turn(0, 1, -2)}),
)
case("scores around 1000", lambda s: (1000 + s.floats(*s.dims(2), scale=3.0),))
case("a single row, down to one score", lambda s: (s.floats(s.size, scale=2.0),))
# Of a square, no shape tells that the wrong axis was taken.
case.hidden(
    "the axis is obeyed when all axes are equally long", lambda s: (s.floats(*[s.size + 1] * 2), 0)
)
case.hidden("very negative scores", lambda s: (s.floats(*s.dims(2), scale=3.0) - 1000,))


@case.hidden("rows of very different height")
def uneven(s, n, m):
    """Rows 2000 apart: what saves one row must not ruin the other."""
    heights = np.linspace(-1000, 1000, n, dtype=s.dtype)
    return (heights[:, None] + s.floats(n, m),)


@case.hidden("scores far apart within a row")
def far_apart(s):
    heights = np.linspace(-1000, 1000, 2 * s.size, dtype=s.dtype)
    return (heights + s.floats(s.size, 2 * s.size),)


case.hidden(
    "more axes, stored in another order", lambda s: (Transposed(s.floats(*s.dims(4)), (1, 3)), 2)
)
case.hidden(
    "scores that are all 0 share alike",
    lambda s: (np.zeros((2, 3) if s.size == 1 else (1, 1), s.dtype),),  # at last one score
    sizes=(1, 2),
    perhaps="A score of 0 is one like any other: exp(0) is 1. Perhaps something is divided by a "
    "score, or 0 counts as none.",
)


@case.hidden(
    "a score of -inf weighs nothing",
    sizes=(2,),
    dtypes=("float64",),
    perhaps="Perhaps -inf becomes a number first, and another score may be lower. exp(-inf) is 0 "
    "without any help.",
)
def minus_infinity(s, n, m):
    scores = s.floats(n, m)
    scores[:, 0] = -np.inf
    scores[1:] -= 1500
    return (scores,)


called_twice(case, ["scores"], lambda s: (s.floats(2, 3),))


@case.hidden("equal scores far above the others", sizes=(1, 2), perhaps=FAR)
def tied(s):
    """Two are the largest, a third is close to them. Then the rows lie apart, and all of their
    scores close together."""
    heights = np.array([0, -1e5, -2e4, 0, -1], s.dtype)[s.rng.permutation(5)]
    if s.size > 1:
        return (np.stack([heights.clip(-3), heights.clip(-3) - 200]),)
    return (np.stack([heights, heights + (20000 if s.dtype == np.float64 else 900)]),)


case.hidden(
    "a single row of scores around 1000",
    lambda s: (1000 + s.floats(1 + s.size),),
    perhaps=SINGLE_ROW,
)

HINTS = (
    "Try [1000, 1001] by hand. Which step breaks? Which two small numbers have the same weights?",
    "exp overflows above about 709, in float32 above 88. Adding one number to all scores "
    "of a row changes no weight, so choose one that makes the largest score zero.",
    "Write `scores - scores.max(axis=axis, keepdims=True)`, take np.exp of that, and divide by "
    "its sum along the same axis, again with keepdims.",
)

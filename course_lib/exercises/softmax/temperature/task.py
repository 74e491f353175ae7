"""The reference, the cases and the hints of `softmax_with_temperature`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Transposed
from course_lib.exercises.common import called_twice
from course_lib.exercises.softmax.plain import mistakes as plain
from course_lib.exercises.softmax.plain.task import SINGLE_ROW, uneven


def softmax_with_temperature(scores, temperature, axis=-1):
    """Only differences between scores count, and a temperature stretches or shrinks them: τ = 0.5
    doubles every difference, τ = 2 halves it. So divide first, and reuse the softmax that already
    guards against overflow: a score of 30 at τ = 0.01 becomes 3000, which is harmless once the
    largest has been subtracted.

    Cost: One division for each score more than a softmax."""
    return plain.softmax(scores / temperature, axis)


case = Cases()
case.example((np.array([0.0, np.log(3)]), 0.5))
case(
    "a temperature below one sharpens",
    lambda s: (s.floats(*s.dims(2)), float(s.rng.uniform(0.3, 0.7))),
)
case(
    "a temperature above one flattens",
    lambda s: (s.floats(*s.dims(2), scale=3.0), float(s.rng.uniform(2, 5))),
)
case(
    "another axis, given by name",
    lambda s: Inputs((s.floats(*s.dims(3)), 1.7), {"axis": s.turn(0, 1, -2)}),
)
case(
    "a temperature of one changes nothing",
    lambda s: (s.floats(s.size + 1), 1.0) if s.size == 1 else (s.floats(*s.dims(2)), 1.0, 0),
    perhaps="Perhaps a temperature of 1 has a way of its own, which forgets `axis`: it needs none.",
)
case.hidden(
    "the axis is obeyed when all axes are equally long",
    lambda s: (s.floats(*[s.size + 1] * 2), 0.6, 0),
)
# Scores of about 3 at a temperature of 0.003: exponents near 1000.
case.hidden("a temperature near zero", lambda s: (3 + s.floats(*s.dims(2), scale=0.003), 0.003))
case.hidden("a matrix with a single row", lambda s: (s.floats(1, s.size + 1), 0.7))
case.hidden("high scores", lambda s: (1000 + s.floats(*s.dims(2)), 0.8))


@case.hidden("scores far apart at a temperature near zero")
def far_apart(s, n, m):
    """The largest score of a row is far above the others once it is divided: it takes all."""
    heights = np.linspace(-3, 3, m, dtype=s.dtype)
    return np.stack([s.rng.permutation(heights) for _ in range(n)]), 0.003


# At a half, the division is exact: no way of writing it rounds differently.
case.hidden("rows of very different height", lambda s, n, m: (*uneven(s, n, m), 0.5))
case.hidden(
    "more axes, stored in another order",
    lambda s: (Transposed(s.floats(*s.dims(4)), (0, 2)), 0.4, -3),
)
case.hidden(
    "scores far apart at a high temperature",
    lambda s, n, m: (np.tile(np.linspace(0, 500.0 * s.size, m), (n, 1)), 500.0 * s.size),
    sizes=(2, 10),
    dtypes=("float64",),
)


@case.hidden("a score of 0, and one of -inf", sizes=(2,), dtypes=("float64",))
def minus_infinity(s, n, m):
    scores = s.floats(n, m)
    scores[:, 0] = -np.inf
    scores[0] = 0
    return scores, 2.0


called_twice(
    case,
    ["scores", "temperature"],
    lambda s: (s.floats(2, 3), float(s.rng.uniform(0.3, 3))),
)
case.hidden(
    "a single row of high scores",
    lambda s: (1000 + s.floats(1 + s.size), 0.8),
    perhaps=SINGLE_ROW,
)

HINTS = (
    "A low temperature pulls the scores apart, a high one pushes them together. Which operation "
    "on the scores does that?",
    "Divide the scores by the temperature first; everything else is the softmax that you have.",
    "Two things go into the softmax that you have: the divided scores, and the `axis` that you "
    "were given. Nothing else changes.",
)

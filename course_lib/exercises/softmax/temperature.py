"""Task `softmax_with_temperature`: one number that makes the weights sharper or flatter."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Transposed, task
from course_lib.exercises.common import NUMPY, called_twice
from course_lib.exercises.softmax import plain
from course_lib.exercises.softmax.temperature_mistakes import MISTAKES

case = Cases()
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
case("a temperature of one changes nothing", lambda s: (s.floats(s.size + 1), 1.0))
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
case.hidden("rows of very different height", lambda s, n, m: (*plain.uneven(s, n, m), 0.5))
case.hidden(
    "more axes, stored in another order",
    lambda s: (Transposed(s.floats(*s.dims(4)), (0, 2)), 0.4, -3),
)
called_twice(
    case,
    ["scores", "temperature"],
    lambda s: (s.floats(2, 3), float(s.rng.uniform(0.3, 3))),
)


HINTS = (
    "A low temperature pulls the scores apart, a high one pushes them together. Which operation "
    "on the scores does that?",
    "Divide the scores by the temperature first; everything else is the softmax that you have.",
    "Two things go into the softmax that you have: the divided scores, and the `axis` that you "
    "were given. Nothing else changes.",
)
SOFTMAX_WITH_TEMPERATURE = task(MISTAKES, 2, case.all, HINTS, **NUMPY)

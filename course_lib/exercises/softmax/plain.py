"""Task `softmax`: scores into weights, along any axis, for scores of any height."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Transposed, task
from course_lib.exercises.common import NUMPY, called_twice
from course_lib.exercises.softmax.plain_mistakes import softmax as softmax
from course_lib.exercises.softmax.plain_slips import MISTAKES

case = Cases()
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
called_twice(case, ["scores"], lambda s: (s.floats(2, 3),))


HINTS = (
    "Try [1000, 1001] by hand. Which step breaks? Which two small numbers have the same weights?",
    "exp overflows above about 709, in float32 above 88. Adding one number to all scores "
    "of a row changes no weight, so choose one that makes the largest score zero.",
    "Write `scores - scores.max(axis=axis, keepdims=True)`, take np.exp of that, and divide by "
    "its sum along the same axis, again with keepdims.",
)
SOFTMAX = task(MISTAKES, 3, case.all, HINTS, **NUMPY)

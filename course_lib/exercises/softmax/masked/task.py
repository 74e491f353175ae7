"""The reference, the cases and the hints of `masked_softmax`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Transposed
from course_lib.exercises.common import ZERO_ALLOWED, called_twice
from course_lib.exercises.softmax.plain.task import SINGLE_ROW, uneven


def masked_softmax(scores, mask, axis=-1):
    """A place that may not be attended to should act as if it were not in the row: it is left out
    of the sum and of the maximum. A score of -inf does both, since exp(-inf) is 0 and -inf is never
    the largest of a row that has anything else. A row with no allowed place has a maximum of -inf
    and a sum of 0; put 0 and 1 in their places, and it comes out as zeros.

    Cost: As a softmax, and one masked copy of the scores."""
    top = np.where(mask, scores, -np.inf).max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)  # nothing to attend to: any finite number will do
    exps = np.where(mask, np.exp(scores - top), 0).astype(scores.dtype)
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total > 0, total, 1)


case = Cases()
case.example(
    (
        np.array([[0.0, np.log(3), 5.0], [1.0, 2.0, 3.0]]),
        np.array([[True, True, False], [False, False, False]]),
    )
)
case(
    "masked places get zero, the others sum to one", lambda s, n, m: (s.floats(n, m), s.mask(n, m))
)


@case("a row with nothing to attend to is all zeros")
def empty_row(s, n, m):
    mask = s.mask(n, m)
    mask[s.integers(0, n)] = False
    return s.floats(n, m), mask


@case("one mask for many rows")
def shared_mask(s, b, t, n):
    shape = s.turn((n,), (1, n), (t, n), (b, 1, n))
    return s.floats(b, t, n), s.mask(*shape)


@case("another axis, given by name")
def inner_axis(s, a, b, c):
    mask = s.mask(a, c, b).swapaxes(1, 2)
    return Inputs((s.floats(a, b, c), mask), {"axis": s.turn(1, -2)})


case("scores around 1000", lambda s, n, m: (1000 + s.floats(n, m), s.mask(n, m)))


@case("a masked score far above the others")
def high_masked(s, n, m):
    """The masked scores are far above those that may be attended to."""
    mask = s.mask(n, m)
    return s.floats(n, m) + np.where(mask, 0, 2000).astype(s.dtype), mask


case.hidden("very negative scores", lambda s, n, m: (s.floats(n, m) - 1000, s.mask(n, m)))


@case.hidden("allowed scores far below the masked ones", dtypes=("float64",))
def low_allowed(s, n, m):
    """Allowed scores are far below any constant that one thinks low."""
    mask = s.mask(n, m)
    return s.floats(n, m) - np.where(mask, 1e6, 0), mask


case.hidden(
    "rows of very different height",
    lambda s: (*uneven(s, 4, s.size + 1), s.mask(4, s.size + 1)),
)
case.hidden(
    "a mask that is True everywhere changes nothing",
    lambda s: (s.floats(s.size), np.ones(s.size, bool)),
)
case.hidden(
    "a mask that is False everywhere", lambda s, n, m: (s.floats(n, m), np.zeros((n, m), bool))
)


@case.hidden("the axis is obeyed when all axes are equally long")
def square(s):
    n = s.size + 1
    mask = s.mask(n, n)
    mask[0] = False
    return s.floats(n, n), mask.T.copy(), 0


# A mask with one column says for each row whether it may attend at all.
case.hidden(
    "a mask with a single column",
    lambda s, b, t, n: (s.floats(b, t, n), s.mask(b, 1, t).swapaxes(1, 2)),
)
case.hidden(
    "more axes, stored in another order",
    lambda s, a, b, c, d: (Transposed(s.floats(a, b, c, d), (1, 3)), s.mask(a, b, c, d)),
)


@case.hidden(
    "allowed scores of 0, and forbidden places that weigh exactly 0",
    sizes=(2,),
    dtypes=("float64",),
    atol=0.0,
    perhaps=ZERO_ALLOWED,
)
def zeros(s, n, m):
    return np.zeros((n, m)), s.mask(n, m)


@case.hidden("a masked score of -inf", sizes=(2,), dtypes=("float64",))
def minus_infinity(s, n, m):
    mask = s.mask(n, m)
    return np.where(mask, s.floats(n, m), -np.inf), mask


@case.hidden(
    "allowed scores that weigh little",
    sizes=(2,),
    dtypes=("float64",),
    perhaps="Perhaps small weights are rounded, or set to 0. An allowed place weighs what the "
    "formula gives, however little.",
)
def light(s):
    """Weights of about a thousandth and a millionth, in no order, which are no zeros."""
    below = np.array([[8.0, 0.0, 14.0, 0.0], [0.0, 14.0, 0.0, 8.0], [0.0, 8.0, 8.0, 0.0]])
    mask = np.array([[True, True, True, False], [False, True, True, True], [True] * 4])
    return s.floats(3, 4) / 4 - below, mask


called_twice(case, ["scores", "mask"], lambda s: (s.floats(2, 3), s.mask(2, 3)))
case.hidden(
    "a single row of scores around 1000",
    lambda s: (1000 + s.floats(1 + s.size), s.mask(1 + s.size)),
    perhaps=SINGLE_ROW,
)

HINTS = (
    "A masked place should weigh nothing. Which score has an exponential of exactly zero?",
    "exp(-inf) is 0, and `np.where(mask, scores, -np.inf)` stretches the mask. A row without any "
    "True then has a maximum of -inf and a sum of 0: both need care.",
    "Replace a maximum of -inf by 0 before you subtract it, and a sum of 0 by 1 before you "
    "divide. Then such a row comes out as zeros.",
)

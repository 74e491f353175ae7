"""The reference, the cases and the hints of `attend`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import (
    ONE_KEY,
    PER_QUERY,
    ZERO_ALLOWED,
    called_twice,
    stored,
)
from course_lib.exercises.softmax.masked import mistakes as masked


def attend(queries, keys, values, mask=None):
    """Scores, weights, context: the three steps of the tasks before, now for T queries at once.
    With an axis for T, each step is one matrix product or one softmax along the last axis; `@`
    works on the last two axes, so each sentence meets only itself. The mask acts on the scores,
    before the sum is taken, so that the weights that are left still sum to one.

    Cost: B·T·S·(d + d_v) multiplications and B·T·S weights: this grows with the product of the two
    lengths."""
    scores = queries @ keys.swapaxes(-1, -2)
    weights = masked.masked_softmax(scores, np.True_ if mask is None else mask)
    return weights @ values, weights


def draw(s: Sampler, b: int, t: int, n: int, d: int, d_v: int, scale: float = 1.0) -> tuple:
    queries, keys = s.floats(b, t, d, scale=scale), s.floats(b, n, d, scale=scale)
    return queries, keys, s.floats(b, n, d_v)


case = Cases()
case.example(
    (
        np.array([[[1.0]]]),
        np.array([[[0.0], [np.log(3)], [9.0]]]),
        np.array([[[4.0], [8.0], [100.0]]]),
        np.array([True, True, False]),
    )
)
case("context and weights without a mask", lambda s: draw(s, *s.dims(5)))
case(
    "a mask of its own for each query",
    lambda s, b, t, n, d, d_v: (*draw(s, b, t, n, d, d_v), s.mask(b, t, n)),
)


@case("a query with nothing to attend to gets zeros")
def empty_row(s, b, t, n, d, d_v):
    mask = s.mask(b, t, n)
    mask[:, s.integers(0, t)] = False
    return *draw(s, b, t, n, d, d_v), mask


@case("one mask for many queries, given by name")
def shared_mask(s, b, t, n, d, d_v):
    mask = s.turn(
        s.mask(n),
        s.mask(t, n),
        s.mask(1, t, n),
        s.mask(b, 1, n),
        s.mask(b, 1, t).swapaxes(1, 2),
        np.ones((t, n), bool),
    )
    return Inputs(draw(s, b, t, n, d, d_v), {"mask": mask})


@case("a masked score far above the others")
def high_masked(s, b, t, n, d, d_v):
    """Masked scores are far above those that may be attended to."""
    queries, keys, values = draw(s, b, t, n, d, d_v)
    mask = s.mask(n)
    queries[..., 0] = 1
    keys[:, ~mask, 0] += 2000
    return queries, keys, values, mask


@case.hidden("allowed scores far below the masked ones", dtypes=("float64",))
def low_allowed(s, b, t, n, d, d_v):
    """Allowed scores are far below any constant that one thinks low."""
    queries, keys, values = draw(s, b, t, n, d, d_v)
    mask = s.mask(n)
    queries[..., 0] = 1
    keys[:, mask, 0] -= 1e6
    return queries, keys, values, mask


case.hidden(
    "one sentence with one query, or with one key",
    lambda s, n, d: draw(s, 1, *((1, n) if s.size > 1 else (n, 1)), d, d),
)
case.hidden(
    "all axes equally long", lambda s: (*draw(s, *[s.size + 2] * 5), s.mask(*[s.size + 2] * 3))
)


@case.hidden("large scores")
def large(s, b, t, n, d, d_v):
    """Dot products whose exponential overflows, yet small enough that their rounding does not
    show in the weights: around 1000 in float64, around 120 in float32."""
    queries, keys, values = draw(s, b, t, n, d, d_v)
    queries[..., 0] = 1
    keys[..., 0] += 1000 if s.dtype == np.float64 else 120
    return queries, keys, values


@case.hidden("queries whose scores have very different height")
def uneven(s, b, t, n, d, d_v):
    """As large as in the case before, above zero for the last query and below it for the first."""
    queries, keys, values = large(s, b, t, n, d, d_v)
    queries[..., 0] = np.linspace(-1, 1, t)
    return queries, keys, values


case.hidden(
    "arrays stored in another order",
    lambda s: stored(draw(s, *s.dims(5)), (1, 2), (1, 2), (0, 1)),
)
case.hidden(
    "a mask that is False everywhere",
    lambda s, b, t, n, d, d_v: (*draw(s, b, t, n, d, d_v), np.zeros((t, n), bool)),
    sizes=(2,),
    dtypes=("float64",),
    perhaps=(
        "A mask that allows nothing is a mask all the same: perhaps `mask.any()` or `if mask` "
        "stands where `if mask is not None` belongs."
    ),
)


@case.hidden(
    "queries of zeros, and forbidden places that weigh exactly 0",
    sizes=(2,),
    dtypes=("float64",),
    atol=0.0,
    perhaps=ZERO_ALLOWED,
)
def zeros(s, b, t, n, d, d_v):
    queries, keys, values = draw(s, b, t, n, d, d_v)
    return 0 * queries, keys, abs(values), s.mask(b, t, n)


called_twice(
    case,
    ["queries", "keys", "values", "mask"],
    lambda s: (*draw(s, 2, 3, 4, 5, 6), s.mask(2, 3, 4)),
    lambda s: (*draw(s, 2, 3, 4, 5, 6), None),
)
case.hidden(
    "as many queries as sentences, and one mask for all sentences",
    lambda s, b, n, d, d_v: (*draw(s, b, b, n, d, d_v), s.mask(b, n)),
    perhaps=PER_QUERY,
)
case.hidden(
    "a single key that some queries may not see",
    lambda s, b, t, d, d_v: (*draw(s, b, t, 1, d, d_v), np.arange(t)[:, None] % 2 == 0),
    sizes=(2,),
    perhaps=ONE_KEY,
)
scores = "queries @ keys.swapaxes(-1, -2)"

HINTS = (
    "Three steps that you have already: scores, weights, context. Only the axis of the T queries "
    "is new.",
    "`queries @ keys.swapaxes(1, 2)` gives all scores, (B, T, S); `@` works sentence by sentence.",
    "`np.where(mask, scores, -np.inf)`, unless the mask is None; exp of the scores minus the "
    "largest of their row; divide by the sum of the row. In a row of nothing but -inf take 0 for "
    "the largest and 1 for the sum. The context is `weights @ values`.",
)

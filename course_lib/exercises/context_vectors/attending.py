"""Task `attend`: scores, weights and context for many queries at once."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import NUMPY, always_float64, called_twice, changes_input, stored
from course_lib.exercises.context_vectors.attending_mask_mistakes import mask_slips
from course_lib.exercises.context_vectors.attending_mistakes import slips
from course_lib.exercises.softmax import masked


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
        s.mask(n), s.mask(t, n), s.mask(1, t, n), s.mask(b, 1, n), s.mask(b, 1, t).swapaxes(1, 2)
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
called_twice(
    case,
    ["queries", "keys", "values", "mask"],
    lambda s: (*draw(s, 2, 3, 4, 5, 6), s.mask(2, 3, 4)),
    lambda s: (*draw(s, 2, 3, 4, 5, 6), None),
)


def _masked(scores, mask):
    return np.where(mask, scores, 0).astype(scores.dtype)


MISTAKES = Mistakes(attend)
MISTAKES.change(
    "scaled", "swapaxes(-1, -2)", "swapaxes(-1, -2) / queries.shape[-1] ** 0.5"
).says("""
    You divide the scores by the square root of d. Here they are plain dot products; scaling comes
    in exercise 07.
""")
MISTAKES.change(
    "masked-maximum", "masked.masked_softmax(", "masked.MISTAKES['masked-maximum']("
).says("""
    You subtract the largest score of all, masked ones too. If that one is far above the others,
    every allowed exponential is 0. Subtract the largest *allowed* score.
""")
MISTAKES.change(
    "maximum-of-all", "masked.masked_softmax(", "masked.MISTAKES['maximum-of-all']("
).says("""
    You subtract the largest allowed score of the whole array. In a row far below it every
    exponential is 0. Take the largest of each query's row, along the last axis.
""")
MISTAKES.change("mask-ignored", "np.True_ if mask is None else mask", "np.True_").says("""
    The mask changes nothing here. Where it is False the weight must be exactly zero.
""")
MISTAKES.change("mask-inverted", "else mask", "else ~mask").says("""
    You use the mask the wrong way round. True means “may attend”. (With `np.where(mask, a, b)` a is
    taken where the mask is True.)
""")
MISTAKES.change(
    "masked-after", "masked.masked_softmax(", "masked.MISTAKES['masked-after']("
).says("""
    You mask after the softmax, so the remaining weights sum to less than one. Mask the scores,
    before the softmax.
""")
MISTAKES.change(
    "scores-zeroed", "masked.masked_softmax(", "masked.MISTAKES['scores-zeroed']("
).says("""
    You give masked scores the value 0, as multiplying by the mask does. A score of 0 still gets
    weight, since exp(0) is 1. Set masked scores to -inf instead.
""")
MISTAKES.change(
    "large-constant", "masked.masked_softmax(", "masked.MISTAKES['large-constant']("
).says("""
    A query with nothing to attend to gets equal weights, as it does when masked scores become a
    large negative number. Its weights and its context must be zero.
""")
MISTAKES.change(
    "constant-too-high", "masked.masked_softmax(", "masked.MISTAKES['constant-too-high']("
).says("""
    You give masked scores a negative number, but an allowed score may be lower still: then the
    masked ones take all the weight. Use -inf, which is lower than every number.
""")
MISTAKES.change("keys-reversed", "keys.swapaxes(-1, -2)", "keys.T").says("""
    `keys.T` turns all three axes round, to (d, S, B). Sentences stay where they are: swap the last
    two axes alone, `keys.swapaxes(-1, -2)`.
""")
MISTAKES.change("scores-transposed", "queries @ keys.swap", "keys @ queries.swap").says("""
    Your scores have a column for each query. They need a row for each query and a column for each
    key, (B, T, S): `queries @ keys.swapaxes(-1, -2)`.
""")
MISTAKES.change("nan-rows", "masked.masked_softmax(", "masked.MISTAKES['nan-rows'](").says("""
    A query with nothing to attend to becomes nan. Give it weights of zero; its context is then zero
    too. Put 0 in place of a maximum of -inf, and 1 in place of a sum of 0.
""")
MISTAKES.change(
    "mask-not-broadcast", "masked.masked_softmax(", "masked.MISTAKES['mask-not-broadcast']("
).says("""
    `scores[~mask]` needs a mask of the scores' own shape, but one mask may serve many queries.
    `np.where(mask, scores, …)` stretches it.
""")
MISTAKES.change("softmax-over-queries", "else mask)", "else mask, 1)").says("""
    You normalise over the queries. The weights of one query, a row, sum to one: take the softmax
    along the last axis.
""")
MISTAKES.change("no-maximum", "masked.masked_softmax(", "masked.MISTAKES['no-maximum'](").says("""
    exp overflows for large scores. Subtract the largest score of each row first.
""")
MISTAKES.change("no-softmax", "masked.masked_softmax(scores,", "_masked(scores,").says("""
    You use the scores as weights. Put them through the softmax first.
""")
MISTAKES.change("keys-as-values", "weights @ values", "weights @ keys").says("""
    You blend the keys. Keys decide the weights; the context is a blend of the values.
""")
MISTAKES.change(
    "context-only", "return weights @ values, weights", "return weights @ values"
).says("""
    You return the context alone. Return both: `context, weights`.
""")
MISTAKES.change(
    "swapped", "return weights @ values, weights", "return weights, weights @ values"
).says("""
    You return the weights first. The order is `context, weights`.
""")
MISTAKES.change(
    "as-list", "return weights @ values, weights", "return [weights @ values, weights]"
).says("""
    You return a list. Return a tuple: `return context, weights`.
""")
MISTAKES.change(
    "none-forbids",
    "np.True_ if mask is None else mask",
    "np.bool_(False) if mask is None else mask",
).says("""
    Without a mask everything is forbidden: `np.where(None, …)` takes None for False. Use a mask
    only `if mask is not None`.
""")
slips(MISTAKES)
mask_slips(MISTAKES)
always_float64(MISTAKES)
changes_input(MISTAKES, "queries", "values")


HINTS = (
    "Three steps that you have already: scores, weights, context. Only the axis of the T queries "
    "is new.",
    "`queries @ keys.swapaxes(1, 2)` gives all scores, (B, T, S); `@` works sentence by sentence.",
    "`np.where(mask, scores, -np.inf)`, unless the mask is None; exp of the scores minus the "
    "largest of their row; divide by the sum of the row. In a row of nothing but -inf take 0 for "
    "the largest and 1 for the sum. The context is `weights @ values`.",
)
ATTEND = task(MISTAKES, 3, case.all, HINTS, returns=("context", "weights"), **NUMPY)

"""Task `masked_softmax`: places that may not be attended to get a weight of exactly zero."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Transposed, task
from course_lib.exercises.common import NUMPY, always_float64, called_twice, changes_input
from course_lib.exercises.softmax.masked_mistakes import added, filled, filled_and_zeroed, slips
from course_lib.exercises.softmax.plain import softmax, uneven


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
called_twice(case, ["scores", "mask"], lambda s: (s.floats(2, 3), s.mask(2, 3)))


MISTAKES = Mistakes(masked_softmax)
MISTAKES.by("mask-ignored", lambda s, mask, axis=-1: softmax(s, axis)).says("""
    The mask changes nothing here. Where it is False the weight must be exactly zero.
""")
MISTAKES.by("mask-inverted", lambda s, mask, axis=-1: masked_softmax(s, ~mask, axis)).says("""
    You use the mask the wrong way round. True means “may attend”: keep those places, and give zero
    to the others. (With `np.where(mask, a, b)` a is taken where the mask is True.)
""")
MISTAKES.by(
    "masked-after", lambda s, mask, axis=-1: np.where(mask, softmax(s, axis), 0).astype(s.dtype)
).says("""
    You mask after the softmax, so the weights that remain sum to less than one. Mask before the sum
    is taken, or divide by the new sum.
""")
MISTAKES.by(
    "scores-zeroed", lambda s, mask, axis=-1: softmax(np.where(mask, s, 0).astype(s.dtype), axis)
).says("""
    You give masked scores the value 0, as multiplying by the mask does. A score of 0 still gets
    weight, since exp(0) is 1. Set masked scores to -inf instead.
""")
MISTAKES.by("large-constant", filled(-1e9)).says("""
    A row where everything is masked gets equal weights, as it does when masked scores become a
    large negative number. Its weights must be zero.
""")
MISTAKES.by("large-constant-added", added(-1e9)).says("""
    You add a large negative number to masked scores. Where a whole row is masked it is a mere shift
    and the row attends to every place; its weights must be zero.
""")
MISTAKES.by("constant-added", added(-1e4)).says("""
    You add a negative number to masked scores. Where a whole row is masked it is a mere shift and
    the row attends to every place; its weights must be zero. Put -inf there.
""")
sentence = """
    You give masked scores a negative number, but an allowed score may be lower still: then the
    masked ones take all the weight. Use -inf, which is lower than every number.
"""
MISTAKES.by("constant-too-high", filled_and_zeroed(-1e4)).says(sentence)
MISTAKES.by("constant-of-a-thousand", filled_and_zeroed(-1e3)).says(sentence)
MISTAKES.by("constant-far-too-high", filled_and_zeroed(-100)).says(sentence)
MISTAKES.change(
    "infinity-times-zero",
    "np.where(mask, np.exp(scores - top), 0)",
    "(np.exp(scores - top) * mask)",
).says("""
    You multiply the exponentials by the mask. That of a masked score may be inf, and inf times 0 is
    nan. Choose with `np.where(mask, …, 0)` instead.
""")
MISTAKES.by("entries-dropped", lambda scores, mask, axis=-1: softmax(scores[mask])).says("""
    `scores[mask]` drops the masked scores, and the rows with them: one long row is left. Keep the
    shape, and give masked places a score of -inf.
""")
MISTAKES.by("allowed-dropped", lambda scores, mask, axis=-1: softmax(scores[~mask])).says("""
    `scores[~mask]` keeps the masked scores and drops the others, and the rows with them. Keep the
    shape, and give masked places a score of -inf.
""")


@MISTAKES.says("""
    `scores[mask]` puts the allowed scores of all rows into one, so all weights together sum to one.
    Each row needs its own sum: sum along `axis`.
""")
def normalised_together(scores, mask, axis=-1):
    out = np.zeros_like(scores)
    out[mask] = softmax(scores[mask])
    return out


MISTAKES.by(
    "clipped", lambda scores, mask, axis=-1: masked_softmax(np.clip(scores, -50, 50), mask, axis)
).says("""
    You clip the scores before exp, so all that lie beyond the bound get the same weight. Subtract
    the largest allowed score of each row instead: that changes no weight.
""")
MISTAKES.by(
    "zero-times-infinity", lambda s, mask, axis=-1: softmax(s + s.dtype.type(-np.inf) * ~mask, axis)
).says("""
    nan everywhere: where the mask is True you add 0 · (-inf), which is nan. Choose, do not
    multiply: `np.where(mask, scores, -np.inf)`.
""")
sentence = """
    You fill masked scores with the smallest score there is, which still has an exponential above 0,
    so they take a part of the sum. Fill with -inf.
"""
MISTAKES.by(
    "smallest-score", lambda s, mask, axis=-1: softmax(np.where(mask, s, s.min()), axis)
).says(sentence)
MISTAKES.by(
    "smallest-score-then-zeros",
    lambda s, mask, axis=-1: softmax(np.where(mask, s, s.min()), axis) * mask,
).says(sentence)
MISTAKES.by("axis-one", lambda s, mask, axis=-1: masked_softmax(s, mask, 1)).says("""
    You write `axis=1`, whatever `axis` is asked. Hand it on to max and to sum; its default is the
    last axis.
""")
MISTAKES.by("rounded", lambda s, mask, axis=-1: masked_softmax(s, mask, axis).round(3)).says("""
    You round the weights. A rounded row no longer sums to one: return what the division gives, and
    leave the rounding to whoever prints it.
""")
MISTAKES.by("nan-rows", filled(-np.inf)).says("""
    A row where everything is masked becomes nan, from 0/0 or -inf - (-inf). Give it weights of
    zero.
""")
MISTAKES.change("no-maximum", "scores - top", "scores").says("""
    exp overflows, as where nothing is subtracted, or too little. Subtract the largest allowed score
    of each row first.
""")
MISTAKES.change("masked-maximum", "np.where(mask, scores, -np.inf).max", "scores.max").says("""
    You subtract the largest score of all, masked ones too. If that one is far above the others,
    every allowed exponential is 0. Subtract the largest *allowed* score.
""")
MISTAKES.change("maximum-of-all", "max(axis=axis, keepdims=True)", "max()").says("""
    You subtract the largest allowed score of the whole array. In a row far below it every
    exponential is 0. Take the maximum along `axis`, one for each row.
""")
MISTAKES.change("absolute-maximum", "scores, -np.inf).max", "abs(scores), -np.inf).max").says("""
    You subtract the largest size of a score, or a maximum that begins at 0 (`initial=0`, or masked
    scores set to 0). In a row of very negative scores every exponential is then 0. Subtract the
    largest allowed score.
""")


@MISTAKES.says("""
    `scores[~mask]` needs a mask of the scores' own shape, but one mask may serve many rows.
    `np.where(mask, scores, …)` stretches it.
""")
def mask_not_broadcast(scores, mask, axis=-1):
    scores = scores.copy()
    scores[~mask] = -np.inf
    return masked_softmax(scores, mask, axis)


MISTAKES.by("axis-ignored", lambda s, mask, axis=-1: masked_softmax(s, mask, -1)).says("""
    You always normalise along the last axis. Hand `axis` on to max and sum.
""")
slips(MISTAKES)
always_float64(MISTAKES)
changes_input(MISTAKES, "scores")


HINTS = (
    "A masked place should weigh nothing. Which score has an exponential of exactly zero?",
    "exp(-inf) is 0, and `np.where(mask, scores, -np.inf)` stretches the mask. A row without any "
    "True then has a maximum of -inf and a sum of 0: both need care.",
    "Replace a maximum of -inf by 0 before you subtract it, and a sum of 0 by 1 before you "
    "divide. Then such a row comes out as zeros.",
)
MASKED_SOFTMAX = task(MISTAKES, 2, case.all, HINTS, **NUMPY)

"""What goes wrong in `masked_softmax`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.masked.task import masked_softmax
from course_lib.exercises.softmax.plain.task import softmax


def filled(fill):
    """Masked scores become `fill`."""
    return lambda scores, mask, axis=-1: softmax(
        np.where(mask, scores, scores.dtype.type(fill)), axis
    )


def filled_and_zeroed(fill):
    return lambda scores, mask, axis=-1: filled(fill)(scores, mask, axis) * mask


def added(fill):
    return lambda scores, mask, axis=-1: softmax(scores + scores.dtype.type(fill) * ~mask, axis)


def _exps(scores, axis):
    return np.exp(scores - scores.max(axis=axis, keepdims=True))


def _nan_to_zero(weights):
    return np.nan_to_num(weights, nan=0.0)


MISTAKES = Mistakes(masked_softmax, globals())
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
sentence = """
    You give masked scores the value 0, as multiplying by the mask does. A score of 0 still gets
    weight, since exp(0) is 1. Set masked scores to -inf instead.
"""
MISTAKES.by(
    "scores-zeroed", lambda s, mask, axis=-1: softmax(np.where(mask, s, 0).astype(s.dtype), axis)
).says(sentence)
MISTAKES.by(
    "scores-zeroed-and-empty-rows",
    lambda s, mask, axis=-1: softmax(s * mask, axis) * mask.any(axis=axis, keepdims=True),
).says(sentence)
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
MISTAKES.by(
    "hundred-subtracted",
    lambda s, mask, axis=-1: added(-100)(s, mask, axis) * mask.any(axis=axis, keepdims=True),
).says("""
    You take a number off masked scores, and an allowed score may be lower still: then the masked
    ones take the weight. Use -inf, which is lower than every number.
""")
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
    You subtract the largest size of a score, or a maximum in which something else than the allowed
    scores counts (`initial=0`, or masked scores that are set to a number). In a row of very
    negative scores every exponential is then 0. Subtract the largest allowed score.
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
MISTAKES.by(
    "numerators-only",
    lambda s, mask, axis=-1: np.exp(s - s.max(axis, keepdims=True)) * mask,
).says("""
    The weights of a row do not sum to one. Divide by their sum along `axis`.
""")
MISTAKES.by(
    "masked-below-alone",
    lambda s, mask, axis=-1: (e := _exps(s, axis)) / (e * mask).sum(axis=axis, keepdims=True),
).says("""
    You leave masked scores out of the sum, but they keep a weight of their own. Their
    exponentials must be zero above the line too: mask once, and use the masked ones above and
    below.
""")
sentence = """
    You take exp of the scores as they are, which overflows around 1000. Subtract the largest
    allowed score of each row first; and choose with `np.where(mask, …, 0)`, for inf times 0 is
    nan.
"""


@MISTAKES.says(sentence)
def exponentials_times_mask(scores, mask, axis=-1):
    exps = np.exp(scores) * mask
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total == 0, 1, total)


@MISTAKES.says(sentence)
def exponentials_times_mask_guarded(scores, mask, axis=-1):
    exps = np.exp(scores) * mask
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total > 0, total, 1)


MISTAKES.by(
    "zeros-only-if-all-is-masked",
    lambda s, mask, axis=-1: filled(-np.inf)(s, mask, axis) if mask.any() else np.zeros_like(s),
).says("""
    You ask whether anything at all is allowed. A single row with nothing allowed is still nan:
    ask for each row, `mask.any(axis=axis, keepdims=True)`, or put zeros in the place of nan.
""")
MISTAKES.by(
    "no-keepdims",
    lambda s, mask, axis=-1: _nan_to_zero(
        (e := np.exp((f := np.where(mask, s, -np.inf)) - f.max(axis=axis))) / e.sum(axis=axis)
    ),
).says("""
    max and sum drop the axis they run along, so their result no longer lines up with the
    scores. Keep it with `keepdims=True`.
""")
for number, words in ((-1, "the last axis"), (0, "the first axis"), (1, "axis 1")):
    MISTAKES.change(
        f"sum-along-{number}", "exps.sum(axis=axis", f"exps.sum(axis={number}"
    ).says(f"""
        Your sum runs along {words}, whatever `axis` is asked. (Python's own `sum` adds along
        the first.) Hand it on: `sum(axis=axis, keepdims=True)`.
    """)
MISTAKES.by("first-axis", lambda s, mask, axis=-1: masked_softmax(s, mask, 0)).says("""
    You always normalise along the first axis. Hand `axis` on to max and sum; its default is the
    last axis.
""")
MISTAKES.change("sum-over-everything", "exps.sum(axis=axis, keepdims=True)", "exps.sum()").says("""
    You divide by the sum over the whole array, so all weights together sum to one. Each row
    needs its own sum: `sum(axis=axis, keepdims=True)`.
""")
MISTAKES.by(
    "whole-array",
    lambda s, mask, axis=-1: masked_softmax(
        s.reshape(-1), np.broadcast_to(mask, s.shape).reshape(-1)
    ).reshape(s.shape),
).says("""
    All weights of the array together sum to one. Each row needs its own maximum and its own
    sum, along `axis`.
""")
sentence = """
    Where a row has nothing to attend to, masking changes nothing here: its weights are those of
    all its scores. They must be zero.
"""


@MISTAKES.says(sentence)
def empty_rows_unmasked(scores, mask, axis=-1):
    mask = np.broadcast_to(mask, scores.shape)
    return masked_softmax(scores, mask | ~mask.any(axis=axis, keepdims=True), axis)


@MISTAKES.says("""
    One row with nothing to attend to makes your whole result zero. Each row is on its own.
""")
def all_zero_if_one_row_is(scores, mask, axis=-1):
    if not np.broadcast_to(mask, scores.shape).any(axis=axis).all():
        return np.zeros_like(scores)
    return masked_softmax(scores, mask, axis)


@MISTAKES.says("""
    You write into `scores`, which belongs to the caller: `scores[~mask] = …` works in place.
    Make a new array, with `np.where(mask, scores, -np.inf)`, which also stretches the mask.
""")
def scores_overwritten(scores, mask, axis=-1):
    scores[~mask] = -np.inf
    return _nan_to_zero(softmax(scores, axis))


@MISTAKES.says("""
    You write into `scores`, which belongs to the caller, even where it is a mere name for it.
    Take a copy first, or `np.where(mask, scores, -np.inf)`, which makes a new array.
""")
def scores_overwritten_by_copyto(scores, mask, axis=-1):
    np.copyto(scores, -np.inf, where=~mask)
    return _nan_to_zero(softmax(scores, axis))


@MISTAKES.says("""
    Your loop goes over the first axis and takes all that lies below it for one row. That holds
    for a matrix alone, and for its last axis. Hand `axis` on to max and sum; no loop is needed.
""")
def loop_over_the_first_axis(scores, mask, axis=-1):
    out = np.zeros_like(scores)
    for i in range(len(scores)):
        out[i][mask[i]] = softmax(scores[i][mask[i]])
    return out


for fill in (-1, -5, -10, -50, -999, -9999):
    MISTAKES.by(f"filled-with-{fill:g}", filled(fill)).says(f"""
        You give masked scores a number, such as {fill:g}, but an allowed score may be lower,
        and a row with nothing allowed gets equal weights. Fill with -inf, whose exponential is
        exactly zero, and give a row with nothing allowed zeros.
    """)
MISTAKES.by(
    "mask-inverted-with-infinity", lambda s, mask, axis=-1: filled(-np.inf)(s, ~mask, axis)
).says("""
    You use the mask the wrong way round: places where it is True become -inf. True means “may
    attend”: `np.where(mask, scores, -np.inf)`.
""")
MISTAKES.by("mask-added", lambda s, mask, axis=-1: softmax(s + mask.astype(s.dtype), axis)).says("""
    You add the mask to the scores, which adds 1 where it is True. Masked scores have to become
    -inf: `np.where(mask, scores, -np.inf)`.
""")
MISTAKES.by(
    "scores-of-weights",
    lambda s, mask, axis=-1: softmax(np.where(mask, softmax(s, axis), 0).astype(s.dtype), axis),
).says("""
    You take a softmax, zero the masked weights, and take another softmax, in which a 0 gets
    weight again. Set masked scores to -inf, and take one softmax.
""")
MISTAKES.by("plus-infinity", filled(np.inf)).says("""
    You fill masked scores with inf or nan, which makes nan of the whole row. Fill with -inf.
""")
MISTAKES.by(
    "plus-infinity-zeroed",
    lambda s, mask, axis=-1: _nan_to_zero(filled(np.inf)(s, mask, axis)),
).says("""
    You fill masked scores with inf or nan, so each row that has one becomes nan, and then zero.
    Fill with -inf, whose exponential is zero.
""")
MISTAKES.by(
    "times-infinity",
    lambda s, mask, axis=-1: _nan_to_zero(softmax(s - s.dtype.type(np.inf) * ~mask, axis)),
).says("""
    inf times 0 is nan, so allowed scores become nan too, and then zero. Choose instead of
    multiplying: `np.where(mask, scores, -np.inf)`.
""")
MISTAKES.by(
    "scores-alone", lambda s, mask, axis=-1: np.where(mask, s, s.dtype.type(-np.inf))
).says("""
    You return the scores with -inf behind the mask. Now take their softmax, with zeros for a
    row of nothing but -inf.
""")
MISTAKES.by("logarithm", lambda s, mask, axis=-1: np.log(masked_softmax(s, mask, axis))).says("""
    You return the logarithms of the weights. Return the weights themselves.
""")
MISTAKES.change("not-divided", "exps / np.where(total > 0, total, 1)", "exps").says("""
    These are exponentials: a row of them does not sum to one. Divide them by their sum along
    `axis`.
""")
MISTAKES.by(
    "counted",
    lambda s, mask, axis=-1: (
        np.where(mask, _exps(s, axis), 0).astype(s.dtype)
        / np.maximum(np.broadcast_to(mask, s.shape).sum(axis, keepdims=True), 1).astype(s.dtype)
    ),
).says("""
    You divide by the number of allowed places. Divide by the sum of their exponentials.
""")
MISTAKES.by(
    "zero-is-forbidden",
    lambda s, mask, axis=-1: masked_softmax(s, np.broadcast_to(mask, s.shape) & (s != 0), axis),
).says("""
    You take each score that is 0 for a masked one, as where the mask is multiplied in and every 0
    becomes -inf. An allowed score may be 0: ask the mask itself, `np.where(mask, scores, -np.inf)`.
""")
MISTAKES.by(
    "a-hundred-below-the-smallest",
    lambda s, mask, axis=-1: (
        softmax(np.where(mask, s, s.min() - s.dtype.type(100)), axis)
        * mask.any(axis=axis, keepdims=True)
    ),
).says("""
    You fill masked scores with the smallest score minus a number. exp of that is tiny and not 0; a
    masked place weighs exactly 0. Fill with -inf.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "scores")

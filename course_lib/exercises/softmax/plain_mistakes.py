"""What goes wrong in `softmax`, with what a student is told."""

import numpy as np

from course_lib.checker.tasks import Mistakes


def softmax(scores, axis=-1):
    """Two wishes decide the formula: every weight is positive, and the weights of a row sum to one.
    exp gives the first, and dividing by the sum gives the second. Subtracting one number from all
    scores of a row multiplies numerator and denominator by the same factor, so no weight changes;
    subtract the largest, and the largest exponential is exp(0) = 1: nothing overflows, and no sum
    is below 1.

    Cost: One exponential and one division for each score, and one array as large as the scores."""
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _normalised(top, total, largest=np.max):
    """A softmax with another axis in the maximum and in the sum: None is all of them, "axis" the
    one that is asked."""

    def answer(scores, axis=-1):
        over = [axis if one == "axis" else one for one in (top, total)]
        shift = 0 if top == "none" else largest(scores, axis=over[0], keepdims=True)
        exps = np.exp(scores - shift)
        return exps / exps.sum(axis=over[1], keepdims=True)

    return answer


MISTAKES = Mistakes(softmax)
MISTAKES.change("no-maximum", " - scores.max(axis=axis, keepdims=True)", "").says("""
    exp overflows, as where nothing is subtracted, or too little: exp(1000) is inf and inf/inf is
    nan. Subtract the largest score of each row first: the weights stay the same.
""")
MISTAKES.change("maximum-of-all", "max(axis=axis, keepdims=True)", "max()").says("""
    You subtract the largest score of the whole array. A row far below it becomes 0/0. Take the
    maximum along `axis`, one for each row.
""")
MISTAKES.change("absolute-maximum", "scores.max", "abs(scores).max").says("""
    You subtract the largest size of a score, or a maximum that begins at 0. In a row of very
    negative scores every exponential is then 0, and 0/0 is nan. Subtract the largest score.
""")
MISTAKES.change(
    "clipped", "scores - scores.max(axis=axis, keepdims=True)", "np.clip(scores, -50, 50)"
).says("""
    You clip the scores before exp, so all that lie beyond the bound get the same weight. Subtract
    the largest score of each row instead: that changes no weight.
""")
MISTAKES.change(
    "clipped-too-high",
    "scores - scores.max(axis=axis, keepdims=True)",
    "np.clip(scores, -500, 500)",
).says("""
    You clip the scores before exp. Beyond the bound they all get the same weight, and in float32
    exp overflows above 88. Subtract the largest score of each row instead.
""")
MISTAKES.change("minimum", "scores.max", "scores.min").says("""
    You subtract the smallest score, so exp still meets large numbers. Subtract the largest: then no
    exponent is above zero.
""")
MISTAKES.by("axis-ignored", lambda s, axis=-1: softmax(s, -1)).says("""
    You always normalise along the last axis. Hand `axis` on to max and sum.
""")
MISTAKES.by("first-axis", lambda s, axis=-1: softmax(s, 0)).says("""
    Where the last axis is asked, you normalise along the first. Hand `axis` on to max and sum as it
    is; its default is the last axis.
""")
MISTAKES.by("whole-array", lambda s, axis=-1: softmax(s.reshape(-1)).reshape(s.shape)).says("""
    You divide by the sum over the whole array, so all weights together sum to one. Each row needs
    its own sum: sum along `axis`.
""")
MISTAKES.change("sum-over-everything", "exps.sum(axis=axis, keepdims=True)", "exps.sum()").says("""
    `e / e.sum()` divides by the sum over the whole array, so all weights together sum to one. Each
    row needs its own sum: `e.sum(axis=axis, keepdims=True)`.
""")
MISTAKES.by("axis-one", lambda s, axis=-1: softmax(s, 1)).says("""
    You write `axis=1`, whatever `axis` is asked. Hand it on to max and to sum; its default is the
    last axis.
""")
MISTAKES.change("maximum-along-one", "max(axis=axis", "max(axis=1").says("""
    You write `axis=1` in the maximum alone. Take it along `axis`, as the sum.
""")
MISTAKES.by("rounded", lambda s, axis=-1: softmax(s, axis).round(3)).says("""
    You round the weights. A rounded row no longer sums to one: return what the division gives, and
    leave the rounding to whoever prints it.
""")
MISTAKES.change(
    "axis-at-the-end",
    "max(axis=axis, keepdims=True)",
    "max(axis=axis)[..., None]",
    "sum(axis=axis, keepdims=True)",
    "sum(axis=axis)[..., None]",
).says("""
    `[..., None]` puts the lost axis at the end, whatever `axis` is. `keepdims=True` keeps it where
    it was.
""")
MISTAKES.change(
    "no-keepdims",
    "max(axis=axis, keepdims=True)",
    "max(axis=axis)",
    "sum(axis=axis, keepdims=True)",
    "sum(axis=axis)",
).says("""
    max and sum drop the axis they run along, so their result no longer lines up with the scores.
    Keep it with `keepdims=True`.
""")
MISTAKES.change(
    "not-divided", "return exps / exps.sum(axis=axis, keepdims=True)", "return exps"
).says("""
    These are exponentials, not weights: they do not sum to one. Divide them by their sum along
    `axis`.
""")
MISTAKES.by("no-exponential", lambda s, axis=-1: s / s.sum(axis=axis, keepdims=True)).says("""
    You divide the scores by their sum; with negative scores that gives negative weights. Take exp
    first, then divide.
""")
MISTAKES.change("no-exponential-of-differences", "np.exp(", "(").says("""
    You divide the differences by their sum: exp is missing. Take it of them first.
""")
MISTAKES.change(
    "maximum-above-alone",
    "exps / exps.sum(axis=axis, keepdims=True)",
    "exps / np.exp(scores).sum(axis=axis, keepdims=True)",
).says("""
    You subtract the largest score above, and not in the sum below. Compute the exponentials once
    and use them in both places.
""")
MISTAKES.by("sigmoid", lambda s, axis=-1: 1 / (1 + np.exp(-s))).says("""
    This is the sigmoid of each score on its own. In a softmax the scores of a row compete: divide
    each exponential by their sum.
""")
MISTAKES.by("logarithm", lambda s, axis=-1: np.log(softmax(s, axis))).says("""
    You return the logarithms of the weights. Return the weights themselves.
""")
MISTAKES.change("mean-subtracted", "scores.max", "scores.mean").says("""
    You subtract the mean. A score far above it still overflows: subtract the largest.
""")
MISTAKES.change(
    "small-number-added", "exps / exps.sum", "exps / (1e-6 + exps.sum", "True)\n", "True))\n"
).says("""
    You add a small number to the sum, so the weights sum to less than one. The largest exponential
    is 1, so the sum is never zero.
""")

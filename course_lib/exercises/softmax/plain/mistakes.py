"""What goes wrong in `softmax`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.plain.task import softmax


def _normalised(top, total, largest=np.max):
    """A softmax with another axis in the maximum and in the sum: None is all of them, "axis" the
    one that is asked."""

    def answer(scores, axis=-1):
        over = [axis if one == "axis" else one for one in (top, total)]
        shift = 0 if top == "none" else largest(scores, axis=over[0], keepdims=True)
        exps = np.exp(scores - shift)
        return exps / exps.sum(axis=over[1], keepdims=True)

    return answer


MISTAKES = Mistakes(softmax, globals())
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
    "larger-number-added", "exps / exps.sum", "exps / (1e-3 + exps.sum", "True)\n", "True))\n"
).says("""
    You add a small number to the sum, so the weights sum to less than one. The largest exponential
    is 1, so the sum is never zero.
""")
MISTAKES.change("maximum-from-zero", "max(axis=axis", "max(initial=0, axis=axis").says("""
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

ALONG = {-1: "the last axis", 0: "the first axis", 1: "axis 1"}
for number, words in ALONG.items():
    for top, more in (
        ("axis", ""),
        ("none", " And subtract the largest score of each row."),
        (None, ""),
    ):
        MISTAKES.by(f"sum-along-{number}-maximum-{top}", _normalised(top, number)).says(f"""
            Your sum runs along {words}, whatever `axis` is asked. (Python's own `sum` adds along
            the first.) Hand it on: `sum(axis=axis, keepdims=True)`.{more}
        """)
MISTAKES.by("sum-of-all-maximum-none", _normalised("none", None)).says("""
    You divide by the sum over the whole array. Each row needs its own sum, along `axis`; and
    subtract its largest score before exp, which overflows else.
""")
for number in (-1, 0):
    MISTAKES.by(f"maximum-along-{number}-alone", _normalised(number, "axis")).says(f"""
        Your maximum runs along {ALONG[number]}, whatever `axis` is asked, so exp can overflow or a
        whole row become 0. Take it along `axis`, as the sum.
    """)
MISTAKES.change("constant-subtracted", "scores.max(axis=axis, keepdims=True)", "1000").says("""
    You subtract a fixed number, so low scores all become 0, and 0/0 is nan. Subtract the largest
    score of each row.
""")
MISTAKES.change("maximum-added", "scores - scores.max", "scores + scores.max").says("""
    You add the largest score, which makes exp overflow sooner. Subtract it: then no exponent is
    above zero.
""")
MISTAKES.change(
    "axis-at-the-second-place",
    "max(axis=axis, keepdims=True)",
    "max(axis=axis)[:, None]",
    "sum(axis=axis, keepdims=True)",
    "sum(axis=axis)[:, None]",
).says("""
    `[:, None]` puts the lost axis in the second place, whatever `axis` is. `keepdims=True` keeps it
    where it was.
""")
MISTAKES.change(
    "column",
    "max(axis=axis, keepdims=True)",
    "max(axis=axis).reshape(-1, 1)",
    "sum(axis=axis, keepdims=True)",
    "sum(axis=axis).reshape(-1, 1)",
).says("""
    `reshape(-1, 1)` makes one column, which fits a matrix and its last axis alone. `keepdims=True`
    keeps the axis, wherever it is.
""")


@MISTAKES.says("""
    You loop over the first axis and normalise all that lies below it together. That is a row only
    in a matrix, and only along its last axis. Hand `axis` on to max and sum; no loop is needed.
""")
def loop_over_the_first_axis(scores, axis=-1):
    out = np.zeros_like(scores)
    for i in range(len(scores)):
        exps = np.exp(scores[i] - scores[i].max())
        out[i] = exps / exps.sum()
    return out


@MISTAKES.says("""
    Python's own `max` compares whole rows, and `sum` adds them. NumPy's have an axis:
    `scores.max(axis=axis, keepdims=True)`, and the sum in the same way.
""")
def max_of_python(scores, axis=-1):
    exps = np.exp(scores - max(scores))
    return exps / sum(exps)


sentence = """
    You divide by a sum before exp. Take exp of each score first; then divide by the sum of these
    exponentials.
"""
MISTAKES.by("divided-before-exp", lambda s, axis=-1: np.exp(s / s.sum(axis, keepdims=True))).says(
    sentence
)


@MISTAKES.says(sentence)
def difference_divided_before_exp(scores, axis=-1):
    below = scores - scores.max(axis=axis, keepdims=True)
    return np.exp(below / below.sum(axis=axis, keepdims=True))


MISTAKES.by("negated", lambda s, axis=-1: softmax(-s, axis)).says("""
    Your largest score gets the smallest weight: a sign is the wrong way round. It is exp of the
    score minus the largest, `scores - scores.max(…)`.
""")
MISTAKES.by("base-two", lambda s, axis=-1: softmax(s * s.dtype.type(np.log(2)), axis)).says("""
    You raise 2 to the scores. The softmax takes e to them, `np.exp`.
""")
MISTAKES.by("base-ten", lambda s, axis=-1: softmax(s * s.dtype.type(np.log(10)), axis)).says(
    "You raise 10 to the scores. The softmax takes e to them, `np.exp`."
)


@MISTAKES.says("""
    You divide the exponentials by the length of their vector, so their squares sum to one. Divide
    by their sum.
""")
def unit_length(scores, axis=-1):
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / np.linalg.norm(exps, axis=axis, keepdims=True)


@MISTAKES.says("""
    You divide by the spread of the row as well, so all rows are equally sharp. Subtract the largest
    score alone: differences between scores have to stay.
""")
def standardised(scores, axis=-1):
    spread = scores - scores.mean(axis=axis, keepdims=True)
    return softmax(spread / scores.std(axis=axis, keepdims=True), axis)


@MISTAKES.says("""
    You squeeze the scores into 0 to 1 first, so all rows are equally sharp. Subtract the largest
    score alone: differences between scores have to stay.
""")
def squeezed(scores, axis=-1):
    low, high = (f(scores, axis=axis, keepdims=True) for f in (np.min, np.max))
    return softmax((scores - low) / (high - low), axis)


MISTAKES.by(
    "scores-divided-by-largest",
    lambda s, axis=-1: softmax(s / s.max(axis=axis, keepdims=True), axis),
).says("""
    You divide the scores by the largest before exp. Subtract it: a quotient changes the weights, a
    difference does not.
""")
MISTAKES.by("whole-numbers", lambda s, axis=-1: softmax(np.trunc(s), axis)).says("""
    You cut the scores to whole numbers (`int`, `astype(int)`), and what is behind the point is
    lost. Take exp of the scores as they are.
""")
MISTAKES.by(
    "sigmoids-divided", lambda s, axis=-1: (e := 1 / (1 + np.exp(-s))) / e.sum(axis, keepdims=True)
).says("""
    You divide sigmoids by their sum. A softmax divides exponentials by theirs.
""")
MISTAKES.by("squares", lambda s, axis=-1: s**2 / (s**2).sum(axis, keepdims=True)).says("""
    You divide squares by their sum, so a low score can get a large weight. Take exp, which keeps
    the order.
""")
MISTAKES.by(
    "shifted-above",
    lambda s, axis=-1: (x := s - s.max(axis, keepdims=True)) / np.exp(x).sum(axis, keepdims=True),
).says("""
    You divide the scores themselves by the sum of exponentials. What stands above the line is
    exp(score), too.
""")
MISTAKES.by(
    "one-hot", lambda s, axis=-1: (s == s.max(axis, keepdims=True)).astype(s.dtype)
).says("""
    You give the largest score all the weight. A softmax gives every score a share, exp(score)
    divided by the sum.
""")
MISTAKES.by(
    "one-less-in-the-exponential",
    lambda s, axis=-1: (e := np.expm1(s)) / e.sum(axis, keepdims=True),
).says("""
    `np.expm1` is exp minus 1. The softmax takes `np.exp`.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "scores")

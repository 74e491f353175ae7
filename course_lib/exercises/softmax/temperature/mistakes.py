"""What goes wrong in `softmax_with_temperature`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.plain import mistakes as plain
from course_lib.exercises.softmax.plain.task import softmax
from course_lib.exercises.softmax.temperature.task import softmax_with_temperature

MISTAKES = Mistakes(softmax_with_temperature, globals())
MISTAKES.change("multiplied", "scores /", "scores *").says("""
    A low temperature flattens here, and it must sharpen: in effect you multiply the scores by it.
    Divide them.
""")
MISTAKES.change("temperature-ignored", " / temperature", "").says("""
    The temperature changes nothing here. Divide the scores by it before the softmax.
""")
MISTAKES.change("weights-divided", " / temperature, axis)", ", axis) / temperature").says("""
    You divide the weights by the temperature, so they no longer sum to one. Divide the scores,
    before the softmax.
""")
MISTAKES.change("power", " / temperature, axis)", ", axis) ** (1 / temperature)").says("""
    You raise the weights to the power 1/τ, so they no longer sum to one. Divide the scores, before
    the softmax.
""")


@MISTAKES.says("""
    You raise the weights to the power 1/τ and divide by their sum. That is the same on paper, but
    for a low τ every power is 0, and 0/0 is nan. Divide the scores.
""")
def power_renormalised(s, t, axis=-1):
    powers = softmax(s, axis) ** (1 / t)
    return powers / powers.sum(axis=axis, keepdims=True)


MISTAKES.change("square-root", "/ temperature", "/ temperature**0.5").says("""
    You divide by the square root of the temperature. Divide by the temperature itself.
""")


@MISTAKES.says("""
    You divide by the temperature but subtract the maximum of the undivided scores, so a small
    temperature still overflows. Divide first, then subtract the new maximum.
""")
def maximum_first(scores, temperature, axis=-1):
    exps = np.exp(scores / temperature - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


MISTAKES.change(
    "no-maximum", "plain.softmax(scores", "plain.MISTAKES['no-maximum'](scores"
).says("""
    exp overflows, as where nothing is subtracted, or too little: a small temperature makes the
    scores large. Use your `softmax` on the divided scores, or subtract their largest.
""")
MISTAKES.change(
    "maximum-of-all", "plain.softmax(scores", "plain.MISTAKES['maximum-of-all'](scores"
).says("""
    You subtract the largest score of the whole array. A row far below it becomes 0/0. Take the
    maximum along `axis`, one for each row.
""")
MISTAKES.change(
    "absolute-maximum", "plain.softmax(scores", "plain.MISTAKES['absolute-maximum'](scores"
).says("""
    You subtract the largest size of a score, or a maximum that begins at 0. In a row of very
    negative scores every exponential is then 0, and 0/0 is nan. Subtract the largest score.
""")
sentence = """
    You change the temperature before you divide, by a lower limit or a small number added to it.
    Divide by it as it is: it is above zero.
"""
for number in (0.1, 0.05, 0.01):
    MISTAKES.change(f"at-least-{number}", "/ temperature", f"/ max(temperature, {number})").says(
        sentence
    )
for number in (1e-3, 1e-6, 1e-8):
    MISTAKES.change(f"and-{number}", "/ temperature", f"/ (temperature + {number})").says(sentence)
MISTAKES.change("axis-ignored", ", axis)", ")").says("""
    You always normalise along the last axis. Hand `axis` on to the softmax.
""")
MISTAKES.change(
    "whole-array", "plain.softmax(scores", "plain.MISTAKES['whole-array'](scores"
).says("""
    You normalise over the whole array, so all weights together sum to one. Normalise along `axis`.
""")
MISTAKES.change(
    "scores-not-weights", "plain.softmax(scores / temperature, axis)", "scores / temperature"
).says("You return the divided scores. They still need the softmax.")

AS_IN_SOFTMAX = (
    "no-keepdims axis-at-the-end axis-at-the-second-place column first-axis axis-one "
    "not-divided sum-over-everything sum-of-all-maximum-none sum-along--1-maximum-axis "
    "sum-along-0-maximum-axis sum-along-1-maximum-axis sum-along--1-maximum-none "
    "sum-along-0-maximum-none maximum-along-one maximum-along--1-alone maximum-along-0-alone "
    "mean-subtracted minimum clipped maximum-added logarithm negated max-of-python "
    "loop-over-the-first-axis rounded divided-before-exp one-hot small-number-added "
    "whole-numbers"
)
for name in AS_IN_SOFTMAX.split():
    (said,) = (one.sentence for one in plain.MISTAKES.all if one.name == name)
    MISTAKES.change(name, "plain.softmax(scores", f"plain.MISTAKES[{name!r}](scores").says(
        f"{said} If you call your `softmax`, repair it there."
    )
MISTAKES.by("all-squeezed", lambda s, t, axis=-1: softmax(s / t, axis).squeeze()).says("""
    `squeeze()` takes away every axis of length one, also that of a single row. The result has the
    shape of the scores: leave it out.
""")
MISTAKES.change("divided-twice", "/ temperature", "/ temperature**2").says("""
    You divide by the temperature twice. Once is enough: `scores / temperature`.
""")
MISTAKES.change("whole-quotient", "scores / temperature", "scores // temperature").says("""
    `//` rounds each quotient down to a whole number. Divide with `/`.
""")
MISTAKES.change("whole-temperature", "/ temperature", "/ float(int(temperature))").says("""
    `int(temperature)` cuts it to a whole number, and one below 1 becomes 0. Divide by it as it is.
""")
MISTAKES.change("rounded-temperature", "/ temperature", "/ round(temperature)").says("""
    You round the temperature, and one below a half becomes 0. Divide by it as it is.
""")
MISTAKES.change("at-least-one", "/ temperature", "/ max(temperature, 1)").says("""
    A temperature below one changes nothing here, and it must sharpen. Divide by it as it is.
""")
MISTAKES.change(
    "subtracted", "plain.softmax(scores / temperature", "plain.softmax(scores * (1 - temperature)"
).says("You use 1 - τ as a factor. Divide the scores by τ.")
MISTAKES.change("fraction-turned-round", "scores / temperature", "temperature / scores").says("""
    You divide the temperature by the scores. It is the other way round: `scores / temperature`.
""")
MISTAKES.by("weights-multiplied", lambda s, t, axis=-1: t * softmax(s, axis)).says("""
    You multiply the weights by the temperature, so they no longer sum to one. Divide the scores,
    before the softmax.
""")
MISTAKES.change("plus-one", "/ temperature", "/ (1 + temperature)").says("""
    You divide by 1 + τ. Divide by τ itself: at τ = 1 the plain softmax must come out.
""")
for name, change in (
    ("logarithm-of-temperature", "np.log(temperature)"),
    ("exponential-of-temperature", "np.exp(temperature)"),
):
    MISTAKES.change(name, "/ temperature", f"/ float({change})").says(f"""
        You divide by `{change}`. Divide by the temperature itself.
    """)
MISTAKES.change(
    "softmax-before", "plain.softmax(scores /", "plain.softmax(plain.softmax(scores, axis) /"
).says("""
    You take a softmax, divide the weights, and take another. Divide the scores, and then take one
    softmax.
""")
MISTAKES.change(
    "softmax-twice",
    "plain.softmax(scores / temperature",
    "plain.softmax(plain.softmax(scores / temperature, axis)",
).says("You take the softmax twice. Once is enough, of the divided scores.")
MISTAKES.change(
    "one-axis-for-the-other",
    "plain.softmax(scores / temperature, axis)",
    "plain.softmax(scores / temperature, axis + (1 if axis >= 0 else -(axis < -1)))",
).says("You normalise along the axis beside the one that is asked. Hand `axis` on as it is.")


@MISTAKES.says("""
    You divide the scores by the temperature, but the maximum that you subtract by nothing or twice,
    so exp may overflow or every exponential be 0. Subtract the largest of the divided scores.
""")
def maximum_divided_twice(scores, temperature, axis=-1):
    scaled = scores / temperature
    exps = np.exp(scaled - scaled.max(axis=axis, keepdims=True) / temperature)
    return exps / exps.sum(axis=axis, keepdims=True)


MISTAKES.by(
    "power-of-the-exponentials",
    lambda s, t, axis=-1: (
        (e := np.exp(s - s.max(axis, keepdims=True)) ** s.dtype.type(1 / t))
        / e.sum(axis, keepdims=True)
    ),
).says("""
    You raise the exponentials to the power 1/τ. That is the same on paper, but what exp has made 0
    stays 0 at any temperature. Divide the scores first, then subtract their largest.
""")


@MISTAKES.says("""
    You divide the exponentials of the sum by the temperature, and not those above. Divide the
    scores once, at the beginning, and use these above and below.
""")
def below_alone(scores, temperature, axis=-1):
    top = scores.max(axis=axis, keepdims=True)
    return np.exp(scores - top) / np.exp((scores - top) / temperature).sum(axis, keepdims=True)


@MISTAKES.says("""
    You divide the scores by the temperature above, and not in the sum below. Divide them once, at
    the beginning, and use these above and below.
""")
def above_alone(scores, temperature, axis=-1):
    top = scores.max(axis=axis, keepdims=True)
    return np.exp((scores - top) / temperature) / np.exp(scores - top).sum(axis, keepdims=True)


always_float64(MISTAKES)
changes_input(MISTAKES, "scores")

"""Task `softmax_with_temperature`: one number that makes the weights sharper or flatter."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Transposed, task
from course_lib.exercises.common import NUMPY, always_float64, changes_input
from course_lib.exercises.softmax import plain
from course_lib.exercises.softmax.plain import softmax


def softmax_with_temperature(scores, temperature, axis=-1):
    """Only differences between scores count, and a temperature stretches or shrinks them: τ = 0.5
    doubles every difference, τ = 2 halves it. So divide first, and reuse the softmax that already
    guards against overflow: a score of 30 at τ = 0.01 becomes 3000, which is harmless once the
    largest has been subtracted.

    Cost: One division for each score more than a softmax."""
    return plain.softmax(scores / temperature, axis)


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
case.hidden("high scores", lambda s: (1000 + s.floats(*s.dims(2)), 0.8))
# At a half, the division is exact: no way of writing it rounds differently.
case.hidden("rows of very different height", lambda s, n, m: (*plain.uneven(s, n, m), 0.5))
case.hidden(
    "more axes, stored in another order",
    lambda s: (Transposed(s.floats(*s.dims(4)), (0, 2)), 0.4, -3),
)


MISTAKES = Mistakes(softmax_with_temperature)
MISTAKES.change("multiplied", "scores /", "scores *").says("""
    You multiply the scores by the temperature, so a low one flattens. Divide by it: a low
    temperature must sharpen.
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
    You take exp without subtracting the maximum; a small temperature makes the scores large and exp
    overflows. Use your `softmax` on the divided scores.
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
    You subtract the largest size of a score. In a row of negative scores every exponential is then
    0, and 0/0 is nan. Subtract the largest score.
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
always_float64(MISTAKES)
changes_input(MISTAKES, "scores")


HINTS = (
    "A low temperature pulls the scores apart, a high one pushes them together. Which operation "
    "on the scores does that?",
    "Divide the scores by the temperature first; everything else is the softmax that you have.",
    "Two things go into the softmax that you have: the divided scores, and the `axis` that you "
    "were given. Nothing else changes.",
)
SOFTMAX_WITH_TEMPERATURE = task(MISTAKES, 2, case.all, HINTS, **NUMPY)

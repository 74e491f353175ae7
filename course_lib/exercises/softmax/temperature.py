"""Task `softmax_with_temperature`: one number that makes the weights sharper or flatter."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.plain import softmax
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def softmax_with_temperature(scores, temperature, axis=-1):
    return softmax(scores / temperature, axis)


def cool(s: Sampler) -> Inputs:
    return Inputs((s.floats(*s.dims(2)), float(s.rng.uniform(0.3, 0.7))))


def warm(s: Sampler) -> Inputs:
    return Inputs((s.floats(*s.dims(2), scale=3.0), float(s.rng.uniform(2, 5))))


def inner_axis(s: Sampler) -> Inputs:
    return Inputs((s.floats(*s.dims(3)), 1.7), {"axis": s.turn(0, 1, -2)})


def one(s: Sampler) -> Inputs:
    return Inputs((s.floats(s.size + 1), 1.0))


def square(s: Sampler) -> Inputs:
    n = s.size + 1
    return Inputs((s.floats(n, n), 0.6, 0))


def near_zero(s: Sampler) -> Inputs:
    """Scores of about 3 at a temperature of 0.003: exponents near 1000."""
    return Inputs((3 + s.floats(*s.dims(2), scale=0.003), 0.003))


def high(s: Sampler) -> Inputs:
    return Inputs((1000 + s.floats(*s.dims(2)), 0.8))


def strided(s: Sampler) -> Inputs:
    return Inputs((Transposed(s.floats(*s.dims(4)), (0, 2)), 0.4, -3))


def _maximum_first(scores, temperature, axis=-1):
    exps = np.exp(scores / temperature - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _no_maximum(scores, temperature, axis=-1):
    exps = np.exp(scores / temperature)
    return exps / exps.sum(axis=axis, keepdims=True)


SOFTMAX_WITH_TEMPERATURE = Task(
    name="softmax_with_temperature",
    points=2,
    reference=softmax_with_temperature,
    library="numpy",
    idea=(
        "Only differences between scores count, and a temperature stretches or shrinks them: "
        "τ = 0.5 doubles every difference, τ = 2 halves it. So divide first, and reuse the "
        "softmax that already guards against overflow: a score of 30 at τ = 0.01 becomes "
        "3000, which is harmless once the largest has been subtracted."
    ),
    cost="One division for each score more than a softmax.",
    cases=(
        Case("a temperature below one sharpens", cool),
        Case("a temperature above one flattens", warm),
        Case("another axis, given by name", inner_axis),
        Case("a temperature of one changes nothing", one),
        Case("the axis is obeyed when all axes are equally long", square, hidden=True),
        Case("a temperature near zero", near_zero, hidden=True),
        Case("high scores", high, hidden=True),
        Case("more axes, stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "multiplied",
            "You multiply the scores by the temperature, so a low one flattens. Divide by it: a "
            "low temperature must sharpen.",
            lambda s, t, axis=-1: softmax(s * t, axis),
        ),
        Mistake(
            "temperature-ignored",
            "The temperature changes nothing here. Divide the scores by it before the softmax.",
            lambda s, t, axis=-1: softmax(s, axis),
        ),
        Mistake(
            "weights-divided",
            "You divide the weights by the temperature, so they no longer sum to one. Divide the "
            "scores, before the softmax.",
            lambda s, t, axis=-1: softmax(s, axis) / t,
        ),
        Mistake(
            "square-root",
            "You divide by the square root of the temperature. Divide by the temperature itself.",
            lambda s, t, axis=-1: softmax(s / t**0.5, axis),
        ),
        Mistake(
            "maximum-first",
            "You divide by the temperature but subtract the maximum of the undivided scores, so a "
            "small temperature still overflows. Divide first, then subtract the new maximum.",
            _maximum_first,
        ),
        Mistake(
            "no-maximum",
            "You take exp without subtracting the maximum; a small temperature makes the scores "
            "large and exp overflows. Use your `softmax` on the divided scores.",
            _no_maximum,
        ),
        Mistake(
            "axis-ignored",
            "You always normalise along the last axis. Hand `axis` on to the softmax.",
            lambda s, t, axis=-1: softmax(s / t, -1),
        ),
        Mistake(
            "whole-array",
            "You normalise over the whole array, so all weights together sum to one. Normalise "
            "along `axis`.",
            lambda s, t, axis=-1: softmax((s / t).reshape(-1)).reshape(s.shape),
        ),
        Mistake(
            "scores-not-weights",
            "You return the divided scores. They still need the softmax.",
            lambda s, t, axis=-1: s / t,
        ),
        always_float64(softmax_with_temperature),
        changes_input(softmax_with_temperature, 0, "scores"),
    ),
    hints=(
        "A low temperature pulls the scores apart, a high one pushes them together. Which "
        "operation on the scores does that?",
        "Divide the scores by the temperature first; everything else is the softmax that you have.",
        "Two things go into the softmax that you have: the divided scores, and the `axis` that "
        "you were given. Nothing else changes.",
    ),
)

"""Four tasks of lab 2: positions, a norm, dropout, and causal attention with two bugs."""

import numpy as np
import torch

from course_lib.checker.tasks import Candidate, Inputs, Mistakes, Sampler
from course_lib.exercises.find_the_bug.planted import bug
from course_lib.exercises.find_the_bug.programs import (
    add_positions,
    layer_norm,
    weigh_with_dropout,
)
from course_lib.exercises.mutants import HEADER, source


def _embedded(s: Sampler, cached: int, length: int = 0) -> tuple:
    batch, t, d = s.dims(3)
    t = length or t
    return s.floats(batch, t, d), s.floats(cached + t + 3, d), cached


def _features(s: Sampler, batch: int = 0, shift: float = 0.0) -> tuple:
    b, t, d = s.dims(3)
    x = s.floats(batch or b, t, d) + s.floats(batch or b, t, 1)
    return (x + shift).astype(s.dtype), s.floats(d), s.floats(d)


def _weighed(p: float, training: bool):
    def draw(s: Sampler) -> tuple:
        batch, t, n, d = s.dims(4)
        return s.floats(batch, t, n), s.floats(batch, n, d), p, training

    return draw


def what_is_left(weigh_with_dropout, scores, value, p, training):
    """In words, so that it does not matter which weights were dropped: the values are an identity,
    twice side by side, and the output is the weights themselves, twice."""
    before = torch.softmax(scores, dim=-1)
    after, again = weigh_with_dropout(scores, value, p, training).chunk(2, -1)
    if (after != again).any():
        return "two numbers of one value do not stay or go together"
    left = after != 0
    close = abs((~left).double().mean() - p) < 0.1
    dropped = "as many as p says" if close else "more or fewer than p says"
    factors = (after / before)[left].round(decimals=2).unique().tolist()
    return f"dropped: {dropped}; factors of those left: {factors[:3]}"


def _a_quarter_dropped(s: Sampler) -> Inputs:
    """A thousand weights and more, of which a quarter is dropped."""
    n = 40
    value = np.tile(np.eye(n, dtype=s.dtype), (2, 1, 2))  # (2, n, 2n)
    examiner = Candidate("what_is_left", HEADER + source(what_is_left))
    return Inputs((s.floats(2, 15 + s.size, n), value, 0.25, True), examiner=examiner)


POSITIONS_BUG = ("table[cached : cached + length]", "table[:length]")
MISTAKES = Mistakes(add_positions)
MISTAKES.change("as-it-was", *POSITIONS_BUG).says("""
    New tokens still get the positions 0, 1, …, however many came before.
""")
MISTAKES.change("one-for-all", "table[cached : cached + length]", "table[cached]").says(
    "All new tokens get the same position. They go on counting."
)
MISTAKES.change(
    "one-too-far", "cached : cached + length", "cached + 1 : cached + length + 1"
).says("""
    You count one too far: the first new token has the position `cached`.
""")
MISTAKES.change("from-the-end", "cached : cached + length", "-length:").says("""
    You take the table's last rows, which are positions that no token has.
""")
MISTAKES.change("end-unmoved", "cached : cached + length", "cached:length").says(
    "You moved where the slice begins and not where it ends."
)
MISTAKES.change(
    "one-too-near", "cached : cached + length", "max(cached - 1, 0) :][:length"
).says("""
    You count one too few: after a cache of seven, positions 0 to 6, comes 7.
""")
POSITIONS = bug(
    MISTAKES,
    POSITIONS_BUG,
    (
        ("five tokens in the cache", lambda s: _embedded(s, 5)),
        ("one new token", lambda s: _embedded(s, 4 + s.size, 1)),
        ("nothing in the cache", lambda s: _embedded(s, 0)),
    ),
    (
        "Which position has the very first token of a text, which the one after a cache of seven?",
        "An argument is never used.",
        "`table[cached : cached + length]`.",
    ),
)

NORM_BUG = (
    "= x.mean(dim=-1",
    "= x.mean(dim=(0, 1)",
    "square().mean(dim=-1",
    "square().mean(dim=(0, 1)",
)
MISTAKES = Mistakes(layer_norm)
MISTAKES.change("as-it-was", *NORM_BUG).says("""
    Mean and variance still run over texts and positions, so a text's numbers depend on its
    neighbours in the batch.
""")
MISTAKES.change("mean-alone", "square().mean(dim=-1", "square().mean(dim=(0, 1)").says("""
    The mean is repaired; the variance still runs over texts and positions.
""")
MISTAKES.change("variance-alone", "= x.mean(dim=-1", "= x.mean(dim=(0, 1)").says("""
    The variance is repaired; the mean still runs over texts and positions.
""")
MISTAKES.change(
    "over-positions",
    "= x.mean(dim=-1",
    "= x.mean(dim=1",
    "square().mean(dim=-1",
    "square().mean(dim=1",
).says("""
    Your statistics run over the positions; each token has its own.
""")
MISTAKES.change(
    "over-the-text",
    "= x.mean(dim=-1",
    "= x.mean(dim=(1, 2)",
    "square().mean(dim=-1",
    "square().mean(dim=(1, 2)",
).says("""
    Your statistics run over a whole text; each token has its own.
""")
MISTAKES.change(
    "corrected-variance",
    "(x - mean).square().mean(dim=-1, keepdim=True)",
    "x.var(dim=-1, keepdim=True)",
).says("""
    `x.var` divides by one less than the number of features. The mean of the squares is asked:
    `correction=0`.
""")
MISTAKES.change("not-centred", "(x - mean).square()", "x.square()").says(
    "The variance is no longer taken about the mean."
)
NORM = bug(
    MISTAKES,
    NORM_BUG,
    (
        ("a batch of texts", _features),
        ("one text alone", lambda s: _features(s, 1)),
        ("numbers far from zero", lambda s: _features(s, 0, 5.0)),
    ),
    (
        "Normalise a text alone, and again with another text beside it. What should change?",
        "Over which axis does a *layer* norm take its mean, and over which did this one?",
        "`dim=-1` in both lines: the features of one token.",
    ),
)

DROPOUT_BUG = ("F.dropout(weights, p, training)", "F.dropout(weights, p)")
MISTAKES = Mistakes(weigh_with_dropout)
MISTAKES.change("as-it-was", *DROPOUT_BUG).says("""
    Weights are still dropped when the model is used: `F.dropout` drops unless it is told not to.
""")
MISTAKES.change("never", "F.dropout(weights, p, training)", "F.dropout(weights, p, False)").says(
    "Now nothing is ever dropped, in training neither."
)
MISTAKES.change("turned-round", "weights, p, training)", "weights, p, not training)").says("""
    Now weights are dropped when the model is used, and not in training.
""")
MISTAKES.change(
    "output-dropped",
    "weights = F.dropout(weights, p, training)",
    "pass",
    "return weights @ value",
    "return F.dropout(weights @ value, p, training)",
).says("""
    You drop numbers of the output. The weights are dropped, each with the whole of its value.
""")
MISTAKES.change(
    "scores-dropped",
    "F.dropout(weights, p, training)",
    "F.dropout(scores, p, training).softmax(-1)",
).says("""
    You drop scores, which makes them 0 and not −∞: weights are dropped after the softmax.
""")
MISTAKES.change(
    "shrunk",
    "F.dropout(weights, p, training)",
    "F.dropout(weights, p, training) * (1 if training else 1 - p)",
).says("""
    When the model is used you make the weights smaller. `F.dropout` makes those that are left
    larger in training instead.
""")
MISTAKES.change(
    "not-rescaled",
    "F.dropout(weights, p, training)",
    "F.dropout(weights, p, training) * (1 - p if training else 1)",
).says("""
    In training you make the weights smaller again. `F.dropout` divides those that are left by 1 −
    p, so that their sum stays near 1: leave them so.
""")
MISTAKES.change("keeps-p", "weights, p,", "weights, 1 - p,").says("""
    You drop with the probability 1 − p. `F.dropout` wants that of dropping, which is p.
""")
DROPOUT = bug(
    MISTAKES,
    DROPOUT_BUG,
    (
        ("used, not trained", _weighed(0.5, False)),
        ("in training, all dropped", _weighed(1.0, True)),
        ("in training, none dropped", _weighed(0.0, True)),
        ("used after training with much dropout", _weighed(0.9, False)),
        ("in training, a quarter dropped", _a_quarter_dropped),
    ),
    (
        "Run the function twice on the same input with training=False.",
        "Look up the third argument of `F.dropout`, and what it is when nobody gives it.",
        "`F.dropout(weights, p, training)`.",
    ),
)

"""Four tasks of lab 2: positions, a norm, dropout, and causal attention with two bugs."""

from course_lib.exercises.find_the_bug.planted import bug
from course_lib.exercises.find_the_bug.programs import (
    add_positions,
    attend_to_past,
    layer_norm,
    weigh_with_dropout,
)
from course_lib.grading.tasks import Sampler


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


def _past(s: Sampler, new: int = 0, old: int = 0) -> tuple:
    batch, t, d, d_v = s.dims(4)
    t = new or t
    return tuple(s.floats(batch, *size) for size in ((t, d), (t + old, d), (t + old, d_v)))


POSITIONS = bug(
    add_positions,
    1,
    ("table[cached : cached + length]", "table[:length]"),
    "New tokens still get the positions 0, 1, …, however many came before.",
    (
        ("one-for-all", "All new tokens get the same position. They go on counting.",
         "table[cached : cached + length]", "table[cached]"),
        ("one-too-far", "You count one too far: the first new token has the position `cached`.",
         "cached : cached + length", "cached + 1 : cached + length + 1"),
        ("from-the-end", "You take the table's last rows, which are positions that no token has.",
         "cached : cached + length", "-length:"),
        ("end-unmoved", "You moved where the slice begins and not where it ends.",
         "cached : cached + length", "cached:length"),
    ),
    (("five tokens in the cache", lambda s: _embedded(s, 5)),
     ("one new token", lambda s: _embedded(s, 4 + s.size, 1)),
     ("nothing in the cache", lambda s: _embedded(s, 0))),
    (
        "Which position has the very first token of a text, which the one after a cache of seven?",
        "An argument is never used.",
        "`table[cached : cached + length]`.",
    ),
)  # fmt: skip
NORM = bug(
    layer_norm,
    1,
    ("dim=-1", "dim=(0, 1)"),
    "Mean and variance still run over texts and positions, so a text's numbers depend on its "
    "neighbours in the batch.",
    (
        ("mean-alone", "The mean is repaired; the variance still runs over texts and positions.",
         "square().mean(dim=-1", "square().mean(dim=(0, 1)"),
        ("variance-alone", "The variance is repaired; the mean still runs over texts and "
         "positions.", "= x.mean(dim=-1", "= x.mean(dim=(0, 1)"),
        ("over-positions", "Your statistics run over the positions; each token has its own.",
         "dim=-1", "dim=1"),
        ("over-the-text", "Your statistics run over a whole text; each token has its own.",
         "dim=-1", "dim=(1, 2)"),
        ("not-centred", "The variance is no longer taken about the mean.", "(x - mean).square()",
         "x.square()"),
    ),
    (("a batch of texts", _features), ("one text alone", lambda s: _features(s, 1)),
     ("numbers far from zero", lambda s: _features(s, 0, 5.0))),
    (
        "Normalise a text alone, and again with another text beside it. What should change?",
        "Over which axis does a *layer* norm take its mean, and over which did this one?",
        "`dim=-1` in both lines: the features of one token.",
    ),
)  # fmt: skip
DROPOUT = bug(
    weigh_with_dropout,
    1,
    ("F.dropout(weights, p, training)", "F.dropout(weights, p)"),
    "Weights are still dropped when the model is used: `F.dropout` drops unless it is told not "
    "to.",
    (
        ("never", "Now nothing is ever dropped, in training neither.",
         "F.dropout(weights, p, training)", "F.dropout(weights, p, False)"),
        ("turned-round", "Now weights are dropped when the model is used, and not in training.",
         "weights, p, training)", "weights, p, not training)"),
        ("scores-dropped", "You drop scores, which makes them 0 and not −∞: weights are dropped "
         "after the softmax.", "F.dropout(weights, p, training)",
         "F.dropout(scores, p, training).softmax(-1)"),
        ("shrunk", "When the model is used you make the weights smaller. `F.dropout` makes those "
         "that are left larger in training instead.", "F.dropout(weights, p, training)",
         "F.dropout(weights, p, training) * (1 if training else 1 - p)"),
    ),
    (("used, not trained", _weighed(0.5, False)), ("in training, all dropped", _weighed(1.0, True)),
     ("in training, none dropped", _weighed(0.0, True)),
     ("used after training with much dropout", _weighed(0.9, False))),
    (
        "Run the function twice on the same input with training=False.",
        "Look up the third argument of `F.dropout`, and what it is when nobody gives it.",
        "`F.dropout(weights, p, training)`.",
    ),
)  # fmt: skip
PAST = bug(
    attend_to_past,
    2,
    ("tril(n_keys - n_queries)", "tril()", "math.sqrt(query.shape[-1])", "math.sqrt(n_keys)"),
    "Both bugs are still there: where the triangle of the mask begins, and what the scores are "
    "divided by.",
    (
        ("mask-alone", "The mask is right now. A second bug: the scores are divided by the root of "
         "the number of keys.", "math.sqrt(query.shape[-1])", "math.sqrt(n_keys)"),
        ("scale-alone", "The scale is right now. A second bug: with more keys than queries the "
         "triangle of the mask begins at the wrong place.", "tril(n_keys - n_queries)", "tril()"),
        ("no-mask", "Nothing is masked now; several new queries see ahead.",
         "    seen = seen.tril(n_keys - n_queries)\n", ""),
        ("moved-the-wrong-way", "You move the triangle the wrong way.", "n_keys - n_queries)",
         "n_queries - n_keys)"),
        ("not-scaled", "The scores are not scaled at all now.",
         " / math.sqrt(query.shape[-1])", ""),
    ),
    (("as many queries as keys", _past), ("one query, many keys", lambda s: _past(s, 1, 5)),
     ("some new queries", lambda s: _past(s, 0, 4))),
    (
        "There are two. One shows with a single query and many keys, the other on every input.",
        "Print the mask for one query and five keys. Then ask what the root should be of: what is "
        "summed in one score?",
        "`seen.tril(n_keys - n_queries)` and `math.sqrt(query.shape[-1])`.",
    ),
)  # fmt: skip

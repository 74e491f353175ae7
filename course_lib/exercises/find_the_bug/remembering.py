"""The lab's program that attends to what was read before, with two bugs."""

from course_lib.checker.tasks import Mistakes, Sampler
from course_lib.exercises.find_the_bug.planted import bug
from course_lib.exercises.find_the_bug.programs import (
    attend_to_past,
)


def _past(s: Sampler, new: int = 0, old: int = 0) -> tuple:
    batch, t, d, d_v = s.dims(4)
    t = new or t
    return tuple(s.floats(batch, *size) for size in ((t, d), (t + old, d), (t + old, d_v)))


PAST_BUG = ("tril(n_keys - n_queries)", "tril()", "math.sqrt(query.shape[-1])", "math.sqrt(n_keys)")
MISTAKES = Mistakes(attend_to_past)
MISTAKES.change("as-it-was", *PAST_BUG).says("""
    Both bugs are still there: where the triangle of the mask begins, and what the scores are
    divided by.
""")
MISTAKES.change("mask-alone", "math.sqrt(query.shape[-1])", "math.sqrt(n_keys)").says("""
    The mask is right now. A second bug: the scores are divided by the root of the number of keys.
""")
MISTAKES.change("scale-alone", "tril(n_keys - n_queries)", "tril()").says("""
    The scale is right now. A second bug: with more keys than queries the triangle of the mask
    begins at the wrong place.
""")
MISTAKES.change("no-mask", "    seen = seen.tril(n_keys - n_queries)\n", "").says(
    "Nothing is masked now; several new queries see ahead."
)
MISTAKES.change("moved-the-wrong-way", "n_keys - n_queries)", "n_queries - n_keys)").says(
    "You move the triangle the wrong way."
)
MISTAKES.change(
    "width-of-values", "math.sqrt(query.shape[-1])", "math.sqrt(value.shape[-1])"
).says("""
    You divide by the root of the width of the values. A score sums d products, as many as a query
    has numbers.
""")
for name, root in {
    "root-of-queries": "math.sqrt(n_queries)",
    "root-of-heads": "math.sqrt(query.shape[0])",
    "no-root": "query.shape[-1]",
}.items():
    MISTAKES.change(name, "math.sqrt(query.shape[-1])", root).says("""
        The mask is right now. The scores are divided by something else than √d: a score sums d
        products, the numbers of one query.
    """)
MISTAKES.change("one-key-short", "n_keys - n_queries)", "n_keys - n_queries - 1)").says("""
    The scale is right now. A query no longer sees its own position: the diagonal is n_keys −
    n_queries.
""")
MISTAKES.change("not-scaled", " / math.sqrt(query.shape[-1])", "").says(
    "The scores are not scaled at all now."
)
PAST = bug(
    MISTAKES,
    PAST_BUG,
    (
        ("as many queries as keys", _past),
        ("one query, many keys", lambda s: _past(s, 1, 5)),
        ("some new queries", lambda s: _past(s, 0, 4)),
    ),
    (
        "There are two. One shows with a single query and many keys, the other on every input.",
        "Print the mask for one query and five keys. Then ask what the root should be of: what is "
        "summed in one score?",
        "`seen.tril(n_keys - n_queries)` and `math.sqrt(query.shape[-1])`.",
    ),
)

"""Task `causal_attention`: no query sees what comes after it."""

import math

from course_lib.checker.tasks import Cases, Mistakes, Sampler, task
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_mistakes import (
    WEIGH,
    only_three_axes,
    over_queries,
    score_mistakes,
    softmax_mistakes,
)
from course_lib.exercises.attention_parts import qkv, with_gradients
from course_lib.exercises.causal.mask import MISTAKES as MASKS
from course_lib.exercises.causal.mask import causal_mask
from course_lib.exercises.common import (
    HEADS,
    TOO_HIGH,
    called_wrongly,
    detached,
    family,
    pair_mistakes,
)
from course_lib.exercises.weighing_mistakes import one_of_two_mistakes, weighing_mistakes


def causal_attention(query, key, value):
    """The mask of the task before and the attention of exercise 07; what is new is where they meet.
    The mask is made from the two lengths, and -inf goes in *before* the softmax, so that no
    forbidden score enters the sum. With more queries than keys the first rows may see nothing, and
    get zeros.

    Cost: As attention without a mask; half of the scores of a square are computed for nothing,
    which a kernel can skip."""
    mask = causal_mask(query.shape[-2], key.shape[-2]).to(query.device)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., T, S)
    weights = parts.weigh(scores, mask)
    output = weights @ value
    return output, weights


def lengths(s: Sampler, keys: str, axes: int = 1, scale: float = 1.0) -> tuple:
    """query, key, value with `keys` ("more", "fewer", "equal") in number than queries."""
    few, many, d_k, d_v, *lead = s.dims(4 + axes)
    few, many = sorted((few, many))
    n_queries, n_keys = {"more": (few, many), "fewer": (many, few), "equal": (many, many)}[keys]
    return qkv(s, tuple(lead), (n_queries, n_keys, d_k, d_v), scale)


case = Cases()
case("three words", lambda s: qkv(s, (1,), (3, 3, *s.dims(2))))
case("a batch, as many keys as queries", lambda s: lengths(s, "equal"))
case("more keys than queries", lambda s: lengths(s, "more"))
case("heads: four axes", lambda s: lengths(s, "equal", axes=2), perhaps=HEADS)
case("more queries than keys: the first see nothing", lambda s: lengths(s, "fewer"))


@case("a score of the future far above the others", perhaps=TOO_HIGH)
def high_future(s):
    """The last key scores thousands above all others; only the last query may see it."""
    query, key, value = lengths(s, "equal")
    query[..., 0] = 1
    key[..., -1, 0] += 9000
    return query, key, value


@case.hidden(
    "scores of the past far below those of the future", dtypes=("float64",), perhaps=TOO_HIGH
)
def low_past(s):
    """All scores but the last key's are far below any constant that one thinks low."""
    query, key, value = lengths(s, "equal")
    query[..., 0] = 1
    key[..., :-1, 0] -= 1e6
    return query, key, value


case.hidden("heads, more keys than queries", lambda s: lengths(s, "more", 2), perhaps=HEADS)
case.hidden("no batch: two axes", lambda s: lengths(s, "more", axes=0), perhaps=HEADS)
case.hidden("gradients", lambda s: with_gradients(s, *lengths(s, "equal")))
case.hidden(
    "finite gradients where a query sees nothing",
    lambda s: with_gradients(s, *lengths(s, "fewer", axes=2)),
)
case.hidden(
    "scores in the thousands stay finite",
    lambda s: lengths(s, "equal", scale=60.0),
    dtypes=("float64",),
)


MISTAKES = Mistakes(causal_attention)
score_mistakes(MISTAKES)
MISTAKES.change("aligned-top-left", "causal_mask(", "MASKS['aligned-top-left'](").says("""
    Your triangle starts at the first key, as that of torch's `is_causal` does. The last query
    stands beside the last key: move the diagonal by n_keys - n_queries, in your `causal_mask` if
    you call it.
""")
WRONG = ("top-left-when-queries-are-more", "diagonal-without-its-sign", "strictly-before")
called_wrongly(MISTAKES, MASKS, *WRONG, "one-too-far", "counted-from-the-end")
MISTAKES.change("mask-added", WEIGH, "parts.weigh(scores + mask, None)").says("""
    You add the boolean mask to the scores, which adds one where attention is allowed. Set the
    forbidden scores to -inf instead.
""")
MISTAKES.change(
    "strictly-before-and-nan",
    "causal_mask(",
    "MASKS['strictly-before'](",
    WEIGH,
    "parts.filled(scores, mask, -parts.INF)",
).says("""
    A query does not see its own position, so the first row has nothing to attend to and becomes
    NaN. It sees every position up to and including its own.
""")
MISTAKES.change(
    "strictly-before-and-uniform",
    "causal_mask(",
    "MASKS['strictly-before'](",
    WEIGH,
    "parts.filled(scores, mask, -1e9)",
).says("""
    A query does not see its own position, so the first row has nothing to attend to and spreads
    over everything. It sees every position up to and including its own.
""")
MISTAKES.change("not-causal", WEIGH, "parts.weigh(scores, None)").says("""
    Nothing hides the future: every query sees every key. Forbid the keys that come after it, before
    the softmax.
""")
MISTAKES.change("sees-only-the-future", WEIGH, "parts.weigh(scores, ~mask)").says("""
    Your mask is inverted: a query sees only what comes after it.
""")
softmax_mistakes(MISTAKES)
over_queries(MISTAKES)
MISTAKES.change(
    "as-many-keys-as-queries", "query.shape[-2], key.shape[-2]", "query.shape[-2]"
).says("""
    Your mask is square. There may be more keys than queries, or fewer: it has one row for each
    query and one column for each key.
""")
only_three_axes(MISTAKES)
pair_mistakes(MISTAKES, "output", "weights")
detached(MISTAKES)
weighing_mistakes(MISTAKES)
one_of_two_mistakes(MISTAKES)
sentence = """
    You subtract a large number from forbidden scores. A query that sees nothing loses it
    everywhere, and the softmax does not notice: its weights have to be zero. And an allowed score
    may be lower still. Fill with -inf, and give rows without any key zeros.
"""
for name, height in {"a-billion-subtracted": "1e9", "ten-thousand-subtracted": "1e4"}.items():
    MISTAKES.change(name, WEIGH, f"parts.penalised(scores, mask, {height})").says(sentence)
family(
    MISTAKES,
    """Your triangle is the wrong one: a query sees the keys up to its own place, `tril`, and
    not those after it.""",
    upper_triangle=(
        "key.shape[-2])",
        "key.shape[-2]).fill_(True).triu(key.shape[-2] - query.shape[-2])",
    ),
    flipped=("key.shape[-2])", "key.shape[-2]).flip(0)"),
)
family(
    MISTAKES,
    """The diagonal is moved the wrong way. The last query stands beside the last key: `tril(S −
    T)`, so that with more keys all queries see more.""",
    moved_the_wrong_way=(
        "key.shape[-2])",
        "key.shape[-2]).fill_(True).tril(query.shape[-2] - key.shape[-2])",
    ),
)
family(
    MISTAKES,
    """`is_causal=True` of torch aligns the first query with the first key. Here the last query
    stands beside the last key: give a mask, `tril(S − T)`.""",
    output_of_torch=(
        "output = weights @ value",
        "output = parts.of_torch(query, key, value)",
    ),
)
family(
    MISTAKES,
    """Your softmax runs over axis 1. With a batch in front these are not the keys, which are the
    last axis: `dim=-1`.""",
    over_the_second_axis=("parts.weigh(scores, mask)", "parts.weigh(scores, mask, 1)"),
)
family(
    MISTAKES,
    """You set forbidden scores to 0, which still gets weight, for exp(0) = 1; what you zero
    afterwards is missing from the whole. Set them to -inf before the softmax.""",
    scores_zeroed_then_weights=(WEIGH, "parts.filled_and_zeroed(scores, mask, 0.0)"),
)
family(
    MISTAKES,
    """You cut the triangle out of the values or of the output. It is the scores whose upper
    part becomes -inf.""",
    output_cut=("output = weights @ value", "output = (weights @ value).tril()"),
)


HINTS = (
    "It is scaled dot-product attention with your `causal_mask` of `query.shape[-2]` rows and "
    "`key.shape[-2]` columns.",
    "Fill the forbidden scores with -inf before the softmax. The mask has two axes and broadcasts "
    "over all leading ones.",
    "With more queries than keys the first rows are all -inf and become NaN. Fill the forbidden "
    "weights with 0 after the softmax.",
)
ATTENTION = task(MISTAKES, 2, case.all, HINTS, returns=("output", "weights"))

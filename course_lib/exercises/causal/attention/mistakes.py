"""What goes wrong in `causal_attention`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.attention_mistakes import (
    ROOT,
    WEIGH,
    one_of_two_mistakes,
    only_three_axes,
    over_queries,
    score_mistakes,
    softmax_mistakes,
    weighing_mistakes,
)
from course_lib.exercises.causal.attention.task import causal_attention
from course_lib.exercises.causal.mask.mistakes import MISTAKES as MASKS
from course_lib.exercises.common import called_wrongly, detached, family, pair_mistakes

MISTAKES = Mistakes(causal_attention, globals())
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
MISTAKES.change(
    "divided-again-and-small",
    WEIGH,
    "(w := parts.masked_after(scores, mask)) / (w.sum(-1, keepdim=True) + 1e-9)",
).says("""
    You mask after the softmax and divide by what is left and a small number. Where forbidden scores
    had taken most, too little is left. Take them out before the softmax.
""")
MISTAKES.change(
    "minus-hundred-before-the-scale", WEIGH, f"parts.filled(scores, mask, -100 / {ROOT})"
).says("""
    You fill forbidden scores with a number that is not low enough: they keep some weight, for exp
    of it is not 0. Fill with -inf.
""")
LAST = "scores.shape[-1] - scores.shape[-2]"
family(
    MISTAKES,
    """Your queries see the last few keys alone, as with a window. There is none here: each sees
    every key up to its own place.""",
    window_of_three=(WEIGH, f"parts.weigh(scores, mask.triu({LAST} - 2))"),
    window_of_two=(WEIGH, f"parts.weigh(scores, mask.triu({LAST} - 1))"),
    window_of_one=(WEIGH, f"parts.weigh(scores, mask.triu({LAST}))"),
)

"""Task `causal_attention`: no query sees what comes after it."""

import math

from course_lib.checker.tasks import Cases, Mistakes, Sampler, task
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_mistakes import (
    WEIGH,
    constant_mistakes,
    keys_reversed,
    maximum_mistakes,
    only_three_axes,
    scaling_mistakes,
    third_axis,
)
from course_lib.exercises.attention_parts import qkv, with_gradients
from course_lib.exercises.causal import mask as masks


def causal_attention(query, key, value):
    """The mask of the task before and the attention of exercise 07; what is new is where they meet.
    The mask is made from the two lengths, and -inf goes in *before* the softmax, so that no
    forbidden score enters the sum. With more queries than keys the first rows may see nothing, and
    get zeros.

    Cost: As attention without a mask; half of the scores of a square are computed for nothing,
    which a kernel can skip."""
    mask = masks.causal_mask(query.shape[-2], key.shape[-2]).to(query.device)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., T, S)
    weights = parts.weigh(scores, mask)
    return weights @ value, weights


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
case("heads: four axes", lambda s: lengths(s, "equal", axes=2))
case("more queries than keys: the first see nothing", lambda s: lengths(s, "fewer"))


@case("a score of the future far above the others")
def high_future(s):
    """The last key scores thousands above all others; only the last query may see it."""
    query, key, value = lengths(s, "equal")
    query[..., 0] = 1
    key[..., -1, 0] += 9000
    return query, key, value


@case.hidden("scores of the past far below those of the future", dtypes=("float64",))
def low_past(s):
    """All scores but the last key's are far below any constant that one thinks low."""
    query, key, value = lengths(s, "equal")
    query[..., 0] = 1
    key[..., :-1, 0] -= 1e6
    return query, key, value


case.hidden("heads, more keys than queries", lambda s: lengths(s, "more", 2))
case.hidden("no batch: two axes", lambda s: lengths(s, "more", axes=0))
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
scaling_mistakes(MISTAKES)
third_axis(MISTAKES)
MISTAKES("""You add the boolean mask to the scores, which adds one where attention is allowed. Set
    the forbidden scores to -inf instead.""").change(
    "mask-added", WEIGH, "parts.weigh(scores + mask, None)"
)
keys_reversed(MISTAKES)
MISTAKES("""Your triangle starts at the first key. The last query stands beside the last key: with
    more keys than queries the first query already sees the older ones.""").change(
    "aligned-top-left", "masks.causal_mask(", "masks.MISTAKES['aligned-top-left']("
)
MISTAKES("""With more queries than keys your first query sees the first key. The last query stands
    beside the last key; the surplus queries see nothing.""").change(
    "top-left-when-queries-are-more",
    "masks.causal_mask(",
    "masks.MISTAKES['top-left-when-queries-are-more'](",
)
MISTAKES("""A query does not see its own position. It sees every position up to and including its
    own.""").change("strictly-before", "masks.causal_mask(", "masks.MISTAKES['strictly-before'](")
MISTAKES("""A query does not see its own position, so the first row has nothing to attend to and
    becomes NaN. It sees every position up to and including its own.""").change(
    "strictly-before-and-nan",
    "masks.causal_mask(",
    "masks.MISTAKES['strictly-before'](",
    WEIGH,
    "parts.filled(scores, mask, -parts.INF)",
)
MISTAKES("""A query does not see its own position, so the first row has nothing to attend to and
    spreads over everything. It sees every position up to and including its own.""").change(
    "strictly-before-and-uniform",
    "masks.causal_mask(",
    "masks.MISTAKES['strictly-before'](",
    WEIGH,
    "parts.filled(scores, mask, -1e9)",
)
MISTAKES("""Every query sees one position of the future. The last position it may see is its
    own.""").change("one-too-far", "masks.causal_mask(", "masks.MISTAKES['one-too-far'](")
MISTAKES("""Nothing hides the future: every query sees every key. Forbid the keys that come after
    it, before the softmax.""").change("not-causal", WEIGH, "parts.weigh(scores, None)")
MISTAKES("""Your mask is inverted: a query sees only what comes after
    it.""").change("sees-only-the-future", WEIGH, "parts.weigh(scores, ~mask)")
MISTAKES("""You take the future out after the softmax, so rows no longer sum to one, and the future
    still had its say in the denominator. Mask the scores, before the
    softmax.""").change("mask-after-softmax", WEIGH, "parts.masked_after(scores, mask)")
MISTAKES("""You set forbidden scores to 0, and 0 still gets weight, for exp(0) = 1. Set them to -inf
    before the softmax.""").change("scores-multiplied", WEIGH, "parts.weigh(scores * mask, None)")
MISTAKES("""Your softmax runs over the queries. Each query shares its attention among the keys: take
    the last axis.""").change("softmax-over-queries", WEIGH, "parts.weigh(scores, mask, -2)")
MISTAKES("""A query that may attend to nothing gets NaN. Set the weights of such a row to zero after
    the softmax.""").change(
    "nan-when-nothing-is-allowed", WEIGH, "parts.filled(scores, mask, -parts.INF)"
)
MISTAKES("""A query that may attend to nothing gets equal weights, because all its scores became the
    same large negative number. Its weights and its output have to be
    zero.""").change("uniform-when-nothing-is-allowed", WEIGH, "parts.filled(scores, mask, -1e9)")
constant_mistakes(MISTAKES)
MISTAKES("""Your mask is square. There may be more keys than queries, or fewer: it has one row for
    each query and one column for each key.""").change(
    "as-many-keys-as-queries",
    "causal_mask(query.shape[-2], key.shape[-2])",
    "causal_mask(query.shape[-2])",
)
only_three_axes(MISTAKES)
maximum_mistakes(MISTAKES)
MISTAKES("You return the output alone. Return the pair (output, weights).").change(
    "output-alone", "return weights @ value, weights", "return weights @ value"
)
MISTAKES("""Your numbers are right, but no gradient flows back. Stay with torch operations on the
    inputs themselves, without .detach().""").change(
    "detached",
    "return weights @ value, weights",
    "return (weights @ value).detach(), weights.detach()",
)


HINTS = (
    "It is scaled dot-product attention with your `causal_mask` of `query.shape[-2]` rows and "
    "`key.shape[-2]` columns.",
    "Fill the forbidden scores with -inf before the softmax. The mask has two axes and broadcasts "
    "over all leading ones.",
    "With more queries than keys the first rows are all -inf and become NaN. Fill the forbidden "
    "weights with 0 after the softmax.",
)
ATTENTION = task(MISTAKES, 4, case.all, HINTS)

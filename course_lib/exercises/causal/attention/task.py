"""The reference, the cases and the hints of `causal_attention`."""

import math

from course_lib.checker.tasks import Cases, Sampler
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_parts import qkv, with_gradients
from course_lib.exercises.causal.mask.task import causal_mask
from course_lib.exercises.common import HEADS, TOO_HIGH, ZERO_ALLOWED, single


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
case.example((single([[0]] * 2), single([[0]] * 3), single([[2], [4], [9]])), dtype="float32")
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
case.hidden(
    "a single query, a single key, or as many of both",
    lambda s: parts.lengths_in_turn(s, 2),
    perhaps=parts.LENGTHS,
)
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
case.hidden(
    "queries of zeros, and a future that weighs exactly 0",
    lambda s: (0 * (drawn := lengths(s, "more"))[0], *drawn[1:]),
    sizes=(2,),
    dtypes=("float64",),
    atol=0.0,
    perhaps=ZERO_ALLOWED,
)

HINTS = (
    "It is scaled dot-product attention with your `causal_mask` of `query.shape[-2]` rows and "
    "`key.shape[-2]` columns.",
    "Fill the forbidden scores with -inf before the softmax. The mask has two axes and broadcasts "
    "over all leading ones.",
    "With more queries than keys the first rows are all -inf and become NaN. Fill the forbidden "
    "weights with 0 after the softmax.",
)

"""The reference, the cases and the hints of `scaled_dot_product_attention`."""

import math

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.common import (
    HEADS,
    MASKED,
    ONE_KEY,
    OVERFLOW,
    PER_QUERY,
    STRETCHED,
    TOO_HIGH,
    ZERO_ALLOWED,
    single,
)


def scaled_dot_product_attention(query, key, value, mask=None):
    """Compare, scale, normalise, blend. The dot product of two vectors of d_k independent entries
    with variance 1 has variance d_k, so dividing by √d_k keeps the scores at one size, whatever the
    dimension. Everything acts on the last two axes, so batches and heads go through the same lines.
    Forbidden scores become -inf before the softmax; a row of nothing else becomes nan, and zeros
    are written over it.

    Cost: T·S·(d_k + d_v) multiplications for each batch element, and T·S weights in memory."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., T, S)
    weights = parts.weigh(scores, mask)
    output = weights @ value
    return output, weights


def masked(axes: str):
    """Draws inputs with a mask over the named axes; "1" stands for an axis of length one."""

    def draw(s: Sampler) -> Inputs:
        with_heads = "H" in axes or len(axes) in (2, 4)
        query, key, value = parts.ragged(s, 1 + with_heads)
        lengths = {"B": query.shape[0], "H": query.shape[1], "1": 1}
        lengths |= {"T": query.shape[-2], "S": key.shape[-2]}
        mask = s.mask(*(lengths[axis] for axis in axes))
        return Inputs((query, key, value, s.turn(mask, mask, mask | True)))

    return draw


BY_HEADS = (
    "Perhaps a mask of three axes is given a fourth. It lines up with the last axes of the scores "
    "by itself: with four axes its first is that of the heads."
)
case = Cases()
case.example(
    (single([[1] * 4]), single([[0] * 4, [math.log(3) / 2] * 4]), single([[4], [8]])),
    dtype="float32",
)
case("one sentence, no mask", parts.tiny)
case(
    "one sentence, with a mask",
    lambda s: (*parts.qkv(s, (1,), (2, 3, *s.dims(2))), s.mask(2, 3)),
    perhaps=MASKED,
)
case("a batch, each sentence with its own mask", masked("BTS"))
case("heads: four axes, a mask for each", masked("BHTS"), perhaps=HEADS)


@case("a query that may attend to nothing")
def nothing_allowed(s):
    query, key, value = parts.ragged(s)
    mask = s.mask(*query.shape[:-1], key.shape[-2])
    mask[:, 0] = False
    return parts.with_gradients(s, query, key, value, mask)


case("a forbidden score far above the others", parts.high_forbidden, perhaps=TOO_HIGH)
case.hidden(
    "allowed scores far below the forbidden ones",
    parts.low_allowed,
    dtypes=("float64",),
    perhaps=TOO_HIGH,
)
case.hidden("one mask row for all queries of a sentence", masked("B1S"), perhaps=STRETCHED)
case.hidden("one mask for all sentences and heads", masked("TS"), perhaps=STRETCHED)
case.hidden("one mask for all heads of a sentence", masked("B1TS"), perhaps=STRETCHED)
case.hidden(
    "a single query or a single key",
    lambda s: parts.qkv(s, (2,), [(1, 4, 3, 2), (3, 1, 2, 4), (1, 1, 2, 3)][s.size % 3]),
)


@case.hidden("a mask, and a single query, a single key or as many of both", perhaps=parts.LENGTHS)
def few_or_equal(s):
    query, key, value = parts.lengths_in_turn(s, 2)
    return query, key, value, s.mask(2, query.shape[-2], key.shape[-2])


case.hidden("five axes", lambda s: parts.ragged(s, 3), sizes=(1,), perhaps=HEADS)
case.hidden(
    "scores in the thousands stay finite",
    lambda s: parts.ragged(s, scale=60.0),
    dtypes=("float64",),
    perhaps=OVERFLOW,
)
case.hidden(
    "gradients reach queries, keys and values",
    lambda s: parts.with_gradients(s, *parts.ragged(s, axes=2)),
)
case.hidden(
    "a mask with a single column, or False everywhere",
    lambda s: parts.one_column(s) if s.size == 1 else parts.nothing(s),
    sizes=(1, 2),
    dtypes=("float64",),
)
case.hidden(
    "queries of zeros, and forbidden places that weigh exactly 0",
    parts.zero_queries,
    sizes=(2,),
    dtypes=("float64",),
    atol=0.0,
    perhaps=ZERO_ALLOWED,
)

case.hidden(
    "as many queries as sentences, and one mask for all sentences",
    lambda s, b, n, d, d_v: (*parts.qkv(s, (b,), (b, n, d, d_v)), s.mask(b, n)),
    sizes=(1, 2),
    perhaps=PER_QUERY,
)
case.hidden(
    "one mask for all sentences, of its own for each head",
    masked("HTS"),
    sizes=(1, 2),
    perhaps=BY_HEADS,
)
case.hidden(
    "a single key that some queries may not see",
    lambda s, b, t, d, d_v: (*parts.qkv(s, (b,), (t, 1, d, d_v)), np.arange(t)[:, None] % 2 == 0),
    sizes=(2,),
    perhaps=ONE_KEY,
)

HINTS = (
    "Four steps: compare each query with each key, scale, turn rows into weights, mix the values. "
    "Write the shape after each; only the last two axes take part.",
    "`query @ key.transpose(-2, -1)` makes all scores. Divide them by the square root of "
    "`query.shape[-1]`, and put -inf where the mask is False before the softmax over the last "
    "axis; `masked_fill` broadcasts the mask for you.",
    "A row of -inf becomes NaN in the softmax. After it, fill the forbidden places with 0: that "
    "changes nothing in the other rows and repairs those.",
)

"""Task `causal_attention`: no query sees what comes after it."""

from functools import partial

import torch

from course_lib.exercises.attention_parts import (
    INF,
    attention,
    filled,
    maximum_mistakes,
    qkv,
    scaling_mistakes,
    weigh,
    with_gradients,
)
from course_lib.exercises.causal.mask import causal_mask
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def causal_attention(query, key, value):
    mask = causal_mask(query.shape[-2], key.shape[-2]).to(query.device)
    return attention(query, key, value, mask)


def lengths(s: Sampler, keys: str, axes: int = 1, scale: float = 1.0) -> tuple:
    """query, key, value with `keys` ("more", "fewer", "equal") in number than queries."""
    few, many, d_k, d_v, *lead = s.dims(4 + axes)
    few, many = sorted((few, many))
    n_queries, n_keys = {"more": (few, many), "fewer": (many, few), "equal": (many, many)}[keys]
    return qkv(s, tuple(lead), (n_queries, n_keys, d_k, d_v), scale)


def tiny_square(s: Sampler) -> Inputs:
    return Inputs(qkv(s, (1,), (3, 3, *s.dims(2))))


def high_future(s: Sampler) -> Inputs:
    """The last key scores thousands above all others; only the last query may see it."""
    query, key, value = lengths(s, "equal")
    query[..., 0] = 1
    key[..., -1, 0] += 9000
    return Inputs((query, key, value))


def _mask(query, key, offset):
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    ones = torch.ones(n_queries, n_keys, dtype=torch.bool, device=query.device)
    return ones.tril(offset(n_queries, n_keys))


def _causal(query, key, value, *, offset=lambda t, s: s - t, **steps):
    return attention(query, key, value, _mask(query, key, offset), **steps)


def _upper(query, key, value):
    mask = causal_mask(query.shape[-2], key.shape[-2])
    return attention(query, key, value, ~mask)


def _square_only(query, key, value):
    length = query.shape[-2]
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~causal_mask(length), -INF), -1)
    return weights @ value, weights


def _three_axes(query, key, value):
    _batch, _n_queries, _d_k = query.shape
    return causal_attention(query, key, value)


def _then(pick):
    return lambda *args: pick(*causal_attention(*args))


def _wrong(name: str, sentence: str, **steps) -> Mistake:
    return Mistake(name, sentence, partial(_causal, **steps))


ATTENTION = Task(
    name="causal_attention",
    points=4,
    reference=causal_attention,
    idea=(
        "The mask of the task before and the attention of exercise 07; what is new is where "
        "they meet. The mask is made from the two lengths, and -inf goes in *before* the "
        "softmax, so that no forbidden score enters the sum. With more queries than keys the "
        "first rows may see nothing, and get zeros."
    ),
    cost=(
        "As attention without a mask; half of the scores of a square are computed for "
        "nothing, which a kernel can skip."
    ),
    cases=(
        Case("three words", tiny_square),
        Case("a batch, as many keys as queries", lambda s: Inputs(lengths(s, "equal"))),
        Case("more keys than queries", lambda s: Inputs(lengths(s, "more"))),
        Case("heads: four axes", lambda s: Inputs(lengths(s, "equal", axes=2))),
        Case(
            "more queries than keys: the first see nothing", lambda s: Inputs(lengths(s, "fewer"))
        ),
        Case("a score of the future far above the others", high_future),
        Case("heads, more keys than queries", lambda s: Inputs(lengths(s, "more", 2)), hidden=True),
        Case("no batch: two axes", lambda s: Inputs(lengths(s, "more", axes=0)), hidden=True),
        Case("gradients", lambda s: with_gradients(s, *lengths(s, "equal")), hidden=True),
        Case(
            "finite gradients where a query sees nothing",
            lambda s: with_gradients(s, *lengths(s, "fewer", axes=2)),
            hidden=True,
        ),
        Case(
            "scores in the thousands stay finite",
            lambda s: Inputs(lengths(s, "equal", scale=60.0)),
            hidden=True,
            dtypes=("float64",),
        ),
    ),
    mistakes=(
        *scaling_mistakes(_causal),
        _wrong(
            "aligned-top-left",
            "Your triangle starts at the first key. The last query stands beside the last key: "
            "with more keys than queries the first query already sees the older ones.",
            offset=lambda t, s: 0,
        ),
        _wrong(
            "top-left-when-queries-are-more",
            "With more queries than keys your first query sees the first key. The last query "
            "stands beside the last key; the surplus queries see nothing.",
            offset=lambda t, s: max(s - t, 0),
        ),
        _wrong(
            "strictly-before",
            "A query does not see its own position. It sees every position up to and including its "
            "own.",
            offset=lambda t, s: s - t - 1,
        ),
        Mistake(
            "strictly-before-and-nan",
            "A query does not see its own position, so the first row has nothing to attend to and "
            "becomes NaN. It sees every position up to and including its own.",
            partial(_causal, offset=lambda t, s: s - t - 1, by=filled(-INF)),
        ),
        Mistake(
            "strictly-before-and-uniform",
            "A query does not see its own position, so the first row has nothing to attend to and "
            "spreads over everything. It sees every position up to and including its own.",
            partial(_causal, offset=lambda t, s: s - t - 1, by=filled(-1e9)),
        ),
        _wrong(
            "one-too-far",
            "Every query sees one position of the future. The last position it may see is its own.",
            offset=lambda t, s: s - t + 1,
        ),
        Mistake(
            "not-causal",
            "Nothing hides the future: every query sees every key. Forbid the keys that come after "
            "it, before the softmax.",
            attention,
        ),
        Mistake(
            "sees-only-the-future",
            "Your mask is inverted: a query sees only what comes after it.",
            _upper,
        ),
        _wrong(
            "mask-after-softmax",
            "You take the future out after the softmax, so rows no longer sum to one, and the "
            "future still had its say in the denominator. Mask the scores, before the softmax.",
            by=lambda s, mask: weigh(s, None) * mask,
        ),
        _wrong(
            "scores-multiplied",
            "You set forbidden scores to 0, and 0 still gets weight, for exp(0) = 1. Set them to "
            "-inf before the softmax.",
            by=lambda s, mask: weigh(s * mask, None),
        ),
        _wrong(
            "softmax-over-queries",
            "Your softmax runs over the queries. Each query shares its attention among the keys: "
            "take the last axis.",
            by=partial(weigh, dim=-2),
        ),
        _wrong(
            "nan-when-nothing-is-allowed",
            "A query that may attend to nothing gets NaN. Set the weights of such a row to zero "
            "after the softmax.",
            by=filled(-INF),
        ),
        _wrong(
            "uniform-when-nothing-is-allowed",
            "A query that may attend to nothing gets equal weights, because all its scores became "
            "the same large negative number. Its weights and its output have to be zero.",
            by=filled(-1e9),
        ),
        Mistake(
            "as-many-keys-as-queries",
            "Your mask is square. There may be more keys than queries, or fewer: it has one row "
            "for each query and one column for each key.",
            _square_only,
        ),
        Mistake(
            "only-three-axes",
            "You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever "
            "stands before them alone.",
            _three_axes,
        ),
        *maximum_mistakes(_causal),
        Mistake(
            "output-alone",
            "You return the output alone. Return the pair (output, weights).",
            _then(lambda output, weights: output),
        ),
        Mistake(
            "detached",
            "Your numbers are right, but no gradient flows back. Stay with torch operations on the "
            "inputs themselves, without .detach().",
            _then(lambda output, weights: (output.detach(), weights.detach())),
        ),
    ),
    hints=(
        "It is scaled dot-product attention with your `causal_mask` of `query.shape[-2]` rows and "
        "`key.shape[-2]` columns.",
        "Fill the forbidden scores with -inf before the softmax. The mask has two axes and "
        "broadcasts over all leading ones.",
        "With more queries than keys the first rows are all -inf and become NaN. Fill the "
        "forbidden weights with 0 after the softmax.",
    ),
)

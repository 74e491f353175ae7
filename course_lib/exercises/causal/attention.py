"""Task `causal_attention`: no query sees what comes after it."""

from functools import partial

import torch

from course_lib.exercises.attention_mistakes import (
    constant_mistakes,
    keys_reversed,
    maximum_mistakes,
    only_three_axes,
    scaling_mistakes,
    third_axis,
)
from course_lib.exercises.attention_parts import (
    INF,
    attention,
    filled,
    qkv,
    weigh,
    with_gradients,
)
from course_lib.exercises.causal.mask import causal_mask, triangle
from course_lib.grading.tasks import Cases, Sampler, task


def causal_attention(query, key, value):
    """The mask of the task before and the attention of exercise 07; what is new is where they meet.
    The mask is made from the two lengths, and -inf goes in *before* the softmax, so that no
    forbidden score enters the sum. With more queries than keys the first rows may see nothing, and
    get zeros.

    Cost: As attention without a mask; half of the scores of a square are computed for nothing,
    which a kernel can skip."""
    mask = causal_mask(query.shape[-2], key.shape[-2]).to(query.device)
    return attention(query, key, value, mask)


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


def _causal(query, key, value, *, offset=lambda t, s: s - t, **steps):
    mask = triangle(query.shape[-2], key.shape[-2], offset=offset)
    return attention(query, key, value, mask, **steps)


class Mistakes:
    scaling = scaling_mistakes(_causal)
    third_axis = third_axis(_causal)
    keys_reversed = keys_reversed(causal_attention)

    def aligned_top_left(*args):
        """Your triangle starts at the first key. The last query stands beside the last key: with
        more keys than queries the first query already sees the older ones."""
        return _causal(*args, offset=lambda t, s: 0)

    def top_left_when_queries_are_more(*args):
        """With more queries than keys your first query sees the first key. The last query stands
        beside the last key; the surplus queries see nothing."""
        return _causal(*args, offset=lambda t, s: max(s - t, 0))

    def strictly_before(*args):
        """A query does not see its own position. It sees every position up to and including its
        own."""
        return _causal(*args, offset=lambda t, s: s - t - 1)

    def strictly_before_and_nan(*args):
        """A query does not see its own position, so the first row has nothing to attend to and
        becomes NaN. It sees every position up to and including its own."""
        return _causal(*args, offset=lambda t, s: s - t - 1, by=filled(-INF))

    def strictly_before_and_uniform(*args):
        """A query does not see its own position, so the first row has nothing to attend to and
        spreads over everything. It sees every position up to and including its own."""
        return _causal(*args, offset=lambda t, s: s - t - 1, by=filled(-1e9))

    def one_too_far(*args):
        """Every query sees one position of the future. The last position it may see is its own."""
        return _causal(*args, offset=lambda t, s: s - t + 1)

    def not_causal(*args):
        """Nothing hides the future: every query sees every key. Forbid the keys that come after it,
        before the softmax."""
        return attention(*args)

    def sees_only_the_future(query, key, value):
        """Your mask is inverted: a query sees only what comes after it."""
        mask = causal_mask(query.shape[-2], key.shape[-2])
        return attention(query, key, value, ~mask)

    def mask_after_softmax(*args):
        """You take the future out after the softmax, so rows no longer sum to one, and the future
        still had its say in the denominator. Mask the scores, before the softmax."""
        return _causal(*args, by=lambda s, mask: weigh(s, None) * mask)

    def scores_multiplied(*args):
        """You set forbidden scores to 0, and 0 still gets weight, for exp(0) = 1. Set them to -inf
        before the softmax."""
        return _causal(*args, by=lambda s, mask: weigh(s * mask, None))

    def softmax_over_queries(*args):
        """Your softmax runs over the queries. Each query shares its attention among the keys: take
        the last axis."""
        return _causal(*args, by=partial(weigh, dim=-2))

    def nan_when_nothing_is_allowed(*args):
        """A query that may attend to nothing gets NaN. Set the weights of such a row to zero after
        the softmax."""
        return _causal(*args, by=filled(-INF))

    def uniform_when_nothing_is_allowed(*args):
        """A query that may attend to nothing gets equal weights, because all its scores became the
        same large negative number. Its weights and its output have to be zero."""
        return _causal(*args, by=filled(-1e9))

    constant = constant_mistakes(_causal)

    def as_many_keys_as_queries(query, key, value):
        """Your mask is square. There may be more keys than queries, or fewer: it has one row for
        each query and one column for each key."""
        length = query.shape[-2]
        scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(~causal_mask(length), -INF), -1)
        return weights @ value, weights

    three_axes = only_three_axes(causal_attention)

    maximum = maximum_mistakes(_causal)

    def output_alone(*args):
        """You return the output alone. Return the pair (output, weights)."""
        return causal_attention(*args)[0]

    def detached(*args):
        """Your numbers are right, but no gradient flows back. Stay with torch operations on the
        inputs themselves, without .detach()."""
        return tuple(one.detach() for one in causal_attention(*args))


HINTS = (
    "It is scaled dot-product attention with your `causal_mask` of `query.shape[-2]` rows and "
    "`key.shape[-2]` columns.",
    "Fill the forbidden scores with -inf before the softmax. The mask has two axes and broadcasts "
    "over all leading ones.",
    "With more queries than keys the first rows are all -inf and become NaN. Fill the forbidden "
    "weights with 0 after the softmax.",
)
ATTENTION = task(causal_attention, 4, case.all, Mistakes, HINTS)

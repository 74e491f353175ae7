"""Task `grouped_query_attention`: several query heads share one head of keys and values."""

import math

import torch

from course_lib.checker.tasks import Cases, Mistakes, Sampler, task
from course_lib.exercises.attention_mistakes import scaling_mistakes
from course_lib.exercises.attention_parts import qkv, with_gradients
from course_lib.exercises.common import always_float64, detached, family, pair_mistakes
from course_lib.exercises.scaled_dot_product.attention import (
    scaled_dot_product_attention as attention,
)


def grouped_query_attention(query, key, value):
    """Keys and values are what a cache has to hold, so several query heads share them: head h uses
    group h // (H/G). Give each head its own copy of its group, and it is ordinary attention. The
    copies of one group stand side by side, which is `repeat_interleave`; `repeat` would deal the
    groups out in turn, which is another model.

    Cost: The multiplications of H full heads, and a cache of G/H the size; an axis of length one in
    place of the copies saves their memory, too."""
    share = query.shape[1] // key.shape[1]  # H / G query heads for each group
    key = key.repeat_interleave(share, dim=1)  # (B, H, S, d_k)
    value = value.repeat_interleave(share, dim=1)  # (B, H, S, d_v)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (B, H, T, S)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ value
    return output, weights


def heads(s: Sampler, groups: int, share: int, batch: int | None = None, scale=1.0) -> tuple:
    """query with `groups` · `share` heads, key and value with `groups`."""
    size, *lengths = s.dims(5)
    lead = (batch or size, groups)
    _query, key, value = qkv(s, lead, tuple(lengths), scale)
    query = s.floats(lead[0], groups * share, lengths[0], lengths[2], scale=scale)
    return query, key, value


def several(s: Sampler) -> tuple:
    return heads(s, *s.turn((2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 2)))


case = Cases()
case("six heads, two groups", lambda s: heads(s, 2, 3, batch=1))
case("more heads than groups", several)
case("one group for all heads", lambda s: heads(s, 1, 2 + s.size))
case("as many groups as heads", lambda s: heads(s, 3, 1))
case.hidden("six heads, three groups", lambda s: heads(s, 3, 2))
case.hidden("gradients", lambda s: with_gradients(s, *several(s)))
case.hidden(
    "scores in the thousands stay finite", lambda s: heads(s, 2, 2, scale=60.0), dtypes=("float64",)
)


MISTAKES = Mistakes(grouped_query_attention)
scaling_mistakes(MISTAKES)
MISTAKES.change(
    "tiled",
    "key.repeat_interleave(share, dim=1)",
    "key.repeat(1, share, 1, 1)",
    "value.repeat_interleave(share, dim=1)",
    "value.repeat(1, share, 1, 1)",
).says("""
    Your groups take turns: 0, 1, 0, 1. Neighbouring query heads share a group, 0, 0, 1, 1: repeat
    each head of keys in place (`repeat_interleave`), not the whole row.
""")
MISTAKES.change(
    "values-tiled", "value.repeat_interleave(share, dim=1)", "value.repeat(1, share, 1, 1)"
).says("""
    Keys are shared by neighbours, values in turns. A query head takes the values of the same group
    as its keys: repeat both in the same way.
""")
MISTAKES.change(
    "keys-tiled", "key.repeat_interleave(share, dim=1)", "key.repeat(1, share, 1, 1)"
).says("""
    Values are shared by neighbours, keys in turns. A query head takes the keys of the same group as
    its values: repeat both in the same way.
""")
MISTAKES.change(
    "groups-reversed", "key.repeat", "key.flip(1).repeat", "value.repeat", "value.flip(1).repeat"
).says("""
    Your first query heads use the last group. Head h uses group h // (H / G).
""")
MISTAKES.by(
    "divided-by-the-groups",
    MISTAKES.changed(
        "query.shape[1] // key.shape[1]",
        "torch.arange(query.shape[1]) // key.shape[1]",
        "key.repeat_interleave(share, dim=1)",
        "key[:, share]",
        "value.repeat_interleave(share, dim=1)",
        "value[:, share]",
    ),
).says("""
    You divide h by G. Divide it by H / G, the number of query heads that share a group.
""")
MISTAKES.change("repeated-g-times", "query.shape[1] // key.shape[1]", "key.shape[1]").says("""
    You repeat each head of keys G times. There are H / G query heads for each group: repeat it that
    often.
""")
MISTAKES.change("not-repeated", "query.shape[1] // key.shape[1]", "1").says("""
    H heads meet G heads, and torch cannot pair them unless G is 1 or H. Repeat each head of keys,
    and each of values, H / G times, or give the queries an axis for the group.
""")
MISTAKES.change(
    "positions-repeated",
    "key.repeat_interleave(share, dim=1)",
    "key.repeat_interleave(share, dim=-2)",
    "value.repeat_interleave(share, dim=1)",
    "value.repeat_interleave(share, dim=-2)",
).says("You repeat the positions. Repeat the heads: axis 1.")
MISTAKES.change(
    "first-group-for-all",
    "key.repeat_interleave(share, dim=1)",
    "key[:, :1]",
    "value.repeat_interleave(share, dim=1)",
    "value[:, :1]",
).says("""
    All your query heads use the first group. Head h uses group h // (H / G).
""")
MISTAKES.change(
    "groups-averaged",
    "key.repeat_interleave(share, dim=1)",
    "key.mean(1, keepdim=True)",
    "value.repeat_interleave(share, dim=1)",
    "value.mean(1, keepdim=True)",
).says("""
    You average the groups into one. Each group keeps its own keys and values; query head h uses
    group h // (H / G).
""")
MISTAKES.by(
    "queries-averaged", lambda q, k, v: attention(q.unflatten(1, (k.shape[1], -1)).mean(2), k, v)
).says("""
    You average the queries of a group. Only keys and values are shared: each of the H query heads
    keeps its own weights and its own output.
""")
MISTAKES.by(
    "one-query-head-a-group", lambda q, k, v: attention(q[:, :: q.shape[1] // k.shape[1]], k, v)
).says("""
    You use one query head of each group and leave the others out. All H of them attend: the output
    has H heads.
""")


@MISTAKES.says("""
    You return an axis for the group and one for the heads in it. Join them, group first: (B, H, T,
    d_v) and (B, H, T, S).
""")
def groups_apart(query, key, value):
    output, weights = grouped_query_attention(query, key, value)
    shape = (key.shape[1], query.shape[1] // key.shape[1])
    return output.unflatten(1, shape), weights.unflatten(1, shape)


ROOT = "math.sqrt(query.shape[-1])"
family(
    MISTAKES,
    """You divide by the root of d and the number of heads or of groups, or of the heads that share
    one. Each head has all d numbers, so it is √d: `math.sqrt(query.shape[-1])`.""",
    scaled_by_whole_share=(ROOT, "math.sqrt(query.shape[-1] // share)"),
    scaled_by_share=(ROOT, "math.sqrt(query.shape[-1] / share)"),
    scaled_by_times_share=(ROOT, "math.sqrt(query.shape[-1] * share)"),
    scaled_by_d_over_heads=(ROOT, "math.sqrt(query.shape[-1] / query.shape[1])"),
    scaled_by_d_times_heads=(ROOT, "math.sqrt(query.shape[-1] * query.shape[1])"),
)
MISTAKES.change("softmax-over-queries", "dim=-1", "dim=-2").says("""
    Your softmax runs over the queries. Each query shares its attention among the keys: take the
    last axis.
""")
family(
    MISTAKES,
    """Your softmax runs over the heads, or over the batch. Each query shares its attention among
    the keys: take the last axis.""",
    softmax_over_heads=("dim=-1", "dim=1"),
    softmax_over_the_batch=("dim=-1", "dim=0"),
)
family(
    MISTAKES,
    """You average the heads of a group, or add them up. Only keys and values are shared: each of
    the H query heads keeps its own query, weights and output.""",
    queries_averaged_and_repeated=(
        "query @ key",
        "query.unflatten(1, (-1, share)).mean(2).repeat_interleave(share, 1) @ key",
    ),
    outputs_averaged=(
        "output = weights @ value",
        "output = (weights @ value).unflatten(1, (-1, share)).mean(2)",
    ),
    outputs_added=(
        "output = weights @ value",
        "output = (weights @ value).unflatten(1, (-1, share)).sum(2)",
    ),
    weights_averaged=(
        "output = weights @ value",
        "output = weights @ value; weights = weights.unflatten(1, (-1, share)).mean(2)",
    ),
)
family(
    MISTAKES,
    """You hide what comes later. Nothing is said of order here: there is no mask, and every query
    sees every key.""",
    causal=(
        "weights = torch.softmax(scores, dim=-1)",
        "weights = torch.softmax("
        "scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf), dim=-1)",
    ),
)
family(
    MISTAKES,
    """You join the heads to one vector for each position. Here they stay apart: (B, H, T,
    d_v).""",
    heads_joined=(
        "output = weights @ value",
        "output = (weights @ value).transpose(1, 2).flatten(2)",
    ),
)
MISTAKES.change(
    "overflow", "torch.softmax(scores, dim=-1)", "scores.exp() / scores.exp().sum(-1, True)"
).says("""
    Your exp overflows for large scores. Take the largest score of each row away first, or use
    torch.softmax, which does so.
""")
pair_mistakes(MISTAKES, "output", "weights")
detached(MISTAKES)
always_float64(MISTAKES)


HINTS = (
    "With G = H this is attention as you know it. Which head of keys belongs to which head of "
    "queries when G is smaller? Write the list for H = 6, G = 2.",
    "Give every query head its own copy of its group's keys and values: copies of one head stand "
    "side by side. `torch.repeat_interleave` makes them, along the axis of the heads.",
    "`key = key.repeat_interleave(query.shape[1] // key.shape[1], dim=1)`, the same for `value`; "
    "then scores, divided by √d, softmax over the last axis, times `value`.",
)
GROUPED = task(MISTAKES, 4, case.all, HINTS, returns=("output", "weights"))

"""The reference, the cases and the hints of `grouped_query_attention`."""

import math

import torch

from course_lib.checker.tasks import Cases, Sampler
from course_lib.exercises.attention_parts import (
    LENGTHS,
    lengths_in_turn,
    qkv,
    with_gradients,
)
from course_lib.exercises.common import single


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


def few_or_equal(s: Sampler) -> tuple:
    """Four heads in two groups: one query, one key, or as many of both."""
    query, key, value = lengths_in_turn(s, 1, 2)
    return s.floats(1, 4, *query.shape[2:]), key, value


def several(s: Sampler) -> tuple:
    return heads(s, *s.turn((2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 2)))


case = Cases()
LN3 = math.log(3)
case.example(
    (
        single([1, 0, -1, 1, 0, -1]).reshape(1, 6, 1, 1),
        single([[0, LN3], [LN3, 0]]).reshape(1, 2, 2, 1),
        single([[4, 8], [10, 20]]).reshape(1, 2, 2, 1),
    ),
    dtype="float32",
)
case("six heads, two groups", lambda s: heads(s, 2, 3, batch=1))
case("more heads than groups", several)
case("one group for all heads", lambda s: heads(s, 1, 2 + s.size))
case("as many groups as heads", lambda s: heads(s, 3, 1))
case.hidden("six heads, three groups", lambda s: heads(s, 3, 2))
case.hidden("a single query, a single key, or as many of both", few_or_equal, perhaps=LENGTHS)
case.hidden("gradients", lambda s: with_gradients(s, *several(s)))
case.hidden(
    "scores in the thousands stay finite", lambda s: heads(s, 2, 2, scale=60.0), dtypes=("float64",)
)

HINTS = (
    "With G = H this is attention as you know it. Which head of keys belongs to which head of "
    "queries when G is smaller? Write the list for H = 6, G = 2.",
    "Give every query head its own copy of its group's keys and values: copies of one head stand "
    "side by side. `torch.repeat_interleave` makes them, along the axis of the heads.",
    "`key = key.repeat_interleave(query.shape[1] // key.shape[1], dim=1)`, the same for `value`; "
    "then scores, divided by √d, softmax over the last axis, times `value`.",
)

"""Task `attend_with_cache`: new positions join the old ones and attend to them all."""

import math

import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_mistakes import WEIGH, constant_mistakes, score_mistakes
from course_lib.exercises.attention_parts import qkv
from course_lib.exercises.causal.cache_slips import cache_slips
from course_lib.exercises.causal.mask import MISTAKES as MASKS
from course_lib.exercises.causal.mask import causal_mask
from course_lib.exercises.common import HEADS, TOO_HIGH, called_wrongly


def attend_with_cache(query, key, value, cache):
    """A key and a value are made from their own position, so what was computed once stays right and
    can be kept. Append the new ones at the end, and attend with T queries to P + T keys; a mask
    that is aligned at the last position already does the right thing.

    Cost: T·(P + T)·(d_k + d_v) multiplications in place of (P + T)²·(d_k + d_v); `cat` copies the
    cache at each step, which a cache that is allocated once avoids."""
    if cache is not None:
        key = torch.cat([cache[0], key], dim=-2)  # (..., P + T, d_k)
        value = torch.cat([cache[1], value], dim=-2)  # (..., P + T, d_v)
    mask = causal_mask(query.shape[-2], key.shape[-2]).to(query.device)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., T, P + T)
    weights = parts.weigh(scores, mask)
    return weights @ value, (key, value)


def inputs(s: Sampler, new=None, past=None, axes=1, scale=1.0) -> Inputs:
    """`new` positions after `past` cached ones (0: no cache); not given: any, all different."""
    n_new, n_past, d_k, d_v, *lead = s.dims(4 + axes)
    n_new = n_new if new is None else new
    n_past = n_past if past is None else past
    args = qkv(s, tuple(lead), (n_new, n_new, d_k, d_v), scale)
    _query, *cache = qkv(s, tuple(lead), (1, n_past, d_k, d_v), scale)
    return Inputs((*args, tuple(cache) if n_past else None))


case = Cases()


@case("a small cache")
def tiny(s):
    n_new, n_past = s.dims(2, low=1)
    args = qkv(s, (1,), (n_new, n_new, 2, 3))
    _query, *cache = qkv(s, (1,), (1, n_past, 2, 3))
    return *args, tuple(cache)


case("no cache yet", lambda s: inputs(s, past=0))
case("one new position", lambda s: inputs(s, new=1))
case("several new positions", inputs)
case.hidden("several new positions, with heads", lambda s: inputs(s, axes=2), perhaps=HEADS)
case.hidden("one new position, with heads", lambda s: inputs(s, new=1, axes=2), perhaps=HEADS)
case.hidden("no cache yet, with heads", lambda s: inputs(s, past=0, axes=2), perhaps=HEADS)
case.hidden("more new positions than old ones", lambda s: inputs(s, 3, 1))
case.hidden("no batch: two axes", lambda s: inputs(s, axes=0), perhaps=HEADS)


@case.hidden("scores far below zero", dtypes=("float64",), perhaps=TOO_HIGH)
def low(s):
    """All scores are far below any constant that one thinks low."""
    drawn = inputs(s)
    query, key, _value, (keys, _values) = drawn.args
    query[..., 0] = 1
    key[..., 0] -= 1e6
    keys[..., 0] -= 1e6
    return drawn


def _past(n_queries, n_keys):
    seen = torch.arange(n_keys) < max(n_keys - n_queries, 1)
    return causal_mask(n_queries, n_keys) & seen


GIVES = "return weights @ value, (key, value)"
MISTAKES = Mistakes(attend_with_cache)
score_mistakes(MISTAKES)
MISTAKES.change("cache-not-used", "cache is not None", "False").says("""
    The new queries see only the new keys. Join the cached keys and values in front of the new ones,
    and attend to all.
""")
MISTAKES.by(
    "cache-not-attended",
    lambda q, k, v, cache: (
        attend_with_cache(q, k, v, None)[0],
        attend_with_cache(q, k, v, cache)[1],
    ),
).says("""
    Your cache grows, but the queries see only the new keys. Attend to the joined keys and values.
""")
MISTAKES.change("not-appended", GIVES, "return weights @ value, cache or (key, value)").says("""
    You return the old cache. Return the joined keys and values, or the next step will not know
    these positions.
""")
MISTAKES.by(
    "only-the-new", lambda q, k, v, cache: (attend_with_cache(q, k, v, cache)[0], (k, v))
).says("""
    You return only the new keys and values. Return all of them, the old ones first.
""")
MISTAKES.change(
    "prepended", "[cache[0], key]", "[key, cache[0]]", "[cache[1], value]", "[value, cache[1]]"
).says("""
    You put the new positions before the old ones. Time runs forward: append them at the end.
""")
MISTAKES.change(
    "masked-at-first-alone", WEIGH, "parts.weigh(scores, mask if cache is None else None)"
).says("""
    You mask at the first step alone. Of several new positions none may see those after it, with a
    cache either.
""")
sentence = """
    You join what does not fit. Old keys go before new keys and old values before new values, along
    axis -2, the positions, however many axes stand before it.
"""
MISTAKES.change(
    "wrong-axis", "key], dim=-2", "key], dim=-1", "value], dim=-2", "value], dim=-1"
).says(sentence)
MISTAKES.change(
    "second-axis", "key], dim=-2", "key], dim=1", "value], dim=-2", "value], dim=1"
).says(sentence)
MISTAKES.change(
    "first-axis", "key], dim=-2", "key], dim=0", "value], dim=-2", "value], dim=0"
).says(sentence)
MISTAKES.change("values-not-joined", "torch.cat([cache[1], value], dim=-2)", "value").says("""
    You join the keys and not the values, so there are more weights than values. Put the old values
    before the new ones, as the old keys.
""")
MISTAKES.change("keys-not-joined", "torch.cat([cache[0], key], dim=-2)", "key").says("""
    You join the values and not the keys, so there are fewer weights than values. Put the old keys
    before the new ones, as the old values.
""")
MISTAKES.change("offset-ignored", "causal_mask(", "MASKS['aligned-top-left'](").says("""
    Your mask ignores the cached positions: its triangle starts at the first key, as that of torch's
    `is_causal` does. New query t sees P + t + 1 keys, all P old ones among them; if your
    `causal_mask` makes the mask, repair it there.
""")
MISTAKES.change("not-causal", WEIGH, "parts.weigh(scores, None)").says("""
    New positions see each other's future. Among themselves they are causal: forbid the keys that
    come after each.
""")
called_wrongly(MISTAKES, MASKS, "strictly-before")
MISTAKES.change(
    "strictly-before-and-nan",
    "causal_mask(",
    "MASKS['strictly-before'](",
    WEIGH,
    "parts.filled(scores, mask, -parts.INF)",
).says("""
    A new position does not see itself; the very first one then has nothing to attend to and becomes
    NaN. It sees every position up to and including its own.
""")
MISTAKES.change("only-the-past", "causal_mask(", "_past(").says("""
    The new positions do not see each other. Among themselves they are causal: query t sees the new
    keys up to its own.
""")
MISTAKES.change("values-before-keys", GIVES, "return weights @ value, (value, key)").says("""
    You return (values, keys). The order is (keys, values), as in the cache you are given.
""")
constant_mistakes(MISTAKES)
MISTAKES.change("cache-first", GIVES, "return (key, value), weights @ value").says("""
    You return the cache first. The order is (output, (keys, values)).
""")
MISTAKES.change("list", GIVES, "return weights @ value, [key, value]").says("""
    You return keys and values in a list. Return a tuple, (output, (keys, values)).
""")
MISTAKES.change("flat", GIVES, "return weights @ value, key, value").says("""
    You return three things in a row. Return two: the output, and the pair (keys, values).
""")
MISTAKES.change("weights-too", GIVES, "return weights @ value, weights, (key, value)").says("""
    You return the weights as well. Return two things: the output, and the pair (keys, values).
""")
MISTAKES.change("output-alone", GIVES, "return weights @ value").says("""
    You return the output alone. Return the pair (output, (keys, values)): the next step needs the
    new cache.
""")


@MISTAKES.says("""
    You write into the cache you were given; it belongs to the caller, who may want to go on from it
    twice. Join old and new into fresh tensors.
""")
def cache_changed(query, key, value, cache):
    output, (keys, values) = attend_with_cache(query, key, value, cache)
    if cache is not None:
        cache[0].data, cache[1].data = keys, values
    return output, (keys, values)


MISTAKES.change("cache-needed", "cache is not None", "True").says("""
    At the first step there is no cache: it is None. Then the new keys and values are all there is.
""")
cache_slips(MISTAKES)


HINTS = (
    "What of the old positions do you still need, and what can be forgotten? In which order do "
    "old and new ones stand?",
    "Join first, attend afterwards: `torch.cat([old, new], dim=-2)`, for keys and for values. "
    "Then there are P + T keys and T queries, and the last query stands beside the last key: your "
    "causal_attention handles that.",
    "Return `(output, (keys, values))` with the joined keys and values, in a tuple.",
)
CACHE = task(MISTAKES, 3, case.all, HINTS, returns=("output", "cache"))

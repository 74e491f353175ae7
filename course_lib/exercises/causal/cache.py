"""Task `attend_with_cache`: new positions join the old ones and attend to them all."""

from functools import partial

import torch

from course_lib.exercises.attention_mistakes import (
    constant_mistakes,
    keys_reversed,
    scaling_mistakes,
    third_axis,
)
from course_lib.exercises.attention_parts import attention, filled, qkv
from course_lib.exercises.causal.mask import causal_mask, triangle
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


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
    output, _weights = attention(query, key, value, mask)
    return output, (key, value)


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
case.hidden("several new positions, with heads", lambda s: inputs(s, axes=2))
case.hidden("one new position, with heads", lambda s: inputs(s, new=1, axes=2))
case.hidden("no cache yet, with heads", lambda s: inputs(s, past=0, axes=2))
case.hidden("more new positions than old ones", lambda s: inputs(s, 3, 1))
case.hidden("no batch: two axes", lambda s: inputs(s, axes=0))


@case.hidden("scores far below zero", dtypes=("float64",))
def low(s):
    """All scores are far below any constant that one thinks low."""
    drawn = inputs(s)
    query, key, _value, (keys, _values) = drawn.args
    query[..., 0] = 1
    key[..., 0] -= 1e6
    keys[..., 0] -= 1e6
    return drawn


def _join(query, key, value, cache, axis=-2):
    if cache is None:
        return key, value
    return torch.cat([cache[0], key], axis), torch.cat([cache[1], value], axis)


def _mask(query, keys, offset=lambda t, s: s - t):
    return triangle(query.shape[-2], keys.shape[-2], offset=offset)


def _cached(query, key, value, cache, *, join=_join, mask=_mask, give=None, **steps):
    """The reference with one step exchanged."""
    keys, values = join(query, key, value, cache)
    output, _weights = attention(query, keys, values, mask(query, keys), **steps)
    return output, (give(key, value, keys, values, cache) if give else (keys, values))


def _prepended(query, key, value, cache):
    if cache is None:
        return key, value
    return torch.cat([key, cache[0]], -2), torch.cat([value, cache[1]], -2)


REVERSED = keys_reversed(attention)


class Mistakes:
    scaling = scaling_mistakes(_cached)
    third_axis = third_axis(_cached)

    def keys_reversed(query, key, value, cache):
        """`.T` turns all axes of the keys round, not only the last two. Swap those two, and leave
        whatever stands before them: `keys.transpose(-2, -1)`."""
        keys, values = _join(query, key, value, cache)
        output, _weights = REVERSED.answer(query, keys, values, _mask(query, keys))
        return output, (keys, values)

    def cache_not_used(*args):
        """The new queries see only the new keys. Join the cached keys and values in front of the
        new ones, and attend to all."""
        return _cached(*args, join=lambda q, k, v, cache: (k, v))

    def cache_not_attended(*args):
        """Your cache grows, but the queries see only the new keys. Attend to the joined keys and
        values."""
        return _cached(
            *args,
            join=lambda q, k, v, cache: (k, v),
            give=lambda k, v, keys, values, cache: _join(None, k, v, cache),
        )

    def not_appended(*args):
        """You return the old cache. Return the joined keys and values, or the next step will not
        know these positions."""
        return _cached(*args, give=lambda k, v, keys, values, cache: cache or (k, v))

    def only_the_new(*args):
        """You return only the new keys and values. Return all of them, the old ones first."""
        return _cached(*args, give=lambda k, v, keys, values, cache: (k, v))

    def prepended(*args):
        """You put the new positions before the old ones. Time runs forward: append them at the
        end."""
        return _cached(*args, join=_prepended)

    def wrong_axis(*args):
        """You join old and new along the wrong axis. Positions are the axis before the last, -2,
        however many axes stand before it."""
        return _cached(*args, join=partial(_join, axis=-1))

    def second_axis(*args):
        """You join old and new along the wrong axis. Positions are the axis before the last, -2,
        however many axes stand before it."""
        return _cached(*args, join=partial(_join, axis=1))

    def first_axis(*args):
        """You join old and new along the wrong axis. Positions are the axis before the last, -2,
        however many axes stand before it."""
        return _cached(*args, join=partial(_join, axis=0))

    def offset_ignored(*args):
        """Your mask ignores the cached positions: its triangle starts at the first key. New query t
        sees all P old keys and the new ones up to its own, P + t + 1 in all."""
        return _cached(*args, mask=partial(_mask, offset=lambda t, s: 0))

    def not_causal(*args):
        """New positions see each other's future. Among themselves they are causal: forbid the keys
        that come after each."""
        return _cached(*args, mask=lambda query, keys: None)

    def strictly_before(*args):
        """A new position does not see itself. It sees every position up to and including its
        own."""
        return _cached(*args, mask=partial(_mask, offset=lambda t, s: s - t - 1))

    def strictly_before_and_nan(*args):
        """A new position does not see itself; the very first one then has nothing to attend to and
        becomes NaN. It sees every position up to and including its own."""
        return _cached(
            *args, mask=partial(_mask, offset=lambda t, s: s - t - 1), by=filled(float("-inf"))
        )

    def only_the_past(*args):
        """The new positions do not see each other. Among themselves they are causal: query t sees
        the new keys up to its own."""
        return _cached(
            *args,
            mask=lambda q, keys: _mask(q, keys, lambda t, s: s - t).logical_and(
                torch.arange(keys.shape[-2]) < max(keys.shape[-2] - q.shape[-2], 1)
            ),
        )

    def values_before_keys(*args):
        """You return (values, keys). The order is (keys, values), as in the cache you are given."""
        return _cached(*args, give=lambda k, v, keys, values, cache: (values, keys))

    constant = constant_mistakes(_cached)

    def cache_first(*args):
        """You return the cache first. The order is (output, (keys, values))."""
        return attend_with_cache(*args)[::-1]

    def list(*args):
        """You return keys and values in a list. Return a tuple, (output, (keys, values))."""
        return _cached(*args, give=lambda k, v, keys, values, cache: [keys, values])

    def flat(query, key, value, cache):
        """You return three things in a row. Return two: the output, and the pair (keys, values)."""
        output, (keys, values) = attend_with_cache(query, key, value, cache)
        return output, keys, values

    def weights_too(query, key, value, cache):
        """You return the weights as well. Return two things: the output, and the pair (keys,
        values)."""
        keys, values = _join(query, key, value, cache)
        output, weights = attention(query, keys, values, _mask(query, keys))
        return output, weights, (keys, values)

    def output_alone(q, k, v, cache):
        """You return the output alone. Return the pair (output, (keys, values)): the next step
        needs the new cache."""
        return attend_with_cache(q, k, v, cache)[0]

    def cache_changed(query, key, value, cache):
        """You write into the cache you were given; it belongs to the caller, who may want to go on
        from it twice. Join old and new into fresh tensors."""
        output, (keys, values) = attend_with_cache(query, key, value, cache)
        if cache is not None:
            cache[0].data, cache[1].data = keys, values
        return output, (keys, values)

    def cache_needed(query, key, value, cache):
        """At the first step there is no cache: it is None. Then the new keys and values are all
        there is."""
        old_keys, old_values = cache
        return attend_with_cache(query, key, value, (old_keys, old_values))


HINTS = (
    "What of the old positions do you still need, and what can be forgotten? In which order do "
    "old and new ones stand?",
    "Join first, attend afterwards: `torch.cat([old, new], dim=-2)`, for keys and for values. "
    "Then there are P + T keys and T queries, and the last query stands beside the last key: your "
    "causal_attention handles that.",
    "Return `(output, (keys, values))` with the joined keys and values, in a tuple.",
)
CACHE = task(attend_with_cache, 4, case.all, Mistakes, HINTS)

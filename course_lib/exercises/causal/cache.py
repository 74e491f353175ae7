"""Task `attend_with_cache`: new positions join the old ones and attend to them all."""

from functools import partial

import torch

from course_lib.exercises.attention_parts import attention, filled, qkv, scaling_mistakes
from course_lib.exercises.causal.mask import causal_mask
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def attend_with_cache(query, key, value, cache):
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


def tiny(s: Sampler) -> Inputs:
    n_new, n_past = s.dims(2, low=1)
    args = qkv(s, (1,), (n_new, n_new, 2, 3))
    _query, *cache = qkv(s, (1,), (1, n_past, 2, 3))
    return Inputs((*args, tuple(cache)))


def _join(query, key, value, cache, axis=-2):
    if cache is None:
        return key, value
    return torch.cat([cache[0], key], axis), torch.cat([cache[1], value], axis)


def _mask(query, keys, offset=lambda t, s: s - t):
    t, s = query.shape[-2], keys.shape[-2]
    return torch.ones(t, s, dtype=torch.bool).tril(offset(t, s))


def _cached(query, key, value, cache, *, join=_join, mask=_mask, give=None, **steps):
    """The reference with one step exchanged."""
    keys, values = join(query, key, value, cache)
    output, _weights = attention(query, keys, values, mask(query, keys), **steps)
    return output, (give(key, value, keys, values, cache) if give else (keys, values))


def _wrong(name: str, sentence: str, **steps) -> Mistake:
    return Mistake(name, sentence, partial(_cached, **steps))


def _prepended(query, key, value, cache):
    if cache is None:
        return key, value
    return torch.cat([key, cache[0]], -2), torch.cat([value, cache[1]], -2)


def _in_place(query, key, value, cache):
    output, (keys, values) = attend_with_cache(query, key, value, cache)
    if cache is not None:
        cache[0].data, cache[1].data = keys, values
    return output, (keys, values)


def _cache_needed(query, key, value, cache):
    old_keys, old_values = cache
    return attend_with_cache(query, key, value, (old_keys, old_values))


def _weights_too(query, key, value, cache):
    keys, values = _join(query, key, value, cache)
    output, weights = attention(query, keys, values, _mask(query, keys))
    return output, weights, (keys, values)


def _flat(query, key, value, cache):
    output, (keys, values) = attend_with_cache(query, key, value, cache)
    return output, keys, values


def _old(key, value, keys, values, cache):
    return (key, value) if cache is None else cache


AXIS = (
    "You join old and new along the wrong axis. Positions are the axis before the last, -2, "
    "however many axes stand before it."
)
CACHE = Task(
    name="attend_with_cache",
    points=4,
    reference=attend_with_cache,
    idea=(
        "A key and a value are made from their own position, so what was computed once stays "
        "right and can be kept. Append the new ones at the end, and attend with T queries to "
        "P + T keys; a mask that is aligned at the last position already does the right "
        "thing."
    ),
    cost=(
        "T·(P + T)·(d_k + d_v) multiplications in place of (P + T)²·(d_k + d_v); `cat` copies "
        "the cache at each step, which a cache that is allocated once avoids."
    ),
    cases=(
        Case("a small cache", tiny),
        Case("no cache yet", lambda s: inputs(s, past=0)),
        Case("one new position", lambda s: inputs(s, new=1)),
        Case("several new positions", inputs),
        Case("several new positions, with heads", lambda s: inputs(s, axes=2), hidden=True),
        Case("one new position, with heads", lambda s: inputs(s, new=1, axes=2), hidden=True),
        Case("no cache yet, with heads", lambda s: inputs(s, past=0, axes=2), hidden=True),
        Case("more new positions than old ones", lambda s: inputs(s, 3, 1), hidden=True),
        Case("no batch: two axes", lambda s: inputs(s, axes=0), hidden=True),
    ),
    mistakes=(
        *scaling_mistakes(_cached),
        _wrong(
            "cache-not-used",
            "The new queries see only the new keys. Join the cached keys and values in front of "
            "the new ones, and attend to all.",
            join=lambda q, k, v, cache: (k, v),
        ),
        _wrong(
            "cache-not-attended",
            "Your cache grows, but the queries see only the new keys. Attend to the joined keys "
            "and values.",
            join=lambda q, k, v, cache: (k, v),
            give=lambda k, v, keys, values, cache: _join(None, k, v, cache),
        ),
        _wrong(
            "not-appended",
            "You return the old cache. Return the joined keys and values, or the next step will "
            "not know these positions.",
            give=_old,
        ),
        _wrong(
            "only-the-new",
            "You return only the new keys and values. Return all of them, the old ones first.",
            give=lambda k, v, keys, values, cache: (k, v),
        ),
        _wrong(
            "prepended",
            "You put the new positions before the old ones. Time runs forward: append them at the "
            "end.",
            join=_prepended,
        ),
        _wrong("wrong-axis", AXIS, join=partial(_join, axis=-1)),
        _wrong("second-axis", AXIS, join=partial(_join, axis=1)),
        _wrong("first-axis", AXIS, join=partial(_join, axis=0)),
        _wrong(
            "offset-ignored",
            "Your mask ignores the cached positions: its triangle starts at the first key. New "
            "query t sees all P old keys and the new ones up to its own, P + t + 1 in all.",
            mask=partial(_mask, offset=lambda t, s: 0),
        ),
        _wrong(
            "not-causal",
            "New positions see each other's future. Among themselves they are causal: forbid the "
            "keys that come after each.",
            mask=lambda query, keys: None,
        ),
        _wrong(
            "strictly-before",
            "A new position does not see itself. It sees every position up to and including its "
            "own.",
            mask=partial(_mask, offset=lambda t, s: s - t - 1),
        ),
        _wrong(
            "strictly-before-and-nan",
            "A new position does not see itself; the very first one then has nothing to attend to "
            "and becomes NaN. It sees every position up to and including its own.",
            mask=partial(_mask, offset=lambda t, s: s - t - 1),
            by=filled(float("-inf")),
        ),
        _wrong(
            "only-the-past",
            "The new positions do not see each other. Among themselves they are causal: query t "
            "sees the new keys up to its own.",
            mask=lambda q, keys: _mask(q, keys, lambda t, s: s - t).logical_and(
                torch.arange(keys.shape[-2]) < max(keys.shape[-2] - q.shape[-2], 1)
            ),
        ),
        _wrong(
            "values-before-keys",
            "You return (values, keys). The order is (keys, values), as in the cache you are "
            "given.",
            give=lambda k, v, keys, values, cache: (values, keys),
        ),
        _wrong(
            "list",
            "You return keys and values in a list. Return a tuple, (output, (keys, values)).",
            give=lambda k, v, keys, values, cache: [keys, values],
        ),
        Mistake(
            "flat",
            "You return three things in a row. Return two: the output, and the pair (keys, "
            "values).",
            _flat,
        ),
        Mistake(
            "weights-too",
            "You return the weights as well. Return two things: the output, and the pair "
            "(keys, values).",
            _weights_too,
        ),
        Mistake(
            "output-alone",
            "You return the output alone. Return the pair (output, (keys, values)): the next step "
            "needs the new cache.",
            lambda q, k, v, cache: attend_with_cache(q, k, v, cache)[0],
        ),
        Mistake(
            "cache-changed",
            "You write into the cache you were given; it belongs to the caller, who may want to go "
            "on from it twice. Join old and new into fresh tensors.",
            _in_place,
        ),
        Mistake(
            "cache-needed",
            "At the first step there is no cache: it is None. Then the new keys and values are all "
            "there is.",
            _cache_needed,
        ),
    ),
    hints=(
        "What of the old positions do you still need, and what can be forgotten? In which order "
        "do old and new ones stand?",
        "Join first, attend afterwards: `torch.cat([old, new], dim=-2)`, for keys and for "
        "values. Then there are P + T keys and T queries, and the last query stands beside the "
        "last key: your causal_attention handles that.",
        "Return `(output, (keys, values))` with the joined keys and values, in a tuple.",
    ),
)

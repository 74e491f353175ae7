"""The reference, the cases and the hints of `attend_with_cache`."""

import math

import torch

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_parts import qkv
from course_lib.exercises.causal.mask.task import causal_mask
from course_lib.exercises.common import HEADS, TOO_HIGH, single


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
ZERO, TWO, FOUR = single([[0]]), single([[2]]), single([[4]])
case.example(
    (ZERO, ZERO, TWO, None),
    (ZERO, ZERO, FOUR, (ZERO, TWO)),
    dtype="float32",
    perhaps="Perhaps a cache of zeros counts as none. Ask `if cache is not None:`.",
)


@case("a small cache")
def tiny(s):
    n_new, n_past = s.dims(2, low=1)
    args = qkv(s, (1,), (n_new, n_new, 2, 3))
    _query, *cache = qkv(s, (1,), (1, n_past, 2, 3))
    return *args, tuple(cache)


case("no cache yet", lambda s: inputs(s, past=0))
case("one new position", lambda s: inputs(s, new=1, past=120 if s.size == 4 else None))
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


HINTS = (
    "What of the old positions do you still need, and what can be forgotten? In which order do "
    "old and new ones stand?",
    "Join first, attend afterwards: `torch.cat([old, new], dim=-2)`, for keys and for values. "
    "Then there are P + T keys and T queries, and the last query stands beside the last key: your "
    "causal_attention handles that.",
    "Return `(output, (keys, values))` with the joined keys and values, in a tuple.",
)

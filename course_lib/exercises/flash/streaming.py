"""Task `streaming_attention`: keys come in blocks, and the softmax is mended as they come."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler, task
from course_lib.exercises.attention_parts import qkv
from course_lib.exercises.flash.streaming_mistakes import MISTAKES


def inputs(s: Sampler, blocks: str, axes: int = 1, scale: float = 1.0) -> Inputs:
    """`blocks`: "ragged" (the last is shorter), "even", "ones", "whole" or "too large"."""
    d_k, d_v, n_queries, block_size, *lead = s.dims(4 + axes)
    count = 1 + s.size
    n_keys, block_size = {
        "ragged": (count * block_size + int(s.rng.integers(1, block_size)), block_size),
        "even": (count * block_size, block_size),
        "ones": (count + 2, 1),
        "whole": (block_size + 1, block_size + 1),
        "too large": (block_size, block_size + count),
    }[blocks]
    return Inputs((*qkv(s, tuple(lead), (n_queries, n_keys, d_k, d_v), scale), block_size))


case = Cases()
case("five keys in blocks of two", lambda s: (*qkv(s, (1,), (2, 5, 2, 2)), 2))
case("blocks of equal length", lambda s: inputs(s, "even"))
case("a shorter last block", lambda s: inputs(s, "ragged"))
case("blocks of one key", lambda s: inputs(s, "ones"))
case("heads: four axes", lambda s: inputs(s, "ragged", axes=2))


@case("no tensor is as large as T × S", sizes=(1, 4), dtypes=("float64",))
def watched(s):
    """Blocks of one key, or of many: a tensor of T × S numbers is far larger than all others, and
    what is large may be a block, or what is kept of each."""
    n_queries, n_keys = 32, 256
    arrays = qkv(s, (1,), (n_queries, n_keys, 2, 3))
    return Inputs((*arrays, {1: 1, 4: 16}[s.size]), largest=n_queries * n_keys // 2)


@case("the gradient reaches query, key and value")
def learning(s):
    query, key, value, block_size = inputs(s, "ragged").args
    upstream = s.floats(*query.shape[:-1], value.shape[-1])
    return Inputs((query, key, value, block_size), upstream=(upstream,))


case.hidden("one block holds all keys", lambda s: inputs(s, "whole"))
case.hidden("a block larger than all keys", lambda s: inputs(s, "too large"))
case.hidden("no batch: two axes", lambda s: inputs(s, "ragged", axes=0))


@case.hidden("scores that rise from block to block", dtypes=("float64",))
def rising(s):
    """Each block's scores are far above those of the block before."""
    query, key, value = qkv(s, (2,), (3, 7, 2, 4))
    heights = np.arange(7)[:, None] * 600
    return abs(query) + 1, (abs(key) + heights).astype(s.dtype), value, 2


@case.hidden("scores far below zero", dtypes=("float64",))
def low(s):
    """Every score is far below zero."""
    query, key, value = qkv(s, (2,), (3, 7, 2, 4))
    return abs(query) + 1, -abs(key) - 900, value, 3


case.hidden(
    "rows of very different height", lambda s: inputs(s, "ragged", scale=60.0), dtypes=("float64",)
)


HINTS = (
    "Stop after two blocks, on paper. What must you know about the keys so far, so that you can "
    "finish the softmax without ever seeing them again?",
    "When a block brings a larger maximum, both sums are too large by exp(new - old): multiply "
    "them by exp(old - new). Starting at -inf makes the first factor zero.",
    "`key[..., start : start + block_size, :]` may be shorter than a block, and slicing does not "
    "mind. Divide once, when all blocks are through.",
)
STREAMING = task(MISTAKES, 4, case.all, HINTS)

"""The reference, the cases and the hints of `streaming_attention`."""

import ast
import math
from typing import Any

import numpy as np
import torch

from course_lib.checker.run.program import Program
from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.attention_parts import LENGTHS, lengths_in_turn, qkv
from course_lib.exercises.common import single


def streaming_attention(query, blocks):
    """A softmax needs the maximum and the sum of a whole row, and a stream shows a part of it. So
    carry both as far as they are known, and correct them when a block brings a larger maximum:
    exp(e − m′) = exp(e − m)·exp(m − m′), the same factor for the sum and for the weighted values.
    Divide once, at the end. The result is exact, and no array is larger than T × block_size.

    Cost: The multiplications of attention; O(T·(block_size + d_v)) memory beside the inputs in
    place of O(T·S)."""
    query = query / math.sqrt(query.shape[-1])
    top = query.new_full((*query.shape[:-1], 1), -math.inf)  # largest score so far  (..., T, 1)
    total = torch.zeros_like(top)  # sum of exp(score - top)  (..., T, 1)
    mixed = 0.0  # the same sum of values  (..., T, d_v)
    for keys, values in blocks:  # (..., block, d_k), (..., block, d_v)
        scores = query @ keys.transpose(-2, -1)  # (..., T, block)
        new_top = torch.maximum(top, scores.amax(-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        powers = torch.exp(scores - new_top)
        total = total * shrink + powers.sum(-1, keepdim=True)
        mixed = mixed * shrink + powers @ values
        top = new_top
    return mixed / total


def cut(*args: Any, most: int = 0, **choices: Any) -> Inputs:
    """Queries, keys, values and the size of a block: an answer gets the queries and the blocks."""
    return Inputs(args, in_blocks=most, **choices)


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
    return cut(*qkv(s, tuple(lead), (n_queries, n_keys, d_k, d_v), scale), block_size)


case = Cases()
case.example(
    cut(single([[1]]), single([[0], [math.log(3)]]), single([[4], [8]]), 1), dtype="float32"
)
case("five keys in blocks of two", lambda s: cut(*qkv(s, (1,), (2, 5, 2, 2)), 2))
case("blocks of equal length", lambda s: inputs(s, "even"))
case("a shorter last block", lambda s: inputs(s, "ragged"))
case("blocks of one key", lambda s: inputs(s, "ones"))
case("heads: four axes", lambda s: inputs(s, "ragged", axes=2))


@case("no tensor is as large as T × S", sizes=(1, 4), dtypes=("float64",))
def watched(s):
    """Blocks of one key, or of many: a tensor of T × S numbers is far larger than all others, and
    what is large may be a block, or what is kept of each. With one key in a block all keys, joined,
    are larger than what T queries need."""
    n_queries, n_keys = 32, 256
    arrays = qkv(s, (1,), (n_queries, n_keys, 2, 3))
    block, most = {1: (1, 400), 4: (16, 0)}[s.size]
    return cut(*arrays, block, most=most, largest=n_queries * n_keys // 2)


@case("the gradient reaches query, key and value")
def learning(s):
    query, key, value, block_size = inputs(s, "ragged").args
    upstream = s.floats(*query.shape[:-1], value.shape[-1])
    return cut(query, key, value, block_size, upstream=(upstream,))


case.hidden("one block holds all keys", lambda s: inputs(s, "whole"))
case.hidden("a block larger than all keys", lambda s: inputs(s, "too large"))
case.hidden("no batch: two axes", lambda s: inputs(s, "ragged", axes=0))


@case.hidden("scores that rise from block to block", dtypes=("float64",))
def rising(s):
    """Each block's scores are far above those of the block before."""
    query, key, value = qkv(s, (2,), (3, 7, 2, 4))
    heights = np.arange(7)[:, None] * 600
    return cut(abs(query) + 1, (abs(key) + heights).astype(s.dtype), value, 2)


@case.hidden("scores far below zero", dtypes=("float64",))
def low(s):
    """Every score is far below zero, below −1,000 or −20,000."""
    query, key, value = qkv(s, (2,), (3, 7, 2, 4))
    return cut(abs(query) + 1, -abs(key) - (900 if s.size == 1 else 20_000), value, 3)


case.hidden(
    "a single query, a single key, or as many of both",
    lambda s: cut(*lengths_in_turn(s, 2), 2),
    perhaps=LENGTHS,
)
case.hidden(
    "rows of very different height", lambda s: inputs(s, "ragged", scale=60.0), dtypes=("float64",)
)
case.hidden(
    "queries of zeros: the mean of the values",
    lambda s: cut(0 * (drawn := inputs(s, "ragged").args)[0], *drawn[1:]),
    sizes=(1,),
    dtypes=("float64",),
)

HINTS = (
    "Stop after two blocks, on paper. What must you know about the keys so far, so that you can "
    "finish the softmax without ever seeing them again?",
    "When a block brings a larger maximum, both sums are too large by exp(new - old): multiply "
    "them by exp(old - new). Starting at -inf makes the first factor zero.",
    "`for keys, values in blocks:` gives each block once. Begin with a maximum of -inf and with "
    "sums of 0. Divide once, when all blocks are through.",
)

GIVEN = ("query", "key", "value", "block_size")
EARLIER = (
    "Your answer takes all keys and `block_size`, as the task did in earlier terms. Until the end "
    "of this term that counts as before; then it has to be `streaming_attention(query, blocks)`, "
    "where `blocks` gives each (keys, values) once."
)


def earlier_form(program: Program) -> str | None:
    """What is said of an answer that is handed all keys."""
    try:
        body = ast.parse(program.text).body
    except SyntaxError:
        return None
    ours = [one for one in body if getattr(one, "name", "") == streaming_attention.__name__]
    args = getattr(ours[-1], "args", None) if ours else None
    return EARLIER if args and len(args.posonlyargs + args.args) == len(GIVEN) else None

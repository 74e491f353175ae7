"""What goes wrong in `streaming_attention`, in the order in which it is looked for."""

import math

import torch
from torch.nn import functional as F

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.attention_mistakes import only_three_axes, scaling_mistakes
from course_lib.exercises.common import family
from course_lib.exercises.flash.streaming import task
from course_lib.exercises.scaled_dot_product.attention.task import (
    scaled_dot_product_attention as attention,
)


def _blocks(query, key, value, block_size):
    """Each block with a softmax of its own."""
    pairs = zip(key.split(block_size, -2), value.split(block_size, -2), strict=True)
    return [attention(query, k, v)[0] for k, v in pairs]


def _in_blocks(cut, query, key, value, block_size):
    """The whole task, with `cut` for the blocks."""
    query = query / math.sqrt(query.shape[-1])
    top, total, mixed = torch.full_like(query[..., :1], -math.inf), 0.0, 0.0
    for k, v in zip(cut(key, block_size, -2), cut(value, block_size, -2), strict=True):
        scores = query @ k.mT
        new = torch.maximum(top, scores.amax(-1, keepdim=True))
        powers, shrink = torch.exp(scores - new), torch.exp(top - new)
        total = total * shrink + powers.sum(-1, keepdim=True)
        mixed, top = mixed * shrink + powers @ v, new
    return mixed / total


def streaming_attention(query, key, value, block_size):
    """The form of earlier terms, which still counts: all keys, and the size of a block."""
    query = query / math.sqrt(query.shape[-1])
    top = query.new_full((*query.shape[:-1], 1), -math.inf)  # largest score so far  (..., T, 1)
    total = torch.zeros_like(top)  # sum of exp(score - top)  (..., T, 1)
    mixed = query.new_zeros(*query.shape[:-1], value.shape[-1])  # the same sum of values
    for start in range(0, key.shape[-2], block_size):
        block = slice(start, start + block_size)
        scores = query @ key[..., block, :].transpose(-2, -1)  # (..., T, block)
        new_top = torch.maximum(top, scores.amax(-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        powers = torch.exp(scores - new_top)
        total = total * shrink + powers.sum(-1, keepdim=True)
        mixed = mixed * shrink + powers @ value[..., block, :]
        top = new_top
    return mixed / total


WHOLE = "key.shape[-2] // min(block_size, key.shape[-2]) * min(block_size, key.shape[-2])"
MISTAKES = Mistakes(streaming_attention, globals())  # each does the same in either form
scaling_mistakes(MISTAKES)
MISTAKES.by("all-at-once", lambda q, k, v, n: attention(q, k, v)[0]).says("""
    The numbers are right, but all T × S scores are there at once, in one step or joined from
    blocks. Let each block go when its exponentials are in the sums.
""")
MISTAKES.by("chunk-for-split", lambda *args: _in_blocks(torch.chunk, *args)).says("""
    With one key in a block, a tensor of T × S numbers is there. Either you cut with `chunk(n)`,
    which makes n blocks: `key.split(block_size, dim=-2)` makes blocks of that many keys. Or your
    blocks are larger than `block_size`, or something of each is kept to the end and joined: add it
    to the sums, and let the block go.
""")
MISTAKES.by("left-to-torch", lambda q, k, v, n: F.scaled_dot_product_attention(q, k, v)).says("""
    torch's attention does here what is asked of you, for all keys at once or for each block. Write
    it yourself: a loop over the blocks, and in it the exponentials of a block, their sum, and the
    values that they weigh.
""")
MISTAKES.change(
    "scaled-by-block-size", "math.sqrt(query.shape[-1])", "math.sqrt(block_size)"
).says("""
    You divide the scores by the root of the block's size. Divide by √d_k, the root of the length of
    one query; blocks are only the way to get there.
""")
MISTAKES.change("total-not-rescaled", "total * shrink", "total").says("""
    When the maximum rises, the sum of exponentials you have so far still belongs to the old one.
    Multiply it by exp(old maximum - new maximum).
""")
MISTAKES.change("values-not-rescaled", "mixed * shrink", "mixed").says("""
    When the maximum rises, the mixed values you have so far still belong to the old one. Multiply
    them by exp(old maximum - new maximum), as the sum.
""")
MISTAKES.change("nothing-rescaled", "total * shrink", "total", "mixed * shrink", "mixed").says("""
    When the maximum rises, what you have summed so far still belongs to the old one. Multiply the
    sum and the mixed values by exp(old maximum - new maximum), and compute this factor before you
    overwrite the old maximum.
""")
MISTAKES.change(
    "each-block-divided",
    "mixed * shrink + powers @",
    "mixed * shrink + (powers / total) @",
    "return mixed / total",
    "return mixed",
).says("""
    You divide each block by the sum so far, and that sum still grows. Divide once, by the sum of
    all, after the last block.
""")
MISTAKES.change("factor-turned", "top - new_top", "new_top - top").says("""
    From the first block on all is nan or inf. Perhaps the maximum, which begins at -inf, is taken
    away the wrong way round, or never rises, as with `minimum`. What was summed so far is
    multiplied by exp(old maximum - new maximum), at most 1; a new exponential is exp(score - new
    maximum).
""")
MISTAKES.change(
    "maximum-of-the-block",
    "torch.maximum(top, scores.amax(-1, keepdim=True))",
    "scores.amax(-1, keepdim=True)",
    "total * shrink",
    "total",
    "mixed * shrink",
    "mixed",
).says("""
    You take the maximum of each block alone, so it can fall. It runs: the larger of the old maximum
    and the block's.
""")
MISTAKES.change(
    "maximum-that-falls",
    "torch.maximum(top, scores.amax(-1, keepdim=True))",
    "scores.amax(-1, keepdim=True)",
).says("""
    You take the maximum of each block alone, so it can fall, and exp(old - new) overflows. It runs:
    the larger of the old maximum and the block's.
""")
MISTAKES.change("last-block-alone", "total * shrink + ", "", "mixed * shrink + ", "").says("""
    Your result is that of the last block alone. Either each block overwrites the sums, or they are
    multiplied by exp(-inf) = 0 because the running maximum stays -inf: add to them, and keep the
    new maximum for the next block.
""")
MISTAKES.change(
    "no-maximum", "torch.maximum(top, scores.amax(-1, keepdim=True))", "torch.zeros_like(top)"
).says("""
    Your exp overflows for large scores. Keep the largest score so far and take it away before exp.
""")
MISTAKES.change(
    "maximum-of-the-first-block",
    "torch.maximum(top, scores.amax(-1, keepdim=True))",
    "torch.where(top.isinf(), scores.amax(-1, keepdim=True), top)",
).says("""
    Your maximum stays that of the first block, so a later block can overflow. Let it run: take the
    larger of the old maximum and the block's.
""")
MISTAKES.change(
    "one-maximum-for-all-rows", "scores.amax(-1, keepdim=True)", "scores.max()"
).says("""
    You take one maximum for all queries. A row far below it becomes 0/0: keep one maximum for each
    query.
""")
family(
    MISTAKES,
    """Your running maximum starts at zero, or at another number that scores may lie below. When all
    scores are far below it, every exponential is zero: start at -inf.""",
    maximum_from_zero=("-math.inf", "0.0"),
    maximum_from_minus_10000=("-math.inf", "-1e4"),
)
MISTAKES.change(
    "last-block-dropped", "(0, key.shape[-2]", "(0, key.shape[-2] // block_size * block_size"
).says("""
    You drop the keys after the last whole block. The last block may be shorter, and even the only
    one: take every block that comes.
""")
MISTAKES.change("last-block-dropped-unless-alone", "(0, key.shape[-2]", f"(0, {WHOLE}").says("""
    You drop the keys after the last whole block. The last block may be shorter: take every block
    that comes.
""")
MISTAKES.change(
    "last-block-always-dropped", "(0, key.shape[-2]", "(0, key.shape[-2] - block_size"
).says("""
    Your loop ends before the last block, whole or shorter. Step through `range(0, S, block_size)`:
    it stops by itself before S.
""")
MISTAKES.change("first-block-alone", "range(0, key.shape[-2], block_size)", "[0]").says("""
    You look at the first block only. Go through all blocks: a `return` may stand inside the loop.
""")
MISTAKES.change(
    "even-blocks-only", "query = query", "key.unflatten(-2, (-1, block_size))\n    query = query"
).says("""
    You need a number of keys that the block size divides. The last block may be shorter: slice
    instead of reshaping.
""")
MISTAKES.by("blocks-averaged", lambda *args: torch.stack(_blocks(*args)).mean(0)).says("""
    You give each block a softmax of its own and average. A block's share depends on its scores:
    keep the sums, and divide once at the end.
""")
MISTAKES.by("blocks-added", lambda *args: sum(_blocks(*args))).says("""
    You give each block a softmax of its own and add. Then the weights of a row sum to the number of
    blocks: keep the sums, and divide once at the end.
""")
MISTAKES.change(
    "divided-each-time",
    "mixed * shrink + powers @ value[..., block, :]",
    "(mixed * shrink + powers @ value[..., block, :]) / total",
    "return mixed / total",
    "return mixed",
).says("""
    You divide inside the loop, and the next block then adds to something that is already
    normalised. Divide once, after the last block.
""")
MISTAKES.change("not-divided", "return mixed / total", "return mixed").says("""
    You never divide by the sum of exponentials. Do so once, after the last block.
""")
MISTAKES.change("total-too", "return mixed / total", "return mixed / total, total").says(
    "You return more than the output. Return the output alone."
)
only_three_axes(MISTAKES)
MISTAKES.by(
    "only-three-axes-bmm",
    lambda q, k, v, n: torch.bmm(
        torch.softmax(torch.bmm(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5, -1), v
    ),
).says("""
    Yours works for three axes alone, as `torch.bmm` and `transpose(1, 2)` do. Use `@` and
    `transpose(-2, -1)`: they work on the last two and leave whatever stands before them alone.
""")
MISTAKES.by("weights-too", lambda q, k, v, n: attention(q, k, v)).says("""
    You return more than the output. Return the output alone: flash attention never has all weights
    at once.
""")
MISTAKES.change("detached", "return mixed / total", "return (mixed / total).detach()").says("""
    No gradient flows back, so nothing could be learned. Avoid .item(), detach, .data and no_grad.
""")
MISTAKES.change("changes-query", "query = query /", "query /=").says("""
    You scale `query` in place, but it belongs to the caller (`/=` writes into it). Make a new
    tensor instead.
""")


def _joined(query, blocks, copy=False, queries=None):
    """All blocks kept and put together again; the queries in parts, where so many are given."""
    pairs = [tuple(x.clone() if copy else x for x in pair) for pair in blocks]
    key, value = (torch.cat(parts, dim=-2) for parts in zip(*pairs, strict=True))
    parts = query.split(queries or query.shape[-2], dim=-2)
    return torch.cat([attention(part, key, value)[0] for part in parts], dim=-2)


KEPT = """
    You keep blocks after the next one has come. By then the memory of a block is written over, here
    with nan, as on a GPU; and all keys in one tensor are more than this task allows. Add each block
    to the sums, and let it go.
"""


def _carried(query, blocks, shrink=torch.sub, newest=True, own=False, divided=False):
    """The first block begins the sums, and the others are added."""
    query, sums = query / math.sqrt(query.shape[-1]), None
    for key, value in blocks:
        scores = query @ key.mT
        highest = scores.amax(-1, keepdim=True)
        if sums is None:
            top, powers = highest, torch.exp(scores - highest)
            sums = powers.sum(-1, keepdim=True), powers @ value
            continue
        new = torch.maximum(top, highest)
        factor, powers = torch.exp(shrink(top, new)), torch.exp(scores - (highest if own else new))
        total = sums[0] * factor + powers.sum(-1, keepdim=True)
        mixed = sums[1] * factor + powers @ value
        sums = total, mixed / total if divided else mixed
        top = new if newest else top
    return sums[1] if divided else sums[1] / sums[0]


def _without_first(query, blocks):
    next(blocks)
    return task.streaming_attention(query, blocks)


IN_BLOCKS = Mistakes(task.streaming_attention, globals())
IN_BLOCKS.all = MISTAKES.all
for _name, _answer in {
    "blocks-listed": lambda q, blocks: task.streaming_attention(q, list(blocks)),
    "blocks-joined": lambda q, blocks: _joined(q, blocks),
    "copies-joined": lambda q, blocks: _joined(q, blocks, copy=True),
    "blocks-of-queries": lambda q, blocks: _joined(q, blocks, queries=2),
    "copies-and-blocks-of-queries": lambda q, blocks: _joined(q, blocks, copy=True, queries=2),
}.items():
    IN_BLOCKS.by(_name, _answer).says(KEPT)
IN_BLOCKS.by(
    "factor-turned-from-the-first-block",
    lambda q, blocks: _carried(q, blocks, shrink=lambda old, new: new - old),
).says("""
    Your factor is turned round. What was summed with the old maximum is multiplied by exp(old
    maximum - new maximum), which is at most 1.
""")
IN_BLOCKS.by("maximum-not-kept", lambda q, blocks: _carried(q, blocks, newest=False)).says("""
    Your sums belong to the new maximum, and the next block finds the old one. At the end of the
    loop the new maximum becomes the running one.
""")
IN_BLOCKS.by("powers-of-the-block", lambda q, blocks: _carried(q, blocks, own=True)).says("""
    The exponentials of a block are taken with its own largest score, and the sums belong to the
    running maximum. Both need that: exp(score - new maximum).
""")
IN_BLOCKS.by(
    "divided-from-the-second-block", lambda q, blocks: _carried(q, blocks, divided=True)
).says("""
    You divide in the loop, so that the next block is added to what is divided already. Divide once,
    after the last block.
""")
IN_BLOCKS.by("first-block-skipped", _without_first).says("""
    The first block has no part in your result. Perhaps a `next(blocks)` takes it, or a `continue`
    passes it over: add each block that comes.
""")
IN_BLOCKS.change(
    "one-maximum-for-a-text",
    "scores.amax(-1, keepdim=True)",
    "scores.amax((-2, -1), keepdim=True)",
).says("""
    You take one maximum for all queries of a text. A row far below it becomes 0/0: keep one maximum
    for each query, `scores.amax(-1, keepdim=True)`.
""")
IN_BLOCKS.change(
    "scaled-by-the-keys-of-a-block",
    "query / math.sqrt(query.shape[-1])",
    "query",
    "query @ keys.transpose(-2, -1)",
    "query @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-2])",
).says("""
    You divide the scores by the root of the number of keys in a block. Divide by √d_k, the root of
    the length of one query, `math.sqrt(query.shape[-1])`.
""")
for _name, _words in {
    "values-rescaled-twice": ("mixed * shrink", "mixed * shrink * shrink"),
    "total-rescaled-twice": ("total * shrink", "total * shrink * shrink"),
}.items():
    IN_BLOCKS.change(_name, *_words).says("""
        One of your two sums is corrected twice when the maximum rises, the other once. One factor,
        exp(old maximum - new maximum), corrects each of them once.
    """)
IN_BLOCKS.change("mixed-like-the-query", "mixed = 0.0", "mixed = torch.zeros_like(query)").says("""
    Your sum of values begins with the shape of the query, whose rows have d_k numbers. A value has
    d_v: begin with 0.0, which takes on the shape of the first block's product.
""")


@IN_BLOCKS.says("""
    You give each block a softmax of its own and average, by the number of keys. A block's share
    depends on its scores: keep the sums, and divide once at the end.
""")
def averaged_by_length(query, blocks):
    mixed, count = 0.0, 0
    for keys, values in blocks:
        mixed = mixed + attention(query, keys, values)[0] * keys.shape[-2]
        count += keys.shape[-2]
    return mixed / count


@IN_BLOCKS.says("""
    The exponentials of a shorter last block count as if it were as long as the others. Add up what
    is there, `.sum(-1, keepdim=True)`, without a mean and without a length of your own.
""")
def all_blocks_equally_long(query, blocks):
    query, top, total, mixed, length = query / math.sqrt(query.shape[-1]), None, 0.0, 0.0, 0
    for keys, values in blocks:
        length = length or keys.shape[-2]
        scores = query @ keys.mT
        highest = scores.amax(-1, keepdim=True)
        new = highest if top is None else torch.maximum(top, highest)
        shrink = 1.0 if top is None else torch.exp(top - new)
        powers = torch.exp(scores - new)
        total = total * shrink + powers.mean(-1, keepdim=True) * length
        mixed, top = mixed * shrink + powers @ values, new
    return mixed / total


@IN_BLOCKS.says("""
    Your first block counts twice: it is in the sums when the loop begins, and the loop adds it once
    more. Begin with sums of 0 and a largest score of -inf, and leave each block to the loop.
""")
def first_block_twice(query, blocks):
    query, top, total, mixed = query / math.sqrt(query.shape[-1]), None, 0.0, 0.0
    for keys, values in blocks:
        scores = query @ keys.mT
        highest = scores.amax(-1, keepdim=True)
        times = 2 if top is None else 1
        new = highest if top is None else torch.maximum(top, highest)
        shrink = 1.0 if top is None else torch.exp(top - new)
        powers = torch.exp(scores - new) * times
        total = total * shrink + powers.sum(-1, keepdim=True)
        mixed, top = mixed * shrink + powers @ values, new
    return mixed / total

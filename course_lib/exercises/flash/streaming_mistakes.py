"""What goes wrong in `streaming_attention`."""

import math
from functools import partial

import torch
from torch.nn import functional as F

from course_lib.exercises.attention_parts import attention, scaling_mistakes
from course_lib.grading.tasks import Mistake


def _stream(
    query,
    key,
    value,
    block_size,
    *,
    factor=lambda q, k, v: q.shape[-1] ** -0.5,
    first=-math.inf,
    highest=lambda top, scores: torch.maximum(top, scores.amax(-1, keepdim=True)),
    shrink=lambda top, new: (torch.exp(top - new), torch.exp(top - new)),
    last=lambda n_keys, block_size: n_keys,
    divide=lambda mixed, total: mixed / total,
):
    """The reference with one step exchanged."""
    query = query * factor(query, key, value)
    top = query.new_full((*query.shape[:-1], 1), first)
    total = torch.zeros_like(top)
    mixed = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for start in range(0, last(key.shape[-2], block_size), block_size):
        block = slice(start, start + block_size)
        scores = query @ key[..., block, :].transpose(-2, -1)
        new_top = highest(top, scores)
        powers = torch.exp(scores - new_top)
        for_total, for_mixed = shrink(top, new_top)
        total = total * for_total + powers.sum(-1, keepdim=True)
        mixed = mixed * for_mixed + powers @ value[..., block, :]
        top = new_top
    return divide(mixed, total)


def _by_block(join):
    """Each block has a softmax of its own; `join` makes one output of theirs."""

    def answer(query, key, value, block_size):
        parts = zip(key.split(block_size, -2), value.split(block_size, -2), strict=True)
        return join([attention(query, k, v)[0] * v.new_ones(()) for k, v in parts])

    return answer


def _divided_each_time(query, key, value, block_size):
    query = query / math.sqrt(query.shape[-1])
    top = query.new_full((*query.shape[:-1], 1), -math.inf)
    total = torch.zeros_like(top)
    out = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for k, v in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        scores = query @ k.transpose(-2, -1)
        new_top = torch.maximum(top, scores.amax(-1, keepdim=True))
        powers = torch.exp(scores - new_top)
        shrink = torch.exp(top - new_top)
        total = total * shrink + powers.sum(-1, keepdim=True)
        out = (out * shrink + powers @ v) / total
        top = new_top
    return out


def _even_blocks(query, key, value, block_size):
    key.unflatten(-2, (-1, block_size))
    return _stream(query, key, value, block_size)


def _three_axes(query, key, value, block_size):
    _batch, _length, _d_k = query.shape
    return _stream(query, key, value, block_size)


def _in_place(query, key, value, block_size):
    query /= math.sqrt(query.shape[-1])
    return _stream(query, key, value, block_size, factor=lambda q, k, v: 1)


def _wrong(name: str, sentence: str, **steps) -> Mistake:
    return Mistake(name, sentence, partial(_stream, **steps))


ONES = torch.ones(())
MISTAKES = (
    *scaling_mistakes(_stream),
    Mistake(
        "all-at-once",
        "The numbers are right, but all T × S scores are there at once, in one step or joined "
        "from blocks. Let each block go when its exponentials are in the sums.",
        lambda q, k, v, n: attention(q, k, v)[0],
    ),
    Mistake(
        "left-to-torch",
        "torch streams here, not you. Write the loop over the blocks yourself.",
        lambda q, k, v, n: F.scaled_dot_product_attention(q, k, v),
    ),
    Mistake(
        "scaled-by-block-size",
        "You divide the scores by the root of the block's size. Divide by √d_k, the root of the "
        "length of one query; blocks are only the way to get there.",
        lambda q, k, v, n: _stream(q, k, v, n, factor=lambda q, k, v: n**-0.5),
    ),
    _wrong(
        "total-not-rescaled",
        "When the maximum rises, the sum of exponentials you have so far still belongs to the "
        "old one. Multiply it by exp(old maximum - new maximum).",
        shrink=lambda top, new: (ONES, torch.exp(top - new)),
    ),
    _wrong(
        "values-not-rescaled",
        "When the maximum rises, the mixed values you have so far still belong to the old one. "
        "Multiply them by exp(old maximum - new maximum), as the sum.",
        shrink=lambda top, new: (torch.exp(top - new), ONES),
    ),
    _wrong(
        "nothing-rescaled",
        "When the maximum rises, what you have summed so far still belongs to the old one. "
        "Multiply the sum and the mixed values by exp(old maximum - new maximum).",
        shrink=lambda top, new: (ONES, ONES),
    ),
    _wrong(
        "maximum-of-the-block",
        "You take the maximum of each block alone, so it can fall. It runs: the larger of the "
        "old maximum and the block's.",
        highest=lambda top, scores: scores.amax(-1, keepdim=True),
        shrink=lambda top, new: (ONES, ONES),
    ),
    _wrong(
        "maximum-that-falls",
        "You take the maximum of each block alone, so it can fall, and exp(old - new) overflows. "
        "It runs: the larger of the old maximum and the block's.",
        highest=lambda top, scores: scores.amax(-1, keepdim=True),
    ),
    _wrong(
        "last-block-alone",
        "Each block overwrites the one before. Add to the sums you carry from block to block.",
        shrink=lambda top, new: (0 * ONES, 0 * ONES),
    ),
    _wrong(
        "no-maximum",
        "Your exp overflows for large scores. Keep the largest score so far and take it away "
        "before exp.",
        first=0.0,
        highest=lambda top, scores: top,
    ),
    _wrong(
        "maximum-of-the-first-block",
        "Your maximum stays that of the first block, so a later block can overflow. Let it run: "
        "take the larger of the old maximum and the block's.",
        highest=lambda top, s: torch.where(top.isinf(), s.amax(-1, keepdim=True), top),
    ),
    _wrong(
        "one-maximum-for-all-rows",
        "You take one maximum for all queries. A row far below it becomes 0/0: keep one maximum "
        "for each query.",
        highest=lambda top, scores: torch.maximum(top, scores.max()),
    ),
    _wrong(
        "maximum-from-zero",
        "Your running maximum starts at zero. When all scores are far below, every exponential "
        "is zero: start at -inf.",
        first=0.0,
    ),
    _wrong(
        "last-block-dropped",
        "You drop the keys after the last whole block. The last block may be shorter: step "
        "through `range(0, S, block_size)`.",
        last=lambda n_keys, block_size: n_keys // block_size * block_size,
    ),
    _wrong(
        "first-block-alone",
        "You look at the first block only. Go through all blocks: a `return` may stand inside "
        "the loop.",
        last=lambda n_keys, block_size: 1,
    ),
    Mistake(
        "even-blocks-only",
        "You need a number of keys that the block size divides. The last block may be shorter: "
        "slice instead of reshaping.",
        _even_blocks,
    ),
    Mistake(
        "blocks-averaged",
        "You give each block a softmax of its own and average. A block's share depends on its "
        "scores: keep the sums, and divide once at the end.",
        _by_block(lambda parts: torch.stack(parts).mean(0)),
    ),
    Mistake(
        "blocks-added",
        "You give each block a softmax of its own and add. Then the weights of a row sum to the "
        "number of blocks: keep the sums, and divide once at the end.",
        _by_block(sum),
    ),
    Mistake(
        "divided-each-time",
        "You divide inside the loop, and the next block then adds to something that is already "
        "normalised. Divide once, after the last block.",
        _divided_each_time,
    ),
    _wrong(
        "not-divided",
        "You never divide by the sum of exponentials. Do so once, after the last block.",
        divide=lambda mixed, total: mixed,
    ),
    _wrong(
        "total-too",
        "You return more than the output. Return the output alone.",
        divide=lambda mixed, total: (mixed / total, total),
    ),
    Mistake(
        "only-three-axes",
        "You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever "
        "stands before them alone.",
        _three_axes,
    ),
    Mistake(
        "only-three-axes-bmm",
        "torch.bmm takes exactly three axes. Use `@`, which works on the last two and leaves "
        "whatever stands before them alone.",
        lambda q, k, v, n: torch.bmm(
            torch.softmax(torch.bmm(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5, -1), v
        ),
    ),
    Mistake(
        "weights-too",
        "You return more than the output. Return the output alone: flash attention never has all "
        "weights at once.",
        lambda q, k, v, n: attention(q, k, v),
    ),
    _wrong(
        "detached",
        "No gradient flows back, so nothing could be learned. Avoid detach, .data and no_grad.",
        divide=lambda mixed, total: (mixed / total).detach(),
    ),
    Mistake(
        "changes-query",
        "You scale `query` in place, but it belongs to the caller (`/=` writes into it). Make a "
        "new tensor instead.",
        _in_place,
    ),
)

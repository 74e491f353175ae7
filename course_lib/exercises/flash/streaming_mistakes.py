"""What goes wrong in `streaming_attention`."""

import math

import torch
from torch.nn import functional as F

from course_lib.exercises.attention_mistakes import only_three_axes, scaling_mistakes
from course_lib.exercises.attention_parts import attention


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


def _by_block(join, query, key, value, block_size):
    """Each block has a softmax of its own; `join` makes one output of theirs."""
    parts = zip(key.split(block_size, -2), value.split(block_size, -2), strict=True)
    return join([attention(query, k, v)[0] * v.new_ones(()) for k, v in parts])


ONES = torch.ones(())


class Mistakes:
    scaling = scaling_mistakes(_stream)

    def all_at_once(q, k, v, n):
        """The numbers are right, but all T × S scores are there at once, in one step or joined from
        blocks. Let each block go when its exponentials are in the sums."""
        return attention(q, k, v)[0]

    def left_to_torch(q, k, v, n):
        """torch streams here, not you. Write the loop over the blocks yourself."""
        return F.scaled_dot_product_attention(q, k, v)

    def scaled_by_block_size(q, k, v, n):
        """You divide the scores by the root of the block's size. Divide by √d_k, the root of the
        length of one query; blocks are only the way to get there."""
        return _stream(q, k, v, n, factor=lambda q, k, v: n**-0.5)

    def total_not_rescaled(*args):
        """When the maximum rises, the sum of exponentials you have so far still belongs to the old
        one. Multiply it by exp(old maximum - new maximum)."""
        return _stream(*args, shrink=lambda top, new: (ONES, torch.exp(top - new)))

    def values_not_rescaled(*args):
        """When the maximum rises, the mixed values you have so far still belong to the old one.
        Multiply them by exp(old maximum - new maximum), as the sum."""
        return _stream(*args, shrink=lambda top, new: (torch.exp(top - new), ONES))

    def nothing_rescaled(*args):
        """When the maximum rises, what you have summed so far still belongs to the old one.
        Multiply the sum and the mixed values by exp(old maximum - new maximum)."""
        return _stream(*args, shrink=lambda top, new: (ONES, ONES))

    def maximum_of_the_block(*args):
        """You take the maximum of each block alone, so it can fall. It runs: the larger of the old
        maximum and the block's."""
        return _stream(
            *args,
            highest=lambda top, scores: scores.amax(-1, keepdim=True),
            shrink=lambda top, new: (ONES, ONES),
        )

    def maximum_that_falls(*args):
        """You take the maximum of each block alone, so it can fall, and exp(old - new) overflows.
        It runs: the larger of the old maximum and the block's."""
        return _stream(*args, highest=lambda top, scores: scores.amax(-1, keepdim=True))

    def last_block_alone(*args):
        """Each block overwrites the one before. Add to the sums you carry from block to block."""
        return _stream(*args, shrink=lambda top, new: (0 * ONES, 0 * ONES))

    def no_maximum(*args):
        """Your exp overflows for large scores. Keep the largest score so far and take it away
        before exp."""
        return _stream(*args, first=0.0, highest=lambda top, scores: top)

    def maximum_of_the_first_block(*args):
        """Your maximum stays that of the first block, so a later block can overflow. Let it run:
        take the larger of the old maximum and the block's."""
        return _stream(
            *args, highest=lambda top, s: torch.where(top.isinf(), s.amax(-1, keepdim=True), top)
        )

    def one_maximum_for_all_rows(*args):
        """You take one maximum for all queries. A row far below it becomes 0/0: keep one maximum
        for each query."""
        return _stream(*args, highest=lambda top, scores: torch.maximum(top, scores.max()))

    def maximum_from_zero(*args):
        """Your running maximum starts at zero. When all scores are far below, every exponential is
        zero: start at -inf."""
        return _stream(*args, first=0.0)

    def last_block_dropped(*args):
        """You drop the keys after the last whole block. The last block may be shorter: step through
        `range(0, S, block_size)`."""
        return _stream(*args, last=lambda n_keys, block_size: n_keys // block_size * block_size)

    def first_block_alone(*args):
        """You look at the first block only. Go through all blocks: a `return` may stand inside the
        loop."""
        return _stream(*args, last=lambda n_keys, block_size: 1)

    def even_blocks_only(query, key, value, block_size):
        """You need a number of keys that the block size divides. The last block may be shorter:
        slice instead of reshaping."""
        key.unflatten(-2, (-1, block_size))
        return _stream(query, key, value, block_size)

    def blocks_averaged(*args):
        """You give each block a softmax of its own and average. A block's share depends on its
        scores: keep the sums, and divide once at the end."""
        return _by_block(lambda parts: torch.stack(parts).mean(0), *args)

    def blocks_added(*args):
        """You give each block a softmax of its own and add. Then the weights of a row sum to the
        number of blocks: keep the sums, and divide once at the end."""
        return _by_block(sum, *args)

    def divided_each_time(query, key, value, block_size):
        """You divide inside the loop, and the next block then adds to something that is already
        normalised. Divide once, after the last block."""
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

    def not_divided(*args):
        """You never divide by the sum of exponentials. Do so once, after the last block."""
        return _stream(*args, divide=lambda mixed, total: mixed)

    def total_too(*args):
        """You return more than the output. Return the output alone."""
        return _stream(*args, divide=lambda mixed, total: (mixed / total, total))

    three_axes = only_three_axes(_stream)

    def only_three_axes_bmm(q, k, v, n):
        """torch.bmm takes exactly three axes. Use `@`, which works on the last two and leaves
        whatever stands before them alone."""
        return torch.bmm(
            torch.softmax(torch.bmm(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5, -1), v
        )

    def weights_too(q, k, v, n):
        """You return more than the output. Return the output alone: flash attention never has all
        weights at once."""
        return attention(q, k, v)

    def detached(*args):
        """No gradient flows back, so nothing could be learned. Avoid detach, .data and no_grad."""
        return _stream(*args, divide=lambda mixed, total: (mixed / total).detach())

    def changes_query(query, key, value, block_size):
        """You scale `query` in place, but it belongs to the caller (`/=` writes into it). Make a
        new tensor instead."""
        query /= math.sqrt(query.shape[-1])
        return _stream(query, key, value, block_size, factor=lambda q, k, v: 1)

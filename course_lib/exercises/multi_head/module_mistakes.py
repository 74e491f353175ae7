"""The reference of `MultiHeadAttention`, its steps apart, and what goes wrong in each."""

import math
from functools import partial

import torch
from torch import nn

from course_lib.exercises import attention_parts as parts
from course_lib.exercises.multi_head.heads import merge_heads, split_heads
from course_lib.grading.tasks import Mistake


class MultiHeadAttention(nn.Module):
    """Four layers, and between them what you have already written: project, split, attend, merge,
    project. Heads are one more batch axis, so all of them run in one matrix product and the mask
    broadcasts over them. Each head scales by the root of its own length, √(d/H). The last layer,
    W_o, is where the heads' results are mixed.

    Cost: For T = S: 4·T·d² multiplications in the layers and 2·T²·d in the attention, whatever the
    number of heads."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, mask=None):
        q, k, v = (self.split(x) for x in self.project(query, key, value))  # (B, H, T or S, d/H)
        weights = self.weigh(q @ k.transpose(-2, -1) / self.root(q), mask)  # (B, H, T, S)
        return self.finish(self.merge(weights @ v), weights)

    # The steps are apart so that each known mistake can exchange one of them.

    weigh = staticmethod(parts.weigh)
    merge = staticmethod(merge_heads)

    def project(self, query, key, value):
        return self.W_q(query), self.W_k(key), self.W_v(value)

    def split(self, x):
        return split_heads(x, self.num_heads)

    def root(self, q):
        return math.sqrt(q.shape[-1])

    def finish(self, merged, weights):
        return self.W_o(merged), weights


def _but(*sizes, weigh=parts.weigh, merge=merge_heads, **steps):
    """The reference with steps exchanged; `weigh` and `merge` take no `self`, the others do."""
    module = parts.exchanged(MultiHeadAttention(*sizes), **steps)
    module.weigh, module.merge = weigh, merge
    return module


def _positions_cut(module, x):
    batch, length, d_model = x.shape
    return x.reshape(batch, module.num_heads, length, d_model // module.num_heads)


def _every_hth(module, x):
    return x.unflatten(-1, (-1, module.num_heads)).permute(0, 3, 1, 2)


def _cut_and_glued(x):
    return x.reshape(x.shape[0], x.shape[2], -1)


def _mask_on_one_head(scores, mask):
    weights = parts.weigh(scores, mask)
    return torch.cat([weights[:, :1], parts.weigh(scores[:, 1:], None)], dim=1)


class Mistakes:
    def masked_maximum(*sizes):
        """You subtract the largest score of all, forbidden ones too. If that one is far above the
        others, every allowed exponential is 0. Subtract the largest *allowed* score."""
        return _but(*sizes, weigh=parts.masked_maximum)

    def unscaled(*sizes):
        """You do not scale the scores. Divide them by the square root of a head's size, d_model /
        num_heads, before the softmax."""
        return _but(*sizes, root=lambda m, q: 1.0)

    scaled_by_d_model = Mistake(
        "scaled-by-d_model",
        "You divide by √d_model. A head's dot product has d_model / num_heads terms: divide by the "
        "root of that.",
        lambda *sizes: _but(*sizes, root=lambda m, q: math.sqrt(q.shape[-1] * m.num_heads)),
    )

    def scaled_without_root(*sizes):
        """You divide by the size of a head. Divide by its square root."""
        return _but(*sizes, root=lambda m, q: q.shape[-1])

    def scaled_by_the_number_of_heads(*sizes):
        """You divide by the root of the second axis, which after the split is the heads. Divide by
        the root of a head's size, the last axis: `q.shape[-1]`."""
        return _but(*sizes, root=lambda m, q: math.sqrt(m.num_heads))

    def scaled_by_the_number_of_queries(*sizes):
        """You divide by the root of the number of queries. Divide by the root of a head's size, the
        last axis after the split: `q.shape[-1]`."""
        return _but(*sizes, root=lambda m, q: math.sqrt(q.shape[-2]))

    def weights_averaged(*sizes):
        """You average the weights over the heads. Return them all, (B, H, T, S): each head's map is
        worth a look."""
        return _but(*sizes, finish=lambda m, x, w: (m.W_o(x), w.mean(1)))

    def no_output_projection(*sizes):
        """W_o is never applied. Merge the heads, then send the result through W_o, which mixes
        them."""
        return _but(*sizes, finish=lambda m, x, w: (x, w))

    def output_alone(*sizes):
        """You return the output alone. Return the pair (output, weights)."""
        return _but(*sizes, finish=lambda m, x, w: m.W_o(x))

    def weights_missing(*sizes):
        """Your second result is None. Return the weights of all heads: (output, weights)."""
        return _but(*sizes, finish=lambda m, x, w: (m.W_o(x), None))

    def query_projection_for_keys(*sizes):
        """The keys go through W_q. Each of query, key and value has its own projection."""
        return _but(*sizes, project=lambda m, q, k, v: (m.W_q(q), m.W_q(k), m.W_v(v)))

    def keys_for_values(*sizes):
        """You mix the keys: W_v is applied to `key`. What is mixed is `value`; it may be something
        else than `key`."""
        return _but(*sizes, project=lambda m, q, k, v: (m.W_q(q), m.W_k(k), m.W_v(k)))

    def key_projection_for_values(*sizes):
        """The values go through W_k. Each of query, key and value has its own projection."""
        return _but(*sizes, project=lambda m, q, k, v: (m.W_q(q), m.W_k(k), m.W_k(v)))

    def not_projected(*sizes):
        """You split the inputs as they are. Send query, key and value through W_q, W_k and W_v
        first."""
        return _but(*sizes, project=lambda m, q, k, v: (q, k, v))

    def positions_cut_into_heads(*sizes):
        """You reshape straight to (B, H, T, d/H), which deals out positions instead of features.
        Reshape to (B, T, H, d/H), then swap T and H, or call your `split_heads`."""
        return _but(*sizes, split=_positions_cut)

    def every_h_th_feature(*sizes):
        """Your head h takes every H-th feature. It owns neighbours, h·d/H to (h + 1)·d/H: put H
        before d/H when you reshape."""
        return _but(*sizes, split=_every_hth, merge=lambda x: x.permute(0, 2, 3, 1).flatten(2))

    def every_h_th_feature_when_splitting(*sizes):
        """Your head h takes every H-th feature, but is merged as a run of neighbours. It owns
        neighbours: put H before d/H when you reshape."""
        return _but(*sizes, split=_every_hth)

    def view(*sizes):
        """`view` cannot join axes that are not neighbours in memory, and after a transpose they are
        not. Use `reshape`, or `.contiguous()` before `view`."""
        return _but(*sizes, merge=lambda x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1))

    def merged_without_transpose(*sizes):
        """You reshape (B, H, T, d/H) straight to (B, T, d), which mixes the words. Swap H and T
        first, or call your `merge_heads`."""
        return _but(*sizes, merge=_cut_and_glued)

    def positions_cut_and_glued(*sizes):
        """You reshape to (B, H, T, d/H) and back without a transpose on either side: heads then
        hold pieces of several words. Use your `split_heads` and `merge_heads`."""
        return _but(*sizes, split=_positions_cut, merge=_cut_and_glued)

    def softmax_over_heads(*sizes):
        """Your softmax runs over the heads. Each head shares its attention among the keys: take the
        last axis."""
        return _but(*sizes, weigh=partial(parts.weigh, dim=1))

    def softmax_over_queries(*sizes):
        """Your softmax runs over the queries. Each query shares its attention among the keys: take
        the last axis."""
        return _but(*sizes, weigh=partial(parts.weigh, dim=-2))

    def mask_inverted(*sizes):
        """You read the mask the wrong way round. True means “may attend”."""
        return _but(*sizes, weigh=parts.inverted)

    def mask_ignored(*sizes):
        """Your mask changes nothing. Where it is False, take the score out of the softmax."""
        return _but(*sizes, weigh=parts.unmasked)

    def mask_after_softmax(*sizes):
        """You multiply the weights by the mask after the softmax, so rows no longer sum to one.
        Take the forbidden scores out before the softmax."""
        return _but(*sizes, weigh=parts.masked_after)

    def mask_for_the_first_head(*sizes):
        """Your mask reaches the first head only. It holds for every head: let it broadcast over the
        axis of heads."""
        return _but(*sizes, weigh=_mask_on_one_head)

    def mask_given_an_axis(*sizes):
        """You add an axis to the mask. It already broadcasts to (B, H, T, S): use it as it
        comes."""
        return _but(
            *sizes,
            weigh=lambda s, mask: parts.weigh(s, None if mask is None else mask.unsqueeze(1)),
        )

    def uniform_when_nothing_is_allowed(*sizes):
        """A query that may attend to nothing gets equal weights, because all its scores became the
        same large negative number. Its weights have to be zero."""
        return _but(*sizes, weigh=parts.filled(-1e9))

    def constant_too_high(*sizes):
        """You fill forbidden scores with a negative number, but an allowed score may be lower
        still: then the forbidden ones take all the weight. Fill with -inf."""
        return _but(*sizes, weigh=parts.filled_and_zeroed)

    def mask_not_broadcast(*sizes):
        """`scores[~mask]` needs a mask of the scores' own shape, (B, H, T, S), but one mask may
        serve many heads and queries. `masked_fill` and `torch.where` stretch it."""
        return _but(*sizes, weigh=parts.not_broadcast)

    def nan_when_nothing_is_allowed(*sizes):
        """A query that may attend to nothing gets NaN: the softmax of a row of -inf divides zero by
        zero. Set the weights of such a row to zero afterwards."""
        return _but(*sizes, weigh=parts.filled(-parts.INF))

    def wrong_parameters(d_model, num_heads):
        """The weights cannot be loaded. The module needs exactly four layers, W_q, W_k, W_v and
        W_o, each nn.Linear(d_model, d_model) with bias, and no other parameter."""
        module = MultiHeadAttention(d_model, num_heads)
        module.W_o = nn.Linear(d_model, d_model, bias=False)
        return module

    def weights_detached(*sizes):
        """Your numbers are right, but the weights are cut off from the parameters. Return them as
        they are, without .detach()."""
        return _but(*sizes, finish=lambda m, x, w: (m.W_o(x), w.detach()))

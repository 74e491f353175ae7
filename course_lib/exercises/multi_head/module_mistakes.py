"""What goes wrong in `MultiHeadAttention`."""

import math

import torch
from torch import nn

from course_lib.exercises.attention_parts import INF, MASKED_MAXIMUM, filled, masked_maximum, weigh
from course_lib.exercises.multi_head.heads import merge_heads, split_heads
from course_lib.grading.tasks import Mistake


class _Steps(nn.Module):
    """The reference, one method for each step, so that a mistake can exchange one."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def project(self, query, key, value):
        return self.W_q(query), self.W_k(key), self.W_v(value)

    def split(self, x):
        return split_heads(x, self.num_heads)

    def root(self, q):
        return math.sqrt(q.shape[-1])

    def weigh(self, scores, mask):
        return weigh(scores, mask)

    def merge(self, x):
        return merge_heads(x)

    def finish(self, merged, weights):
        return self.W_o(merged), weights

    def forward(self, query, key, value, mask=None):
        q, k, v = (self.split(x) for x in self.project(query, key, value))
        weights = self.weigh(q @ k.transpose(-2, -1) / self.root(q), mask)
        return self.finish(self.merge(weights @ v), weights)


def _but(**steps) -> type:
    return type("MultiHeadAttention", (_Steps,), steps)


class _NoBias(_Steps):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_o = nn.Linear(d_model, d_model, bias=False)


_NoBias.__name__ = "MultiHeadAttention"


def _positions_cut(module, x):
    batch, length, d_model = x.shape
    return x.reshape(batch, module.num_heads, length, d_model // module.num_heads)


def _every_hth(module, x):
    return x.unflatten(-1, (-1, module.num_heads)).permute(0, 3, 1, 2)


def _cut_and_glued(module, x):
    return x.reshape(x.shape[0], x.shape[2], -1)


def _mask_on_one_head(module, scores, mask):
    weights = weigh(scores, mask)
    return torch.cat([weights[:, :1], weigh(scores[:, 1:], None)], dim=1)


PARAMETERS = (
    "The weights cannot be loaded. The module needs exactly four layers, W_q, W_k, W_v and W_o, "
    "each nn.Linear(d_model, d_model) with bias, and no other parameter."
)
MISTAKES = (
    Mistake(
        "masked-maximum",
        MASKED_MAXIMUM,
        _but(weigh=lambda m, scores, mask: masked_maximum(scores, mask)),
    ),
    Mistake(
        "unscaled",
        "You do not scale the scores. Divide them by the square root of a head's size, "
        "d_model / num_heads, before the softmax.",
        _but(root=lambda m, q: 1.0),
    ),
    Mistake(
        "scaled-by-d_model",
        "You divide by √d_model. A head's dot product has d_model / num_heads terms: divide by the "
        "root of that.",
        _but(root=lambda m, q: math.sqrt(q.shape[-1] * m.num_heads)),
    ),
    Mistake(
        "scaled-without-root",
        "You divide by the size of a head. Divide by its square root.",
        _but(root=lambda m, q: q.shape[-1]),
    ),
    Mistake(
        "weights-averaged",
        "You average the weights over the heads. Return them all, (B, H, T, S): each head's map is "
        "worth a look.",
        _but(finish=lambda m, x, w: (m.W_o(x), w.mean(1))),
    ),
    Mistake(
        "no-output-projection",
        "W_o is never applied. Merge the heads, then send the result through W_o, which mixes "
        "them.",
        _but(finish=lambda m, x, w: (x, w)),
    ),
    Mistake(
        "output-alone",
        "You return the output alone. Return the pair (output, weights).",
        _but(finish=lambda m, x, w: m.W_o(x)),
    ),
    Mistake(
        "weights-missing",
        "Your second result is None. Return the weights of all heads: (output, weights).",
        _but(finish=lambda m, x, w: (m.W_o(x), None)),
    ),
    Mistake(
        "query-projection-for-keys",
        "The keys go through W_q. Each of query, key and value has its own projection.",
        _but(project=lambda m, q, k, v: (m.W_q(q), m.W_q(k), m.W_v(v))),
    ),
    Mistake(
        "keys-for-values",
        "You mix the keys: W_v is applied to `key`. What is mixed is `value`; it may be something "
        "else than `key`.",
        _but(project=lambda m, q, k, v: (m.W_q(q), m.W_k(k), m.W_v(k))),
    ),
    Mistake(
        "key-projection-for-values",
        "The values go through W_k. Each of query, key and value has its own projection.",
        _but(project=lambda m, q, k, v: (m.W_q(q), m.W_k(k), m.W_k(v))),
    ),
    Mistake(
        "not-projected",
        "You split the inputs as they are. Send query, key and value through W_q, W_k and W_v "
        "first.",
        _but(project=lambda m, q, k, v: (q, k, v)),
    ),
    Mistake(
        "positions-cut-into-heads",
        "You reshape straight to (B, H, T, d/H), which deals out positions instead of features. "
        "Reshape to (B, T, H, d/H), then swap T and H, or call your `split_heads`.",
        _but(split=_positions_cut),
    ),
    Mistake(
        "every-h-th-feature",
        "Your head h takes every H-th feature. It owns neighbours, h·d/H to (h + 1)·d/H: put H "
        "before d/H when you reshape.",
        _but(split=_every_hth, merge=lambda m, x: x.permute(0, 2, 3, 1).flatten(2)),
    ),
    Mistake(
        "every-h-th-feature-when-splitting",
        "Your head h takes every H-th feature, but is merged as a run of neighbours. It owns "
        "neighbours: put H before d/H when you reshape.",
        _but(split=_every_hth),
    ),
    Mistake(
        "view",
        "`view` cannot join axes that are not neighbours in memory, and after a transpose they are "
        "not. Use `reshape`, or `.contiguous()` before `view`.",
        _but(merge=lambda m, x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)),
    ),
    Mistake(
        "merged-without-transpose",
        "You reshape (B, H, T, d/H) straight to (B, T, d), which mixes the words. Swap H and T "
        "first, or call your `merge_heads`.",
        _but(merge=_cut_and_glued),
    ),
    Mistake(
        "positions-cut-and-glued",
        "You reshape to (B, H, T, d/H) and back without a transpose on either side: heads then "
        "hold pieces of several words. Use your `split_heads` and `merge_heads`.",
        _but(split=_positions_cut, merge=_cut_and_glued),
    ),
    Mistake(
        "softmax-over-heads",
        "Your softmax runs over the heads. Each head shares its attention among the keys: take the "
        "last axis.",
        _but(weigh=lambda m, scores, mask: weigh(scores, mask, dim=1)),
    ),
    Mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries. Each query shares its attention among the keys: take "
        "the last axis.",
        _but(weigh=lambda m, scores, mask: weigh(scores, mask, dim=-2)),
    ),
    Mistake(
        "mask-inverted",
        "You read the mask the wrong way round. True means “may attend”.",
        _but(weigh=lambda m, s, mask: weigh(s, None if mask is None else ~mask)),
    ),
    Mistake(
        "mask-ignored",
        "Your mask changes nothing. Where it is False, take the score out of the softmax.",
        _but(weigh=lambda m, s, mask: weigh(s, None)),
    ),
    Mistake(
        "mask-after-softmax",
        "You multiply the weights by the mask after the softmax, so rows no longer sum to one. "
        "Take the forbidden scores out before the softmax.",
        _but(weigh=lambda m, s, mask: weigh(s, None) * (1 if mask is None else mask)),
    ),
    Mistake(
        "mask-for-the-first-head",
        "Your mask reaches the first head only. It holds for every head: let it broadcast over the "
        "axis of heads.",
        _but(weigh=_mask_on_one_head),
    ),
    Mistake(
        "mask-given-an-axis",
        "You add an axis to the mask. It already broadcasts to (B, H, T, S): use it as it comes.",
        _but(weigh=lambda m, s, mask: weigh(s, None if mask is None else mask.unsqueeze(1))),
    ),
    Mistake(
        "uniform-when-nothing-is-allowed",
        "A query that may attend to nothing gets equal weights, because all its scores became the "
        "same large negative number. Its weights have to be zero.",
        _but(weigh=lambda m, scores, mask: filled(-1e9)(scores, mask)),
    ),
    Mistake(
        "nan-when-nothing-is-allowed",
        "A query that may attend to nothing gets NaN: the softmax of a row of -inf divides zero by "
        "zero. Set the weights of such a row to zero afterwards.",
        _but(weigh=lambda m, scores, mask: filled(-INF)(scores, mask)),
    ),
    Mistake("wrong-parameters", PARAMETERS, _NoBias),
    Mistake(
        "weights-detached",
        "Your numbers are right, but the weights are cut off from the parameters. Return them as "
        "they are, without .detach().",
        _but(finish=lambda m, x, w: (m.W_o(x), w.detach())),
    ),
)

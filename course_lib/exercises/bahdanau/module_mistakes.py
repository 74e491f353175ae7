"""The reference of `BahdanauAttention`, its steps apart, and what goes wrong in each."""

from functools import partial

import torch
from torch import nn

from course_lib.exercises import attention_parts as parts


class BahdanauAttention(nn.Module):
    """The module holds the three matrices as layers, so that an optimizer finds them and a saved
    model names them. `forward` is the three steps again: score, normalise over the source
    positions, blend the annotations. Where the mask leaves a row empty, the softmax of nothing but
    -inf is nan; writing zeros where the mask is False repairs that row and changes no other.

    Cost: What the scores cost, and B·S·m multiplications for the context."""

    def __init__(self, state_dim, annotation_dim, attention_dim):
        super().__init__()
        self.W_a = nn.Linear(state_dim, attention_dim, bias=False)
        self.U_a = nn.Linear(annotation_dim, attention_dim, bias=False)
        self.v_a = nn.Linear(attention_dim, 1, bias=False)

    def forward(self, state, annotations, mask=None):
        weights = self.weigh(self.scores(state, annotations), mask)
        return self.blend(weights, annotations), weights

    # The steps are apart so that each known mistake can exchange one of them.

    weigh = staticmethod(parts.weigh)

    def scores(self, state, annotations):
        hidden = torch.tanh(self.W_a(state)[:, None] + self.U_a(annotations))  # (B, S, a)
        return self.v_a(hidden)[..., 0]

    def blend(self, weights, annotations):
        return (weights[:, None] @ annotations)[:, 0]  # (B, m)


def _but(*sizes, weigh=parts.weigh, **steps):
    """The reference with steps exchanged; like a method, each takes `self`, but for `weigh`."""
    module = parts.exchanged(BahdanauAttention(*sizes), **steps)
    module.weigh = weigh
    return module


def _no_tanh(self, state, annotations):
    return self.v_a(self.W_a(state)[:, None] + self.U_a(annotations))[..., 0]


def _then(change):
    return lambda self, *args: change(*BahdanauAttention.forward(self, *args))


class Mistakes:
    def bias(state_dim, annotation_dim, attention_dim):
        """Your linear layers have a bias. Bahdanau's have none: bias=False."""
        module = BahdanauAttention(state_dim, annotation_dim, attention_dim)
        module.W_a = nn.Linear(state_dim, attention_dim)
        module.U_a = nn.Linear(annotation_dim, attention_dim)
        module.v_a = nn.Linear(attention_dim, 1)
        return module

    def v_as_parameter(*sizes):
        """v_a is a plain parameter here. Make it a linear layer to one number:
        nn.Linear(attention_dim, 1, bias=False)."""
        module = BahdanauAttention(*sizes)
        del module.v_a
        module.v_a = nn.Parameter(torch.randn(sizes[-1]))
        return module

    def joint_matrix(state_dim, annotation_dim, attention_dim):
        """You use one matrix for the joined [s; h]. It computes the same, but this task asks for
        two layers, W_a for the state and U_a for the annotations."""
        module = BahdanauAttention(state_dim, annotation_dim, attention_dim)
        module.W_a = nn.Linear(state_dim + annotation_dim, attention_dim, bias=False)
        del module.U_a
        return module

    def no_super(state_dim, annotation_dim, attention_dim):
        """Call `super().__init__()` first in `__init__`: a module must exist before it can hold
        layers."""
        module = BahdanauAttention.__new__(BahdanauAttention)
        module.W_a = nn.Linear(state_dim, attention_dim, bias=False)

    def no_tanh(*sizes):
        """The tanh is missing: without it the state adds the same number to every score, and the
        softmax ignores it."""
        return _but(*sizes, scores=_no_tanh)

    def tanh_outside(*sizes):
        """You take tanh of the finished score. It belongs inside, before v_a."""
        return _but(*sizes, scores=lambda *args: torch.tanh(_no_tanh(*args)))

    def state_ignored(*sizes):
        """The state changes nothing here, so every step looks at the same words. Add W_a(state)
        inside the tanh."""
        return _but(*sizes, scores=lambda self, s, h: self.v_a(torch.tanh(self.U_a(h)))[..., 0])

    def scaled(*sizes):
        """You divide the scores by a square root. That belongs to scaled dot-product attention."""
        return _but(
            *sizes,
            scores=lambda self, *args: (
                BahdanauAttention.scores(self, *args) / self.v_a.in_features**0.5
            ),
        )

    def mask_ignored(*sizes):
        """The mask changes nothing here. Where it is False the weight must be exactly zero."""
        return _but(*sizes, weigh=parts.unmasked)

    def mask_inverted(*sizes):
        """You use the mask the wrong way round. True means “may attend”; `masked_fill` wants
        `~mask`."""
        return _but(*sizes, weigh=parts.inverted)

    def masked_after(*sizes):
        """You mask after the softmax, so the remaining weights sum to less than one. Mask the
        scores, before the softmax."""
        return _but(*sizes, weigh=parts.masked_after)

    def scores_zeroed(*sizes):
        """You set masked scores to 0, but exp(0) is 1. Set them to -inf."""
        return _but(*sizes, weigh=parts.filled(0.0))

    def large_constant(*sizes):
        """You fill masked scores with a large negative number, so a sentence that is all padding
        attends to its padding. Its weights and its context must be zero."""
        return _but(*sizes, weigh=parts.filled(-1e9))

    def constant_too_high(*sizes):
        """You fill masked scores with a negative number, but an allowed score may be lower still:
        then the padding takes all the weight. Fill with -inf, which is lower than every number."""
        return _but(*sizes, weigh=parts.filled(parts.HIGH))

    def constant_too_high_then_zeros(*sizes):
        """You fill masked scores with a negative number, but an allowed score may be lower still:
        then it gets no weight, and the row is empty. Fill with -inf, lower than every number."""
        return _but(*sizes, weigh=parts.filled_and_zeroed)

    def nan_rows(*sizes):
        """A sentence that is all padding becomes nan. Put zeros where the mask is False, after the
        softmax."""
        return _but(*sizes, weigh=parts.filled(-parts.INF))

    def mask_needed(*sizes):
        """Without a mask your module fails. Mask the scores only `if mask is not None`."""
        return _but(*sizes, weigh=lambda scores, mask: parts.weigh(scores, ~~mask))

    def softmax_over_batch(*sizes):
        """You normalise over the batch. The weights of one sentence sum to one: dim=-1."""
        return _but(*sizes, weigh=partial(parts.weigh, dim=0))

    def no_softmax(*sizes):
        """You use the scores as weights. Put them through a softmax first."""
        return _but(*sizes, weigh=lambda scores, mask: scores * (1 if mask is None else mask))

    def masked_maximum(*sizes):
        """You subtract the largest score of all, forbidden ones too. If that one is far above the
        others, every allowed exponential is 0. Subtract the largest *allowed* score."""
        return _but(*sizes, weigh=parts.masked_maximum)

    def no_maximum(*sizes):
        """exp overflows for large scores. Use torch.softmax, or subtract the largest score
        first."""
        return _but(*sizes, weigh=parts.without_maximum)

    def projected_context(*sizes):
        """You blend U_a(annotations). The context is a blend of the annotations themselves, (B,
        m)."""
        return _but(*sizes, blend=lambda self, w, h: BahdanauAttention.blend(self, w, self.U_a(h)))

    def weights_unused(*sizes):
        """You average the annotations and leave the weights out. Multiply each by its weight."""
        return _but(*sizes, blend=lambda self, w, h: h.mean(1))

    def mean(*sizes):
        """You take the mean of the weighted annotations. The weights share out the whole already:
        take the sum."""
        return _but(*sizes, blend=lambda self, w, h: (w[..., None] * h).mean(1))

    def largest_only(*sizes):
        """You pick the annotation with the largest weight. The context blends them all."""
        return _but(*sizes, blend=lambda self, w, h: h[torch.arange(len(w)), w.argmax(-1)])

    def extra_axis(*sizes):
        """The context has an axis of length one too many. Its shape is (B, m): `squeeze(1)`."""
        return _but(*sizes, blend=lambda self, w, h: w[:, None] @ h)

    def weights_with_axis(*sizes):
        """The weights have an axis of length one too many. Their shape is (B, S): `squeeze(-1)`."""
        return _but(*sizes, forward=_then(lambda context, weights: (context, weights[..., None])))

    def context_only(*sizes):
        """You return the context alone. Return both: `context, weights`."""
        return _but(*sizes, forward=_then(lambda context, weights: context))

    def swapped(*sizes):
        """You return the weights first. The order is `context, weights`."""
        return _but(*sizes, forward=_then(lambda context, weights: (weights, context)))

    def detached(*sizes):
        """The weights are cut off from the scores, so W_a, U_a and v_a would never learn. Avoid
        detach, .data and no_grad."""
        return _but(*sizes, weigh=lambda scores, mask: parts.weigh(scores, mask).detach())

"""The reference of `BahdanauAttention`, and what goes wrong in it."""

import torch
from torch import nn

from course_lib.checker.tasks import Mistakes
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_mistakes import WEIGH


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
        hidden = torch.tanh(self.W_a(state)[:, None] + self.U_a(annotations))  # (B, S, a)
        scores = self.v_a(hidden)[..., 0]  # (B, S)
        weights = parts.weigh(scores, mask)
        context = (weights[:, None] @ annotations)[:, 0]  # (B, m)
        return context, weights


def _by_hand(scores, mask, top, small=0.0):
    """The softmax by hand, with the mask as a factor."""
    powers = torch.exp(scores - top)
    powers = powers if mask is None else powers * mask
    return powers / (powers.sum(-1, keepdim=True) + small)


def _allowed(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -parts.INF)


def _over_one(scores, mask):
    """The softmax over a last axis of length one: ones, and nan where that is forbidden."""
    return torch.softmax(_allowed(scores, mask)[..., None], -1)[..., 0]


def _largest(scores, mask):
    """The largest allowed score; 0 where there is none."""
    top = _allowed(scores, mask).amax(-1, keepdim=True)
    return top.masked_fill(top == -parts.INF, 0)


MISTAKES = Mistakes(BahdanauAttention)


@MISTAKES.says("""
    Your linear layers have a bias. Bahdanau's have none: bias=False.
""")
def bias(state_dim, annotation_dim, attention_dim):
    module = BahdanauAttention(state_dim, annotation_dim, attention_dim)
    module.W_a = nn.Linear(state_dim, attention_dim)
    module.U_a = nn.Linear(annotation_dim, attention_dim)
    module.v_a = nn.Linear(attention_dim, 1)
    return module


MISTAKES.change(
    "v-as-parameter",
    "self.v_a = nn.Linear(attention_dim, 1, bias=False)",
    "self.v_a = nn.Parameter(torch.randn(attention_dim))",
).says("""
    v_a is a plain parameter here. Make it a linear layer to one number: nn.Linear(attention_dim, 1,
    bias=False).
""")
MISTAKES.change(
    "joint-matrix",
    "nn.Linear(state_dim,",
    "nn.Linear(state_dim + annotation_dim,",
    "self.U_a = nn.Linear(annotation_dim, attention_dim, bias=False)",
    "pass",
).says("""
    You use one matrix for the joined [s; h]. It computes the same, but this task asks for two
    layers, W_a for the state and U_a for the annotations.
""")
MISTAKES.change("no-super", "super().__init__()", "pass").says("""
    Call `super().__init__()` first in `__init__`: a module must exist before it can hold layers.
""")
MISTAKES.change("no-tanh", "torch.tanh(", "(").says("""
    The tanh is missing: without it the state adds the same number to every score, and the softmax
    ignores it.
""")
MISTAKES.change(
    "tanh-outside", "torch.tanh(", "(", "self.v_a(hidden)", "self.v_a(hidden).tanh()"
).says("""
    You take tanh of the finished score. It belongs inside, before v_a.
""")
MISTAKES.change("state-ignored", "self.W_a(state)[:, None] + ", "").says("""
    The state changes nothing here, so every step looks at the same words. Add W_a(state) inside the
    tanh.
""")
MISTAKES.change(
    "scaled", "self.v_a(hidden)", "hidden.shape[-1] ** -0.5 * self.v_a(hidden)"
).says("""
    You divide the scores by a square root. That belongs to scaled dot-product attention.
""")
MISTAKES.change("mask-ignored", WEIGH, "parts.weigh(scores, None)").says("""
    The mask changes nothing here. Where it is False the weight must be exactly zero.
""")
MISTAKES.change("mask-inverted", WEIGH, "parts.inverted(scores, mask)").says("""
    You use the mask the wrong way round. True means “may attend”; `masked_fill` wants `~mask`.
""")
MISTAKES.change("masked-after", WEIGH, "parts.masked_after(scores, mask)").says("""
    You mask after the softmax, so the remaining weights sum to less than one. Mask the scores,
    before the softmax.
""")
MISTAKES.change(
    "divided-again", WEIGH, "(w := parts.masked_after(scores, mask)) / w.sum(-1, keepdim=True)"
).says("""
    You mask after the softmax and divide by what is left: where nothing is left, that is 0/0. Take
    the forbidden scores out before the softmax.
""")
MISTAKES.change("scores-zeroed", WEIGH, "parts.filled(scores, mask, 0.0)").says("""
    You set masked scores to 0, but exp(0) is 1. Set them to -inf.
""")
MISTAKES.change("large-constant", WEIGH, "parts.filled(scores, mask, -1e9)").says("""
    A sentence that is all padding gets equal weights, as it does when masked scores become a large
    negative number. Its weights and its context must be zero.
""")
MISTAKES.change("constant-too-high", WEIGH, "parts.filled(scores, mask, parts.HIGH)").says("""
    You fill masked scores with a negative number, but an allowed score may be lower still: then the
    padding takes all the weight. Fill with -inf, which is lower than every number.
""")
MISTAKES.change(
    "constant-too-high-then-zeros", WEIGH, "parts.filled_and_zeroed(scores, mask)"
).says("""
    You fill masked scores with a negative number, but an allowed score may be lower still: then it
    gets no weight, and the row is empty. Fill with -inf, lower than every number.
""")
MISTAKES.change("nan-rows", WEIGH, "parts.filled(scores, mask, -parts.INF)").says("""
    A sentence that is all padding becomes nan. Put zeros where the mask is False, after the
    softmax.
""")
MISTAKES.change(
    "nan-to-num",
    WEIGH,
    "parts.filled(scores, mask, -parts.INF)",
    "return context, weights",
    "return context.nan_to_num(), weights.nan_to_num()",
).says("""
    The values are right; the gradient of a sentence that is all padding is nan. `nan_to_num` at the
    end repairs the number and not its gradient: nan · 0 is nan on the way back. Put 0 where the
    mask is False right after the softmax, before the weights are used.
""")

"""What goes wrong in `BahdanauAttention`, in the order in which it is looked for."""

import torch
from torch import nn

from course_lib.checker.tasks import Mistakes
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_mistakes import WEIGH
from course_lib.exercises.bahdanau.module.task import BahdanauAttention
from course_lib.exercises.common import family

HIDDEN = "hidden = torch.tanh("
CONTEXT = "(weights[:, None] @ annotations)[:, 0]"
SMALL = ("1e-6", "1e-8", "1e-9", "1e-12")


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


MISTAKES = Mistakes(BahdanauAttention, globals())


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
    "batch-repeated",
    "self.W_a(state)[:, None]",
    "self.W_a(state).repeat(annotations.shape[1], 1).reshape(*annotations.shape[:2], -1)",
).says("""
    You repeat the whole batch and cut it anew, so annotations meet the state of another sentence.
    Give the state an axis, `W_a(state)[:, None]`, and it meets all annotations of its own.
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

BLEND = "(weights[:, None] @ annotations)[:, 0]"

MISTAKES.change("mask-needed", WEIGH, "parts.weigh(scores, ~~mask)").says("""
    Without a mask your module fails. Mask the scores only `if mask is not None`.
""")
MISTAKES.change(
    "annotations-masked",
    WEIGH,
    "parts.weigh(scores, None)",
    "@ annotations)",
    "@ (annotations if mask is None else annotations * mask[..., None]))",
).says("""
    You take the padding out of the annotations, and its weight is still given away. Mask the
    scores, before the softmax.
""")
sentence = """
    `squeeze()` takes away every axis of length one, also that of a single sentence or word. Name
    the axis: `squeeze(-1)` for the scores, `squeeze(1)` for the context.
"""
MISTAKES.change("all-squeezed", "[..., 0]", ".squeeze()").says(sentence)
MISTAKES.change("context-squeezed", "annotations)[:, 0]", "annotations).squeeze()").says(sentence)
MISTAKES.change(
    "both-squeezed", "[..., 0]", ".squeeze()", "annotations)[:, 0]", "annotations).squeeze()"
).says(sentence)
MISTAKES.change(
    "weights-squeezed", "return context, weights", "return context, weights.squeeze()"
).says(sentence)
MISTAKES.change("softmax-over-batch", WEIGH, "parts.weigh(scores, mask, 0)").says("""
    You normalise over the batch. The weights of one sentence sum to one: dim=-1.
""")
MISTAKES.change("no-softmax", WEIGH, "scores * (1 if mask is None else mask)").says("""
    You use the scores as weights. Put them through a softmax first.
""")
sentence = """
    You subtract the largest score of all, forbidden ones too. If that one is far above the others,
    every allowed exponential is 0. Subtract the largest *allowed* score.
"""
MISTAKES.change("masked-maximum", WEIGH, "parts.masked_maximum(scores, mask)").says(sentence)
for small in (1e-12, 1e-9, 1e-8):
    MISTAKES.change(
        f"masked-maximum-and-{small}",
        WEIGH,
        f"_by_hand(scores, mask, scores.amax(-1, keepdim=True), {small})",
    ).says(sentence)
sentence = """
    You take exp without subtracting the largest allowed score first, so for large scores it is inf,
    and for very negative ones 0. Subtract it, or use torch.softmax.
"""
MISTAKES.change("no-maximum", WEIGH, "parts.without_maximum(scores, mask)").says(sentence)
MISTAKES.change(
    "no-maximum-nan-to-zero", WEIGH, "_by_hand(_allowed(scores, mask), None, 0).nan_to_num()"
).says(sentence)
for small in (0, 1e-12, 1e-9, 1e-8):
    MISTAKES.change(f"no-maximum-and-{small}", WEIGH, f"_by_hand(scores, mask, 0, {small})").says(
        sentence
    )
sentence = """
    You add a small number to the sum, so the weights sum to less than one. Leave it out: with the
    largest exponential at 1, only a sentence of padding has a sum of 0.
"""
for small in (1e-6, 1e-7, 1e-8):
    MISTAKES.change(
        f"added-{small}",
        WEIGH,
        f"_by_hand(_allowed(scores, mask), None, _largest(scores, mask), {small})",
    ).says(sentence)
MISTAKES.change("projected-context", "@ annotations)", "@ self.U_a(annotations))").says("""
    You blend U_a(annotations). The context is a blend of the annotations themselves, (B, m).
""")
MISTAKES.change(
    "weights-unused", "(weights[:, None] @ annotations)[:, 0]", "annotations.mean(1)"
).says("""
    You average the annotations and leave the weights out. Multiply each by its weight.
""")
MISTAKES.change(
    "mean", "(weights[:, None] @ annotations)[:, 0]", "(weights[..., None] * annotations).mean(1)"
).says("""
    You take the mean of the weighted annotations. The weights share out the whole already: take the
    sum.
""")
MISTAKES.change(
    "largest-only",
    "(weights[:, None] @ annotations)[:, 0]",
    "annotations[torch.arange(len(weights)), weights.argmax(-1)]",
).says("""
    You pick the annotation with the largest weight. The context blends them all.
""")
MISTAKES.change(
    "extra-axis", "(weights[:, None] @ annotations)[:, 0]", "weights[:, None] @ annotations"
).says("""
    The context has an axis of length one too many. Its shape is (B, m): `squeeze(1)`.
""")
MISTAKES.change(
    "weights-with-axis", "return context, weights", "return context, weights[..., None]"
).says("""
    The weights have an axis of length one too many. Their shape is (B, S): `squeeze(-1)`.
""")
sentence = """
    Your scores keep the axis of length one that v_a leaves. The softmax over that axis makes a 1 of
    each, and the mask does not fit. Take it away: `self.v_a(…).squeeze(-1)`.
"""
family(
    MISTAKES,
    sentence,
    scores_with_axis=("(hidden)[..., 0]", "(hidden)", BLEND, "(weights * annotations).sum(1)"),
    scores_with_axis_blended=("(hidden)[..., 0]", "(hidden)"),
    scores_with_axis_turned=(
        "(hidden)[..., 0]",
        "(hidden)",
        BLEND,
        "(weights.transpose(1, 2) @ annotations)[:, 0]",
    ),
)
MISTAKES.change("context-only", "return context, weights", "return context").says("""
    You return the context alone. Return both: `context, weights`.
""")
MISTAKES.change("swapped", "return context, weights", "return weights, context").says("""
    You return the weights first. The order is `context, weights`.
""")
MISTAKES.change("detached", WEIGH, "parts.weigh(scores, mask).detach()").says("""
    The weights are cut off from the scores, so W_a, U_a and v_a would never learn. Avoid detach,
    .data and no_grad.
""")
MISTAKES.change(
    "annotations-kept",
    "self.U_a(annotations))",
    "vars(self).setdefault('kept', self.U_a(annotations)))",
).says("""
    Your module keeps U_a(annotations) of its first call, so the next batch is answered with the
    first one's. Project the annotations in each call.
""")
MISTAKES.change(
    "mask-kept", WEIGH, "parts.weigh(scores, vars(self).setdefault('mask', mask))"
).says("""
    Your module keeps the mask of its first call. A mask belongs to one batch: use the one that
    comes as an argument.
""")
family(
    MISTAKES,
    """All your weights are 1: the softmax runs over an axis of length one. `v_a(…)` is (B,
    S, 1); the words are axis 1. Take the last axis away first, or use `dim=1`.""",
    softmax_of_one=(WEIGH, "torch.ones_like(scores)"),
    softmax_of_one_masked=(
        WEIGH,
        "parts.filled(scores[..., None], mask if mask is None else mask[..., None], -parts.INF)"
        "[..., 0]",
    ),
    softmax_of_one_then_zeros=(
        WEIGH,
        "torch.ones_like(scores) * (1 if mask is None else mask)",
    ),
)
family(
    MISTAKES,
    """You mask after the softmax and divide by what is left and a small number. Where the
    padding had taken most of the weight, too little is left. Take the forbidden scores out
    before the softmax.""",
    **{
        f"divided_again_{small.replace('-', '')}": (
            WEIGH,
            "(w := parts.masked_after(scores, mask)) / (w.sum(-1, keepdim=True) + "
            f"{small} * (mask is not None))",
        )
        for small in SMALL
    },
)
family(
    MISTAKES,
    """You set the annotations of padding to 0, but their scores take part in the softmax
    all the same: exp of a score is never 0. Set the scores of padding to -inf.""",
    annotations_zeroed=(
        HIDDEN,
        "annotations = annotations if mask is None else annotations * mask[..., None]\n"
        "        hidden = torch.tanh(",
        WEIGH,
        "parts.weigh(scores, None)",
    ),
)
family(
    MISTAKES,
    """You take a large number away from forbidden scores. In a sentence that is all padding
    this changes nothing, for softmax sees differences alone. Put zeros where the mask is
    False, after the softmax.""",
    penalty=(WEIGH, "parts.penalised(scores, mask, 1e9)"),
    smaller_penalty=(WEIGH, "parts.penalised(scores, mask, 1e4)"),
)
family(
    MISTAKES,
    """You fill forbidden scores with a number that is not low enough: padding keeps some
    weight, for exp of it is not 0. Fill with -inf.""",
    minus_one=(WEIGH, "parts.filled(scores, mask, -1.0)"),
    minus_ten=(WEIGH, "parts.filled(scores, mask, -10.0)"),
)
family(
    MISTAKES,
    """Your second result is the scores. Return the weights, which the softmax has made of
    them.""",
    scores_returned=("return context, weights", "return context, scores"),
    filled_scores_returned=(
        "return context, weights",
        "return context, _allowed(scores, mask)",
    ),
)
family(
    MISTAKES,
    """Every state is combined with the annotations of every sentence. Give the weights an
    axis for the product, `weights[:, None] @ annotations`, and take it away again.""",
    every_sentence=(CONTEXT, "weights @ annotations"),
)
family(
    MISTAKES,
    """You blend the hidden numbers, tanh(…). The context is a blend of the annotations
    themselves, (B, m).""",
    context_of_hidden=(CONTEXT, "(weights[:, None] @ hidden)[:, 0]"),
)
family(
    MISTAKES,
    """You use a sigmoid or ReLU in the hidden layer. The formula has tanh.""",
    sigmoid=(HIDDEN, "hidden = torch.sigmoid("),
    relu=(HIDDEN, "hidden = torch.relu("),
)
family(
    MISTAKES,
    """You multiply W_a s with U_a h. This attention is called additive: add them.""",
    product=("+ self.U_a(annotations)", "* self.U_a(annotations)"),
)

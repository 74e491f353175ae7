"""What goes wrong in `BahdanauAttention`: each class exchanges one step of a right one."""

import torch
from torch import nn

from course_lib.exercises.attention_parts import INF, MASKED_MAXIMUM, filled, masked_maximum, weigh
from course_lib.grading.tasks import Mistake


def mistakes(right: type) -> tuple[Mistake, ...]:
    """The known mistakes, made from the right class."""

    def mistake(name: str, sentence: str, **steps) -> Mistake:
        return Mistake(name, sentence, type("BahdanauAttention", (right,), steps))

    def forward(change):
        return lambda self, *args: change(right.forward(self, *args))

    def biased(self, state_dim, annotation_dim, attention_dim):
        nn.Module.__init__(self)
        self.W_a = nn.Linear(state_dim, attention_dim)
        self.U_a = nn.Linear(annotation_dim, attention_dim)
        self.v_a = nn.Linear(attention_dim, 1)

    def v_as_parameter(self, state_dim, annotation_dim, attention_dim):
        right.__init__(self, state_dim, annotation_dim, attention_dim)
        self.v_a = None
        del self.v_a
        self.v_a = nn.Parameter(torch.randn(attention_dim))

    def joint(self, state_dim, annotation_dim, attention_dim):
        nn.Module.__init__(self)
        self.W_a = nn.Linear(state_dim + annotation_dim, attention_dim, bias=False)
        self.v_a = nn.Linear(attention_dim, 1, bias=False)

    def no_super(self, state_dim, annotation_dim, attention_dim):
        self.W_a = nn.Linear(state_dim, attention_dim, bias=False)

    def no_tanh(self, state, annotations):
        return self.v_a(self.W_a(state)[:, None] + self.U_a(annotations))[..., 0]

    def tanh_outside(self, state, annotations):
        return torch.tanh(no_tanh(self, state, annotations))

    def state_ignored(self, state, annotations):
        return self.v_a(torch.tanh(self.U_a(annotations)))[..., 0]

    def scaled(self, state, annotations):
        return right.scores(self, state, annotations) / self.v_a.in_features**0.5

    def no_maximum(self, scores, mask):
        exps = torch.exp(scores) if mask is None else torch.exp(scores) * mask
        total = exps.sum(-1, keepdim=True)
        return exps / total.masked_fill(total == 0, 1)

    return (
        mistake(
            "bias",
            "Your linear layers have a bias. Bahdanau's have none: bias=False.",
            __init__=biased,
        ),
        mistake(
            "v-as-parameter",
            "v_a is a plain parameter here. Make it a linear layer to one number: "
            "nn.Linear(attention_dim, 1, bias=False).",
            __init__=v_as_parameter,
        ),
        mistake(
            "joint-matrix",
            "You use one matrix for the joined [s; h]. It computes the same, but this task asks "
            "for two layers, W_a for the state and U_a for the annotations.",
            __init__=joint,
        ),
        mistake(
            "no-super",
            "Call `super().__init__()` first in `__init__`: a module must exist before it can hold "
            "layers.",
            __init__=no_super,
        ),
        mistake(
            "no-tanh",
            "The tanh is missing: without it the state adds the same number to every score, and "
            "the softmax ignores it.",
            scores=no_tanh,
        ),
        mistake(
            "tanh-outside",
            "You take tanh of the finished score. It belongs inside, before v_a.",
            scores=tanh_outside,
        ),
        mistake(
            "state-ignored",
            "The state changes nothing here, so every step looks at the same words. Add "
            "W_a(state) inside the tanh.",
            scores=state_ignored,
        ),
        mistake(
            "scaled",
            "You divide the scores by a square root. That belongs to scaled dot-product attention.",
            scores=scaled,
        ),
        mistake(
            "mask-ignored",
            "The mask changes nothing here. Where it is False the weight must be exactly zero.",
            weigh=lambda self, scores, mask: torch.softmax(scores, -1),
        ),
        mistake(
            "mask-inverted",
            "You use the mask the wrong way round. True means “may attend”; `masked_fill` wants "
            "`~mask`.",
            weigh=lambda self, scores, mask: weigh(scores, None if mask is None else ~mask),
        ),
        mistake(
            "masked-after",
            "You mask after the softmax, so the remaining weights sum to less than one. Mask the "
            "scores, before the softmax.",
            weigh=lambda self, scores, mask: (
                torch.softmax(scores, -1) * (1 if mask is None else mask)
            ),
        ),
        mistake(
            "scores-zeroed",
            "You set masked scores to 0, but exp(0) is 1. Set them to -inf.",
            weigh=lambda self, scores, mask: filled(0.0)(scores, mask),
        ),
        mistake(
            "large-constant",
            "You fill masked scores with a large negative number, so a sentence that is all "
            "padding attends to its padding. Its weights and its context must be zero.",
            weigh=lambda self, scores, mask: filled(-1e9)(scores, mask),
        ),
        mistake(
            "nan-rows",
            "A sentence that is all padding becomes nan. Put zeros where the mask is False, after "
            "the softmax.",
            weigh=lambda self, scores, mask: filled(-INF)(scores, mask),
        ),
        mistake(
            "mask-needed",
            "Without a mask your module fails. Mask the scores only `if mask is not None`.",
            weigh=lambda self, scores, mask: weigh(scores, ~~mask),
        ),
        mistake(
            "softmax-over-batch",
            "You normalise over the batch. The weights of one sentence sum to one: dim=-1.",
            weigh=lambda self, scores, mask: torch.softmax(
                scores if mask is None else scores.masked_fill(~mask, -INF), 0
            ).nan_to_num(),
        ),
        mistake(
            "no-softmax",
            "You use the scores as weights. Put them through a softmax first.",
            weigh=lambda self, scores, mask: scores * (1 if mask is None else mask),
        ),
        mistake(
            "masked-maximum",
            MASKED_MAXIMUM,
            weigh=lambda self, scores, mask: masked_maximum(scores, mask),
        ),
        mistake(
            "no-maximum",
            "exp overflows for large scores. Use torch.softmax, or subtract the largest score "
            "first.",
            weigh=no_maximum,
        ),
        mistake(
            "projected-context",
            "You blend U_a(annotations). The context is a blend of the annotations themselves, "
            "(B, m).",
            blend=lambda self, weights, annotations: right.blend(
                self, weights, self.U_a(annotations)
            ),
        ),
        mistake(
            "weights-unused",
            "You average the annotations and leave the weights out. Multiply each by its weight.",
            blend=lambda self, weights, annotations: annotations.mean(1),
        ),
        mistake(
            "mean",
            "You take the mean of the weighted annotations. The weights share out the whole "
            "already: take the sum.",
            blend=lambda self, weights, annotations: (weights[..., None] * annotations).mean(1),
        ),
        mistake(
            "largest-only",
            "You pick the annotation with the largest weight. The context blends them all.",
            blend=lambda self, weights, annotations: annotations[
                torch.arange(len(weights)), weights.argmax(-1)
            ],
        ),
        mistake(
            "extra-axis",
            "The context has an axis of length one too many. Its shape is (B, m): `squeeze(1)`.",
            blend=lambda self, weights, annotations: weights[:, None] @ annotations,
        ),
        mistake(
            "weights-with-axis",
            "The weights have an axis of length one too many. Their shape is (B, S): "
            "`squeeze(-1)`.",
            forward=forward(lambda pair: (pair[0], pair[1][..., None])),
        ),
        mistake(
            "context-only",
            "You return the context alone. Return both: `context, weights`.",
            forward=forward(lambda pair: pair[0]),
        ),
        mistake(
            "swapped",
            "You return the weights first. The order is `context, weights`.",
            forward=forward(lambda pair: pair[::-1]),
        ),
        mistake(
            "detached",
            "The weights are cut off from the scores, so W_a, U_a and v_a would never learn. Avoid "
            "detach, .data and no_grad.",
            weigh=lambda self, scores, mask: weigh(scores, mask).detach(),
        ),
    )

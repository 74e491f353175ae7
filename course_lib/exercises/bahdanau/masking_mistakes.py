"""What goes wrong in `BahdanauAttention` between scores and context, in many writings."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.attention_mistakes import WEIGH
from course_lib.exercises.common import family

HIDDEN = "hidden = torch.tanh("
CONTEXT = "(weights[:, None] @ annotations)[:, 0]"
SMALL = ("1e-6", "1e-8", "1e-9", "1e-12")


def masking_mistakes(mistakes: Mistakes) -> None:
    family(
        mistakes,
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
        mistakes,
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
        mistakes,
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
        mistakes,
        """You take a large number away from forbidden scores. In a sentence that is all padding
        this changes nothing, for softmax sees differences alone. Put zeros where the mask is
        False, after the softmax.""",
        penalty=(WEIGH, "parts.penalised(scores, mask, 1e9)"),
        smaller_penalty=(WEIGH, "parts.penalised(scores, mask, 1e4)"),
    )
    family(
        mistakes,
        """You fill forbidden scores with a number that is not low enough: padding keeps some
        weight, for exp of it is not 0. Fill with -inf.""",
        minus_one=(WEIGH, "parts.filled(scores, mask, -1.0)"),
        minus_ten=(WEIGH, "parts.filled(scores, mask, -10.0)"),
    )
    family(
        mistakes,
        """Your second result is the scores. Return the weights, which the softmax has made of
        them.""",
        scores_returned=("return context, weights", "return context, scores"),
        filled_scores_returned=(
            "return context, weights",
            "return context, _allowed(scores, mask)",
        ),
    )
    family(
        mistakes,
        """Every state is combined with the annotations of every sentence. Give the weights an
        axis for the product, `weights[:, None] @ annotations`, and take it away again.""",
        every_sentence=(CONTEXT, "weights @ annotations"),
    )
    family(
        mistakes,
        """You blend the hidden numbers, tanh(…). The context is a blend of the annotations
        themselves, (B, m).""",
        context_of_hidden=(CONTEXT, "(weights[:, None] @ hidden)[:, 0]"),
    )
    family(
        mistakes,
        """You use a sigmoid or ReLU in the hidden layer. The formula has tanh.""",
        sigmoid=(HIDDEN, "hidden = torch.sigmoid("),
        relu=(HIDDEN, "hidden = torch.relu("),
    )
    family(
        mistakes,
        """You multiply W_a s with U_a h. This attention is called additive: add them.""",
        product=("+ self.U_a(annotations)", "* self.U_a(annotations)"),
    )

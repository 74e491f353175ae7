"""Further slips in `BahdanauAttention`: masks, shapes and what is returned."""

from course_lib.exercises.attention_mistakes import WEIGH
from course_lib.exercises.bahdanau.masking_mistakes import masking_mistakes
from course_lib.exercises.bahdanau.module_mistakes import MISTAKES
from course_lib.exercises.common import family

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
masking_mistakes(MISTAKES)

"""What goes wrong in `scaled_dot_product_attention`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.attention_mistakes import (
    ROOT,
    WEIGH,
    given_mask_mistakes,
    mask_mistakes,
    one_of_two_mistakes,
    only_three_axes,
    over_queries,
    score_mistakes,
    small_number_mistakes,
    weighing_mistakes,
)
from course_lib.exercises.common import changes_input, detached, family, pair_mistakes
from course_lib.exercises.scaled_dot_product.attention.task import scaled_dot_product_attention

UNIT_BOTH = (
    "(query / query.norm(dim=-1, keepdim=True).clamp(min=1e-12)) "
    "@ (key / key.norm(dim=-1, keepdim=True).clamp(min=1e-12)).mT"
)
MISTAKES = Mistakes(scaled_dot_product_attention, globals())
score_mistakes(MISTAKES)
sentence = """
    You divide by √d_k after the softmax, which only makes the result smaller. Divide the scores,
    before it.
"""
MISTAKES.change("scaled-afterwards", f" / {ROOT}", "", WEIGH, f"{WEIGH} / {ROOT}").says(sentence)
MISTAKES.change(
    "output-scaled", f" / {ROOT}", "", "weights @ value", f"weights @ value / {ROOT}"
).says(sentence)
mask_mistakes(MISTAKES)
over_queries(MISTAKES)
sentence = """
    You add a negative number where the mask is False. A query that may attend to nothing gets it
    everywhere, and the softmax does not notice: its weights have to be zero. Fill with -inf, and
    give such a row zeros.
"""
for name, height in {"everything-when-nothing-is-allowed": "1e9", "a-small-penalty": "1e4"}.items():
    MISTAKES.change(name, WEIGH, f"parts.penalised(scores, mask, {height})").says(sentence)
MISTAKES.change(
    "entries-dropped", WEIGH, "parts.weigh(scores if mask is None else scores[mask], None)"
).says("""
    `scores[mask]` drops the forbidden scores, and the rows with them: one long row is left. Keep
    the shape (..., T, S), and give forbidden places a score of -inf.
""")
only_three_axes(MISTAKES)
MISTAKES.change(
    "only-three-axes-bmm", "query @ key.transpose(-2, -1)", "query.bmm(key.transpose(1, 2))"
).says("""
    Yours works for three axes alone, as `torch.bmm` and `transpose(1, 2)` do. Use `@` and
    `transpose(-2, -1)`: they work on the last two and leave whatever stands before them alone.
""")
pair_mistakes(MISTAKES, "output", "weights")
MISTAKES.change("scores-for-weights", "return output, weights", "return output, scores").says("""
    Your second result is the scores. Return the weights, after the softmax.
""")
MISTAKES.by(
    "always-float32",
    lambda q, k, v, mask=None: scaled_dot_product_attention(q.float(), k.float(), v.float(), mask),
).says("""
    Your result is float32 whatever comes in. Keep the dtype of the inputs: no .float(), and no new
    tensor without dtype=query.dtype.
""")
detached(MISTAKES)
changes_input(MISTAKES, "query")
weighing_mistakes(MISTAKES)
given_mask_mistakes(MISTAKES)
one_of_two_mistakes(MISTAKES)
small_number_mistakes(MISTAKES)
family(
    MISTAKES,
    """Your softmax runs over the third axis, whatever that is. With heads there are four, and
    the keys are the last: `dim=-1`.""",
    over_the_third_axis=("parts.weigh(scores, mask)", "parts.weigh(scores, mask, 2)"),
)
family(
    MISTAKES,
    """You scale queries or keys to length one. Attention takes them as they are, divided by
    √d_k once.""",
    unit_queries=("scores = query @", "scores = query / query.norm(dim=-1, keepdim=True) @"),
    unit_keys=("key.transpose", "(key / key.norm(dim=-1, keepdim=True)).transpose"),
    unit_both=(
        "query @ key.transpose(-2, -1)",
        UNIT_BOTH,
    ),
    unit_both_unscaled=(
        f"query @ key.transpose(-2, -1) / {ROOT}",
        UNIT_BOTH,
    ),
)
MISTAKES.change(
    "causal-by-habit",
    "parts.weigh(scores, mask)",
    "parts.weigh(scores, scores.new_ones(scores.shape).tril().bool() if mask is None else mask)",
).says("""
    Without a mask you make a causal one. Where `mask` is None, every query may attend to every key.
""")
MISTAKES.change(
    "scaled-with-a-mask-alone",
    "math.sqrt(query.shape[-1])",
    "(1 if mask is None else math.sqrt(query.shape[-1]))",
).says("""
    Without a mask your scores are not divided by √d_k.
""")
OF_NONE = "mask.any(-1, keepdim=True)"
MISTAKES.change(
    "zeros-in-the-output-alone",
    WEIGH,
    "parts.filled(scores, mask, parts.torch.finfo(scores.dtype).min)",
    "output = weights @ value",
    f"output = (weights @ value) * (1 if mask is None else {OF_NONE})",
).says("""
    Where a query may attend to nothing, your output is 0 and your weights are not. Set those
    weights to zero, `weights.masked_fill(~mask, 0)`: the output follows.
""")
MISTAKES.change(
    "mask-given-an-axis-with-heads",
    WEIGH,
    "parts.weigh(scores, mask.unsqueeze(1) if scores.ndim == 4 and mask is not None else mask)",
).says("""
    With heads you add an axis to the mask. It broadcasts to the scores as it comes.
""")
MISTAKES.change(
    "zeros-where-all-is-forbidden",
    WEIGH,
    "(parts.filled(scores, mask, -parts.INF) if mask is None or mask.any() "
    "else scores.new_zeros(scores.shape))",
).says("""
    You repair the rows only where the whole mask is False. Each row that may attend to nothing
    gets zeros, whatever the others may: `weights.masked_fill(~mask, 0)`.
""")

"""Task `scaled_dot_product_attention`: compare, scale, mask and mix, over any leading axes."""

import math

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_mistakes import (
    ROOT,
    WEIGH,
    mask_mistakes,
    only_three_axes,
    over_queries,
    score_mistakes,
)
from course_lib.exercises.common import (
    HEADS,
    MASKED,
    OVERFLOW,
    STRETCHED,
    TOO_HIGH,
    changes_input,
    detached,
    family,
    pair_mistakes,
)
from course_lib.exercises.weighing_mistakes import (
    given_mask_mistakes,
    one_of_two_mistakes,
    small_number_mistakes,
    weighing_mistakes,
)


def scaled_dot_product_attention(query, key, value, mask=None):
    """Compare, scale, normalise, blend. The dot product of two vectors of d_k independent entries
    with variance 1 has variance d_k, so dividing by √d_k keeps the scores at one size, whatever the
    dimension. Everything acts on the last two axes, so batches and heads go through the same lines.
    Forbidden scores become -inf before the softmax; a row of nothing else becomes nan, and zeros
    are written over it.

    Cost: T·S·(d_k + d_v) multiplications for each batch element, and T·S weights in memory."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., T, S)
    weights = parts.weigh(scores, mask)
    output = weights @ value
    return output, weights


def masked(axes: str):
    """Draws inputs with a mask over the named axes; "1" stands for an axis of length one."""

    def draw(s: Sampler) -> Inputs:
        query, key, value = parts.ragged(s, len(axes) - 2 if len(axes) > 2 else 2)
        lengths = {"B": query.shape[0], "H": query.shape[1], "1": 1}
        lengths |= {"T": query.shape[-2], "S": key.shape[-2]}
        return Inputs((query, key, value, s.mask(*(lengths[axis] for axis in axes))))

    return draw


case = Cases()
case("one sentence, no mask", parts.tiny)
case(
    "one sentence, with a mask",
    lambda s: (*parts.qkv(s, (1,), (2, 3, *s.dims(2))), s.mask(2, 3)),
    perhaps=MASKED,
)
case("a batch, each sentence with its own mask", masked("BTS"))
case("heads: four axes, a mask for each", masked("BHTS"), perhaps=HEADS)


@case("a query that may attend to nothing")
def nothing_allowed(s):
    query, key, value = parts.ragged(s)
    mask = s.mask(*query.shape[:-1], key.shape[-2])
    mask[:, 0] = False
    return parts.with_gradients(s, query, key, value, mask)


case("a forbidden score far above the others", parts.high_forbidden, perhaps=TOO_HIGH)
case.hidden(
    "allowed scores far below the forbidden ones",
    parts.low_allowed,
    dtypes=("float64",),
    perhaps=TOO_HIGH,
)
case.hidden("one mask row for all queries of a sentence", masked("B1S"), perhaps=STRETCHED)
case.hidden("one mask for all sentences and heads", masked("TS"), perhaps=STRETCHED)
case.hidden("one mask for all heads of a sentence", masked("B1TS"), perhaps=STRETCHED)
case.hidden(
    "a single query or a single key",
    lambda s: parts.qkv(s, (2,), [(1, 4, 3, 2), (3, 1, 2, 4), (1, 1, 2, 3)][s.size % 3]),
)
case.hidden(
    "scores in the thousands stay finite",
    lambda s: parts.ragged(s, scale=60.0),
    dtypes=("float64",),
    perhaps=OVERFLOW,
)
case.hidden(
    "gradients reach queries, keys and values",
    lambda s: parts.with_gradients(s, *parts.ragged(s, axes=2)),
)


MISTAKES = Mistakes(scaled_dot_product_attention)
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
    torch.bmm takes exactly three axes. Use `@`, which works on the last two and leaves whatever
    stands before them alone.
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
)


HINTS = (
    "Four steps: compare each query with each key, scale, turn rows into weights, mix the values. "
    "Write the shape after each; only the last two axes take part.",
    "`query @ key.transpose(-2, -1)` makes all scores. Divide them by the square root of "
    "`query.shape[-1]`, and put -inf where the mask is False before the softmax over the last "
    "axis; `masked_fill` broadcasts the mask for you.",
    "A row of -inf becomes NaN in the softmax. After it, fill the forbidden places with 0: that "
    "changes nothing in the other rows and repairs those.",
)
ATTENTION = task(MISTAKES, 5, case.all, HINTS, returns=("output", "weights"))

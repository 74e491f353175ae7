"""Task `scaled_dot_product_attention`: compare, scale, mask and mix, over any leading axes."""

import math

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_mistakes import (
    ROOT,
    WEIGH,
    constant_mistakes,
    keys_reversed,
    maximum_mistakes,
    scaling_mistakes,
    third_axis,
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
    return weights @ value, weights


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
case("one sentence, with a mask", lambda s: (*parts.qkv(s, (1,), (2, 3, *s.dims(2))), s.mask(2, 3)))
case("a batch, each sentence with its own mask", masked("BTS"))
case("heads: four axes, a mask for each", masked("BHTS"))


@case("a query that may attend to nothing")
def nothing_allowed(s):
    query, key, value = parts.ragged(s)
    mask = s.mask(*query.shape[:-1], key.shape[-2])
    mask[:, 0] = False
    return parts.with_gradients(s, query, key, value, mask)


case("a forbidden score far above the others", parts.high_forbidden)
case.hidden("allowed scores far below the forbidden ones", parts.low_allowed, dtypes=("float64",))
case.hidden("one mask row for all queries of a sentence", masked("B1S"))
case.hidden("one mask for all sentences and heads", masked("TS"))
case.hidden("one mask for all heads of a sentence", masked("B1TS"))
case.hidden(
    "a single query or a single key",
    lambda s: parts.qkv(s, (2,), [(1, 4, 3, 2), (3, 1, 2, 4), (1, 1, 2, 3)][s.size % 3]),
)
case.hidden(
    "scores in the thousands stay finite",
    lambda s: parts.ragged(s, scale=60.0),
    dtypes=("float64",),
)
case.hidden(
    "gradients reach queries, keys and values",
    lambda s: parts.with_gradients(s, *parts.ragged(s, axes=2)),
)


def _penalty(scores, mask, height):
    return parts.weigh(scores if mask is None else scores - (~mask) * height, None)


GIVES = "return weights @ value, weights"
MISTAKES = Mistakes(scaled_dot_product_attention)
scaling_mistakes(MISTAKES)
third_axis(MISTAKES)
says = MISTAKES("""You divide by √d_k after the softmax, which only makes the result smaller. Divide
    the scores, before it.""")
says.change("scaled-afterwards", f" / {ROOT}", "", WEIGH, f"{WEIGH} / {ROOT}")
says.change(
    "output-scaled", f" / {ROOT}", "", "return weights @ value", f"return weights @ value / {ROOT}"
)
keys_reversed(MISTAKES)
MISTAKES("""Your softmax runs over the queries. Each query shares its attention among the keys: take
    the last axis, so that every row of the weights sums to
    one.""").change("softmax-over-queries", WEIGH, "parts.weigh(scores, mask, -2)")
MISTAKES("""You read the mask the wrong way round. True means “may attend”: it is the False places
    that get no weight.""").change("mask-inverted", WEIGH, "parts.inverted(scores, mask)")
MISTAKES("""Your mask changes nothing. Where it is False, take the score out of the
    softmax.""").change("mask-ignored", WEIGH, "parts.weigh(scores, None)")
MISTAKES("""You multiply the weights by the mask after the softmax, so rows no longer sum to one.
    Take the forbidden scores out before the
    softmax.""").change("mask-after-softmax", WEIGH, "parts.masked_after(scores, mask)")
MISTAKES("""You mask after the softmax and divide by what is left: where nothing is left, that is
    0/0. Take the forbidden scores out before the softmax.""").change(
    "divided-again",
    WEIGH,
    "(w := parts.masked_after(scores, mask)) / w.sum(-1, keepdim=True)",
)
MISTAKES("""You multiply the scores by the mask. A score of 0 still gets weight, for exp(0) = 1: a
    forbidden score has to be -inf before the softmax.""").change(
    "mask-times-scores", WEIGH, "parts.weigh(scores if mask is None else scores * mask, None)"
)
MISTAKES("""You add the boolean mask to the scores, which adds one where attention is allowed. Set
    the forbidden scores to -inf instead.""").change(
    "mask-added", WEIGH, "parts.weigh(scores if mask is None else scores + mask, None)"
)
MISTAKES("""A query that may attend to nothing gets equal weights, because all its scores became the
    same large negative number. Its weights and its output have to be
    zero.""").change("uniform-when-nothing-is-allowed", WEIGH, "parts.filled(scores, mask, -1e9)")
MISTAKES("""A query that may attend to nothing gets NaN: the softmax of a row of -inf divides zero
    by zero. Set the weights of such a row to zero afterwards.""").change(
    "nan-when-nothing-is-allowed", WEIGH, "parts.filled(scores, mask, -parts.INF)"
)
MISTAKES("""You add a large negative number where the mask is False. A query that may attend to
    nothing gets it everywhere, and the softmax does not notice. Its weights have to be
    zero.""").change("everything-when-nothing-is-allowed", WEIGH, "_penalty(scores, mask, 1e9)")
MISTAKES("""You add a negative number where the mask is False. A query that may attend to nothing
    gets it everywhere, and the softmax does not notice. Fill with -inf; its weights are
    0.""").change("a-small-penalty", WEIGH, "_penalty(scores, mask, 1e4)")
constant_mistakes(MISTAKES)
MISTAKES("""`scores[mask]` drops the forbidden scores, and the rows with them: one long row is left.
    Keep the shape (..., T, S), and give forbidden places a score of -inf.""").change(
    "entries-dropped", WEIGH, "parts.weigh(scores if mask is None else scores[mask], None)"
)
MISTAKES("""`scores[~mask]` needs a mask of the scores' own shape, but one mask may serve many
    queries, sentences and heads. `masked_fill` and `torch.where` stretch
    it.""").change("mask-not-broadcast", WEIGH, "parts.not_broadcast(scores, mask)")
maximum_mistakes(MISTAKES)
says = MISTAKES("""You expect exactly three axes. Work on the last two, -2 and -1, and leave
    whatever stands before them alone: with heads there are four axes.""")
says.change(
    "only-three-axes", "scores = query", "_batch, _length, _d_k = query.shape\n    scores = query"
)
says.change(
    "only-three-axes-bmm", "query @ key.transpose(-2, -1)", "query.bmm(key.transpose(1, 2))"
)
MISTAKES("""You return the output alone. Return the pair (output,
    weights).""").change("output-alone", GIVES, "return weights @ value")
MISTAKES("""You return the weights first. Return (output, weights), in this
    order.""").change("weights-first", GIVES, "return weights, weights @ value")
MISTAKES("""Your second result is None. Return the weights: (output,
    weights).""").change("weights-missing", GIVES, "return weights @ value, None")
MISTAKES("""You return the weights alone. Return the pair (output,
    weights).""").change("weights-alone", GIVES, "return weights")
MISTAKES("""You return a list. Return a tuple, (output,
    weights).""").change("list", GIVES, "return [weights @ value, weights]")
MISTAKES("""Your second result is the scores. Return the weights, after the
    softmax.""").change("scores-for-weights", GIVES, "return weights @ value, scores")
MISTAKES("""Your result is float32 whatever comes in. Keep the dtype of the inputs: no .float(), and
    no new tensor without dtype=query.dtype.""").by(
    "always-float32",
    lambda q, k, v, mask=None: scaled_dot_product_attention(q.float(), k.float(), v.float(), mask),
)
MISTAKES("""Your numbers are right, but no gradient flows back: the result was detached, or made
    under no_grad. Stay with torch operations on the inputs
    themselves.""").change("detached", GIVES, "return (weights @ value).detach(), weights.detach()")
MISTAKES("""You scale `query` in place, but it belongs to the caller (`/=` writes into it). Make a
    new tensor instead.""").change(
    "changes-query",
    " / math.sqrt(query.shape[-1])",
    "",
    "query @ key",
    "query.div_(math.sqrt(query.shape[-1])) @ key",
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
ATTENTION = task(MISTAKES, 7, case.all, HINTS)

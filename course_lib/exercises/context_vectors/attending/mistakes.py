"""What goes wrong in `attend`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.context_vectors.attending.task import attend, scores
from course_lib.exercises.softmax.masked import mistakes as masked


def _masked(scores, mask):
    return np.where(mask, scores, 0).astype(scores.dtype)


MISTAKES = Mistakes(attend, globals())
MISTAKES.change(
    "scaled", "swapaxes(-1, -2)", "swapaxes(-1, -2) / queries.shape[-1] ** 0.5"
).says("""
    You divide the scores by the square root of d. Here they are plain dot products; scaling comes
    in exercise 07.
""")
MISTAKES.change(
    "masked-maximum", "masked.masked_softmax(", "masked.MISTAKES['masked-maximum']("
).says("""
    You subtract the largest score of all, masked ones too. If that one is far above the others,
    every allowed exponential is 0. Subtract the largest *allowed* score.
""")
MISTAKES.change(
    "maximum-of-all", "masked.masked_softmax(", "masked.MISTAKES['maximum-of-all']("
).says("""
    You subtract the largest allowed score of the whole array. In a row far below it every
    exponential is 0. Take the largest of each query's row, along the last axis.
""")
MISTAKES.change("mask-ignored", "np.True_ if mask is None else mask", "np.True_").says("""
    The mask changes nothing here. Where it is False the weight must be exactly zero.
""")
MISTAKES.change("mask-inverted", "else mask", "else ~mask").says("""
    You use the mask the wrong way round. True means “may attend”. (With `np.where(mask, a, b)` a is
    taken where the mask is True.)
""")
MISTAKES.change(
    "masked-after", "masked.masked_softmax(", "masked.MISTAKES['masked-after']("
).says("""
    You mask after the softmax, so the remaining weights sum to less than one. Mask the scores,
    before the softmax.
""")
MISTAKES.change(
    "scores-zeroed", "masked.masked_softmax(", "masked.MISTAKES['scores-zeroed']("
).says("""
    You give masked scores the value 0, as multiplying by the mask does. A score of 0 still gets
    weight, since exp(0) is 1. Set masked scores to -inf instead.
""")
MISTAKES.change(
    "large-constant", "masked.masked_softmax(", "masked.MISTAKES['large-constant']("
).says("""
    A query with nothing to attend to gets equal weights, as it does when masked scores become a
    large negative number. Its weights and its context must be zero.
""")
MISTAKES.change(
    "constant-too-high", "masked.masked_softmax(", "masked.MISTAKES['constant-too-high']("
).says("""
    You give masked scores a negative number, but an allowed score may be lower still: then the
    masked ones take all the weight. Use -inf, which is lower than every number.
""")
MISTAKES.change("keys-reversed", "keys.swapaxes(-1, -2)", "keys.T").says("""
    `keys.T` turns all three axes round, to (d, S, B). Sentences stay where they are: swap the last
    two axes alone, `keys.swapaxes(-1, -2)`.
""")
MISTAKES.change("scores-transposed", "queries @ keys.swap", "keys @ queries.swap").says("""
    Your scores have a column for each query. They need a row for each query and a column for each
    key, (B, T, S): `queries @ keys.swapaxes(-1, -2)`.
""")
MISTAKES.change("nan-rows", "masked.masked_softmax(", "masked.MISTAKES['nan-rows'](").says("""
    A query with nothing to attend to becomes nan. Give it weights of zero; its context is then zero
    too. Put 0 in place of a maximum of -inf, and 1 in place of a sum of 0.
""")
MISTAKES.change(
    "mask-not-broadcast", "masked.masked_softmax(", "masked.MISTAKES['mask-not-broadcast']("
).says("""
    `scores[~mask]` needs a mask of the scores' own shape, but one mask may serve many queries.
    `np.where(mask, scores, …)` stretches it.
""")
MISTAKES.change("softmax-over-queries", "else mask)", "else mask, 1)").says("""
    You normalise over the queries. The weights of one query, a row, sum to one: take the softmax
    along the last axis.
""")
MISTAKES.change("no-maximum", "masked.masked_softmax(", "masked.MISTAKES['no-maximum'](").says("""
    exp overflows for large scores. Subtract the largest score of each row first.
""")
MISTAKES.change("no-softmax", "masked.masked_softmax(scores,", "_masked(scores,").says("""
    You use the scores as weights. Put them through the softmax first.
""")
MISTAKES.change("keys-as-values", "weights @ values", "weights @ keys").says("""
    You blend the keys. Keys decide the weights; the context is a blend of the values.
""")
MISTAKES.change(
    "context-only", "return weights @ values, weights", "return weights @ values"
).says("""
    You return the context alone. Return both: `context, weights`.
""")
MISTAKES.change(
    "swapped", "return weights @ values, weights", "return weights, weights @ values"
).says("""
    You return the weights first. The order is `context, weights`.
""")
MISTAKES.change(
    "as-list", "return weights @ values, weights", "return [weights @ values, weights]"
).says("""
    You return a list. Return a tuple: `return context, weights`.
""")
MISTAKES.change(
    "none-forbids",
    "np.True_ if mask is None else mask",
    "np.bool_(False) if mask is None else mask",
).says("""
    Without a mask everything is forbidden: `np.where(None, …)` takes None for False. Use a mask
    only `if mask is not None`.
""")
called = "masked.masked_softmax("
context = "weights @ values"
for written in (
    "queries @ keys",
    "keys @ queries",
    "queries.T @ keys",
    "keys.T @ queries",
    "queries @ keys.transpose(1, 0, 2)",
    "np.dot(queries, keys)",
    "np.dot(queries, keys.T)",
    "np.dot(queries, keys.swapaxes(1, 2))",
    "queries * keys",
    "(queries * keys).sum(-1)",
    "np.tensordot(queries, keys, 1)",
    "queries[:, None] * keys",
    "queries[:, :, None] @ keys",
    "queries.swapaxes(1, 2) @ keys",
):
    MISTAKES.change(f"scores-{written}", scores, written).says(f"""
        `{written}`, or what does the same, does not give (B, T, S), each query with each key of
        its own sentence. `queries @ keys.swapaxes(1, 2)` does: `@` works on the last two axes.
    """)
MISTAKES.change(
    "keys-reshaped", scores, "queries @ keys.reshape(len(keys), -1, keys.shape[1])"
).says("""
    `reshape` cuts the numbers into new rows in the order in which they are stored; it does not
    swap axes. `keys.swapaxes(1, 2)` does.
""")
MISTAKES.change("mean-for-sum", scores, f"{scores} / queries.shape[-1]").says("""
    You take the mean of the products, or divide the scores by d. A score is their sum.
""")
MISTAKES.change("scaled-up", scores, f"{scores} * queries.shape[-1] ** 0.5").says("""
    You multiply the scores by the square root of d. Here they are plain dot products.
""")
MISTAKES.change("scaled-by-d_v", scores, f"{scores} / values.shape[-1] ** 0.5").says("""
    You divide the scores by the square root of d_v. Here they are plain dot products.
""")
MISTAKES.change("scaled-by-wide-root", scores, f"{scores} / np.sqrt(queries.shape[-1])").says("""
    You divide the scores by the square root of d. Here they are plain dot products; scaling
    comes in exercise 07.
""")
MISTAKES.change(
    "cosine",
    scores,
    "(queries / np.linalg.norm(queries, axis=-1, keepdims=True)) "
    "@ (keys / np.linalg.norm(keys, axis=-1, keepdims=True)).swapaxes(1, 2)",
).says("""
    You divide by the lengths of the vectors; that is the cosine. The dot product keeps the
    lengths.
""")
MISTAKES.change(
    "distance", scores, "-np.linalg.norm(queries[:, :, None] - keys[:, None], axis=-1)"
).says("""
    Your score is the negative distance. It is the dot product: multiply and add up.
""")
MISTAKES.change("negated", scores, f"-({scores})").says("""
    The key that matches best gets the smallest weight: a sign is the wrong way round.
""")
MISTAKES.change("first-keys", scores, "queries @ keys[0].T").says("""
    You score with the keys of the first sentence for the whole batch. `keys.swapaxes(1, 2)`
    keeps them apart.
""")
as_in_masked_softmax = (
    "constant-added large-constant-added infinity-times-zero zero-times-infinity "
    "smallest-score smallest-score-then-zeros exponentials-times-mask masked-below-alone "
    "exponentials-times-mask-guarded "
    "no-keepdims sum-over-everything whole-array empty-rows-unmasked all-zero-if-one-row-is "
    "mask-inverted-with-infinity mask-added clipped not-divided counted absolute-maximum "
    "filled-with--1 filled-with--5 filled-with--10 filled-with--50 rounded entries-dropped "
    "filled-with--9999 plus-infinity"
)
for name in as_in_masked_softmax.split():
    (said,) = (one.sentence for one in masked.MISTAKES.all if one.name == name)
    MISTAKES.change(name, called, f"masked.MISTAKES[{name!r}](").says(
        said.replace("`axis`", "the last axis")
    )
MISTAKES.change("sum-over-queries", called, "masked.MISTAKES['sum-along-1'](").says("""
    Your sum runs over the queries. Each query's weights sum to one: take it along the last
    axis, the keys.
""")
MISTAKES.change("sum-over-batch", called, "masked.MISTAKES['sum-along-0'](").says("""
    Your sum runs over the batch. (Python's own `sum` adds along the first axis.) Each query's
    weights sum to one: take it along the last axis, the keys.
""")
MISTAKES.change("softmax-over-batch", "else mask)", "else mask, 0)").says("""
    You normalise over the batch. The weights of one query, a row, sum to one: take the softmax
    along the last axis.
""")
for name, words in {
    "context-of-scores": ("weights @ values, weights", "scores @ values, weights"),
    "context-of-masked-scores": (
        "weights @ values, weights",
        "_masked(scores, np.True_ if mask is None else mask) @ values, weights",
    ),
    "context-of-infinite-scores": (
        "weights @ values, weights",
        "np.where(np.True_ if mask is None else mask, scores, -np.inf) @ values, weights",
    ),
}.items():
    MISTAKES.change(name, *words).says("""
        Your weights are right, but the context is made with the scores. Blend the values with
        the weights: `weights @ values`.
    """)
MISTAKES.change("scores-returned", "weights @ values, weights", "weights @ values, scores").says("""
    Your context is right, but your second result holds the scores. Return the weights.
""")
MISTAKES.change(
    "masked-scores-returned",
    "weights @ values, weights",
    "weights @ values, np.where(np.True_ if mask is None else mask, scores, -np.inf)",
).says("""
    Your context is right, but your second result holds the masked scores. Return the weights.
""")
MISTAKES.change(
    "exponentials-returned",
    "weights @ values, weights",
    "weights @ values, np.exp(scores - scores.max(-1, keepdims=True))",
).says("""
    Your context is right, but your second result holds exponentials. Return the weights.
""")
MISTAKES.change("weights-alone", "weights @ values, weights", "weights").says("""
    You return the weights alone. Return both: `context, weights`.
""")
MISTAKES.change(
    "three-results", "weights @ values, weights", "weights @ values, weights, scores"
).says("""
    You return three things. Return two: `context, weights`.
""")
for written in (
    "weights * values",
    "values @ weights",
    "weights.T @ values",
    "weights @ values.T",
    "weights.swapaxes(1, 2) @ values",
    "weights @ values.swapaxes(1, 2)",
    "weights.transpose(1, 0, 2) @ values",
    "np.dot(weights, values)",
    "np.tensordot(weights, values, 1)",
    "weights[:, :, None] * values",
    "weights[..., None] * values",
    "np.einsum('bts,csd->btd', weights, values)",
    "np.einsum('bts,bsd->td', weights, values)",
    "np.einsum('bts,bsd->bd', weights, values)",
    "np.einsum('bts,bsd->bsd', weights, values)",
):
    MISTAKES.change(f"context-{written}", "weights @ values,", f"{written},").says(f"""
        Your context is `{written}`, or what does the same. Each query blends the values of its
        own sentence, Σ_s weights[b, t, s]·values[b, s]: `weights @ values` does that.
    """)
MISTAKES.change("queries-as-values", context + ",", "weights @ queries,").says("""
    You blend the queries. The context is a blend of the values.
""")
MISTAKES.change("first-values", context + ",", "weights @ values[0],").says("""
    You blend the values of the first sentence for the whole batch. Use those of each sentence.
""")
MISTAKES.change("mean-of-weighted", context + ",", "weights @ values / keys.shape[1],").says("""
    You divide the context by the number of keys. The weights sum to one already: take the sum.
""")
MISTAKES.change(
    "largest-value",
    context + ",",
    "np.take_along_axis(values, weights.argmax(-1)[..., None], 1),",
).says("""
    Your context is the value with the largest weight. It is the sum of all values, each times
    its weight.
""")
MISTAKES.change("softmax-again", context + ",", "masked.softmax(weights) @ values,").says("""
    You put the weights through a softmax once more for the context. Use them as they are.
""")
MISTAKES.change("two-softmaxes", called + "scores", called + "masked.softmax(scores)").says("""
    You take the softmax twice, so the weights are nearly equal. Once is enough, of the scores.
""")
MISTAKES.change("context-rescaled", context + ",", "weights @ values * keys.shape[1],").says("""
    You multiply the context by the number of keys. The context is the weighted sum as it is.
""")
sentence = """
    `if mask:` and `if mask != None:` ask a whole array for one truth value. Whether a mask was
    given, `if mask is not None:` asks.
"""


@MISTAKES.says(sentence)
def truth_of_the_mask(queries, keys, values, mask=None):
    return attend(queries, keys, values, mask if mask else None)


@MISTAKES.says("""
    Without a mask your answer fails: `~` of None is an error. Mask the scores only `if mask is
    not None`.
""")
def mask_needed(queries, keys, values, mask=None):
    return attend(queries, keys, values, ~(~mask))


@MISTAKES.says("""
    The mask may have one row, or one sentence, for all: `np.broadcast_to(mask, scores.shape)`,
    or `np.where`, stretches it. Your index goes beyond it, or finds an axis too few.
""")
def mask_indexed(queries, keys, values, mask=None):
    scores = queries @ keys.swapaxes(1, 2)
    if mask is not None:
        for b in range(scores.shape[0]):
            for t in range(scores.shape[1]):
                scores[b, t][~mask[b, t]] = -np.inf
    weights = np.nan_to_num(masked.softmax(scores))
    return weights @ values, weights


@MISTAKES.says("""
    You use the mask of the first sentence for the whole batch. Each sentence may have its own.
""")
def first_mask(queries, keys, values, mask=None):
    return attend(queries, keys, values, mask if mask is None or mask.ndim < 3 else mask[:1])


@MISTAKES.says("""
    You use the mask of the first query for all. Each query may have its own row.
""")
def first_row_of_the_mask(queries, keys, values, mask=None):
    return attend(
        queries, keys, values, mask if mask is None or mask.ndim < 2 else mask[..., :1, :]
    )


@MISTAKES.says("""
    You add an axis to the mask. It broadcasts to the scores as it comes.
""")
def axis_added_to_the_mask(queries, keys, values, mask=None):
    return attend(queries, keys, values, None if mask is None else mask[:, None])


@MISTAKES.says("""
    A query with nothing to attend to: its weights are zero, and its context is still nan.
    Repair the weights first, and make the context with the repaired ones.
""")
def context_before_the_repair(queries, keys, values, mask=None):
    weights = masked.MISTAKES["nan-rows"](
        queries @ keys.swapaxes(1, 2), np.True_ if mask is None else mask
    )
    return weights @ values, np.nan_to_num(weights)


@MISTAKES.says("""
    A query with nothing to attend to: its context is zero, and its weights are still nan.
    Repair the weights, and make the context with the repaired ones.
""")
def context_alone_repaired(queries, keys, values, mask=None):
    weights = masked.MISTAKES["nan-rows"](
        queries @ keys.swapaxes(1, 2), np.True_ if mask is None else mask
    )
    return np.nan_to_num(weights) @ values, weights


@MISTAKES.says("""
    Your weights are masked, but the context is made with weights that are not. Mask first, and
    use the masked weights for both.
""")
def context_unmasked(queries, keys, values, mask=None):
    return attend(queries, keys, values)[0], attend(queries, keys, values, mask)[1]


@MISTAKES.says("""
    Your context is masked, but the weights that you return are not. Return the weights that
    made the context.
""")
def weights_unmasked(queries, keys, values, mask=None):
    return attend(queries, keys, values, mask)[0], attend(queries, keys, values)[1]


always_float64(MISTAKES)
changes_input(MISTAKES, "queries", "values")

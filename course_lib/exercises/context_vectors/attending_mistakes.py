"""More of what goes wrong in `attend`: its products, its mask, and what it returns."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.softmax import masked


def slips(mistakes: Mistakes) -> None:
    """Changes of one step of the reference, by the step."""
    scores = "queries @ keys.swapaxes(-1, -2)"
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
        mistakes.change(f"scores-{written}", scores, written).says(f"""
            `{written}`, or what does the same, does not give (B, T, S), each query with each key of
            its own sentence. `queries @ keys.swapaxes(1, 2)` does: `@` works on the last two axes.
        """)
    mistakes.change(
        "keys-reshaped", scores, "queries @ keys.reshape(len(keys), -1, keys.shape[1])"
    ).says("""
        `reshape` cuts the numbers into new rows in the order in which they are stored; it does not
        swap axes. `keys.swapaxes(1, 2)` does.
    """)
    mistakes.change("mean-for-sum", scores, f"{scores} / queries.shape[-1]").says("""
        You take the mean of the products, or divide the scores by d. A score is their sum.
    """)
    mistakes.change("scaled-up", scores, f"{scores} * queries.shape[-1] ** 0.5").says("""
        You multiply the scores by the square root of d. Here they are plain dot products.
    """)
    mistakes.change("scaled-by-d_v", scores, f"{scores} / values.shape[-1] ** 0.5").says("""
        You divide the scores by the square root of d_v. Here they are plain dot products.
    """)
    mistakes.change(
        "scaled-by-wide-root", scores, f"{scores} / np.sqrt(queries.shape[-1])"
    ).says("""
        You divide the scores by the square root of d. Here they are plain dot products; scaling
        comes in exercise 07.
    """)
    mistakes.change(
        "cosine",
        scores,
        "(queries / np.linalg.norm(queries, axis=-1, keepdims=True)) "
        "@ (keys / np.linalg.norm(keys, axis=-1, keepdims=True)).swapaxes(1, 2)",
    ).says("""
        You divide by the lengths of the vectors; that is the cosine. The dot product keeps the
        lengths.
    """)
    mistakes.change(
        "distance", scores, "-np.linalg.norm(queries[:, :, None] - keys[:, None], axis=-1)"
    ).says("""
        Your score is the negative distance. It is the dot product: multiply and add up.
    """)
    mistakes.change("negated", scores, f"-({scores})").says("""
        The key that matches best gets the smallest weight: a sign is the wrong way round.
    """)
    mistakes.change("first-keys", scores, "queries @ keys[0].T").says("""
        You score with the keys of the first sentence for the whole batch. `keys.swapaxes(1, 2)`
        keeps them apart.
    """)
    as_in_masked_softmax = (
        "constant-added large-constant-added infinity-times-zero zero-times-infinity "
        "smallest-score smallest-score-then-zeros exponentials-times-mask masked-below-alone "
        "no-keepdims sum-over-everything whole-array empty-rows-unmasked all-zero-if-one-row-is "
        "mask-inverted-with-infinity mask-added clipped not-divided counted absolute-maximum "
        "filled-with--1 filled-with--5 filled-with--10 filled-with--50 rounded entries-dropped "
        "plus-infinity"
    )
    for name in as_in_masked_softmax.split():
        (said,) = (one.sentence for one in masked.MISTAKES.all if one.name == name)
        mistakes.change(name, called, f"masked.MISTAKES[{name!r}](").says(
            said.replace("`axis`", "the last axis")
        )
    mistakes.change("sum-over-queries", called, "masked.MISTAKES['sum-along-1'](").says("""
        Your sum runs over the queries. Each query's weights sum to one: take it along the last
        axis, the keys.
    """)
    mistakes.change("sum-over-batch", called, "masked.MISTAKES['sum-along-0'](").says("""
        Your sum runs over the batch. (Python's own `sum` adds along the first axis.) Each query's
        weights sum to one: take it along the last axis, the keys.
    """)
    mistakes.change("softmax-over-batch", "else mask)", "else mask, 0)").says("""
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
        mistakes.change(name, *words).says("""
            Your weights are right, but the context is made with the scores. Blend the values with
            the weights: `weights @ values`.
        """)
    mistakes.change(
        "scores-returned", "weights @ values, weights", "weights @ values, scores"
    ).says("""
        Your context is right, but your second result holds the scores. Return the weights.
    """)
    mistakes.change(
        "masked-scores-returned",
        "weights @ values, weights",
        "weights @ values, np.where(np.True_ if mask is None else mask, scores, -np.inf)",
    ).says("""
        Your context is right, but your second result holds the masked scores. Return the weights.
    """)
    mistakes.change(
        "exponentials-returned",
        "weights @ values, weights",
        "weights @ values, np.exp(scores - scores.max(-1, keepdims=True))",
    ).says("""
        Your context is right, but your second result holds exponentials. Return the weights.
    """)
    mistakes.change("weights-alone", "weights @ values, weights", "weights").says("""
        You return the weights alone. Return both: `context, weights`.
    """)
    mistakes.change(
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
        mistakes.change(f"context-{written}", "weights @ values,", f"{written},").says(f"""
            Your context is `{written}`, or what does the same. Each query blends the values of its
            own sentence, Σ_s weights[b, t, s]·values[b, s]: `weights @ values` does that.
        """)
    mistakes.change("queries-as-values", context + ",", "weights @ queries,").says("""
        You blend the queries. The context is a blend of the values.
    """)
    mistakes.change("first-values", context + ",", "weights @ values[0],").says("""
        You blend the values of the first sentence for the whole batch. Use those of each sentence.
    """)
    mistakes.change("mean-of-weighted", context + ",", "weights @ values / keys.shape[1],").says("""
        You divide the context by the number of keys. The weights sum to one already: take the sum.
    """)
    mistakes.change(
        "largest-value",
        context + ",",
        "np.take_along_axis(values, weights.argmax(-1)[..., None], 1),",
    ).says("""
        Your context is the value with the largest weight. It is the sum of all values, each times
        its weight.
    """)
    mistakes.change("softmax-again", context + ",", "masked.softmax(weights) @ values,").says("""
        You put the weights through a softmax once more for the context. Use them as they are.
    """)
    mistakes.change("two-softmaxes", called + "scores", called + "masked.softmax(scores)").says("""
        You take the softmax twice, so the weights are nearly equal. Once is enough, of the scores.
    """)
    mistakes.change("context-rescaled", context + ",", "weights @ values * keys.shape[1],").says("""
        You multiply the context by the number of keys. The context is the weighted sum as it is.
    """)

"""Task `dot_scores`: how well a query matches each of its keys."""

import numpy as np

from course_lib.exercises.common import NUMPY, always_float64, changes_input, stored
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


def dot_scores(query, keys):
    """Write down the shapes, (B, d) and (B, S, d), and say what becomes of each axis: d disappears
    in the sum, S comes from the keys alone, and B must stay matched. Give the query an axis of
    length one where the keys have S, and broadcasting pairs each key with the query of its own
    sentence.

    Cost: B·S·d multiplications; the broadcast product holds (B, S, d) numbers for a moment, a
    matrix product does not."""
    return np.einsum("bd,bsd->bs", query, keys)


def draw(s: Sampler, b: int, n: int, d: int, scale: float = 1.0) -> Inputs:
    return Inputs((s.floats(b, d, scale=scale), s.floats(b, n, d, scale=scale)))


case = Cases()
case("one score for each key", lambda s: draw(s, *s.dims(3)))
case("a batch of one", lambda s: draw(s, 1, *s.dims(2)))
case("vectors of one number", lambda s: draw(s, *s.dims(2), 1))
# With all axes equally long no shape tells which one was summed.
case.hidden("all axes equally long", lambda s: draw(s, *[s.size + 1] * 3))
case.hidden("a single key", lambda s: draw(s, s.size + 1, 1, s.size + 2))
case.hidden("long vectors", lambda s: draw(s, *s.dims(2), 64, scale=3.0))
case.hidden(
    "arrays stored in another order", lambda s: stored(draw(s, *s.dims(3)).args, (0, 1), (1, 2))
)


def _softmax(scores, axis=-1):
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


class Mistakes:
    def scaled(q, k):
        """You divide by the square root of d. That comes later, in scaled dot-product attention;
        here the dot product stands as it is."""
        return dot_scores(q, k) / np.asarray(q.shape[-1] ** 0.5, q.dtype)

    def mean(q, k):
        """You take the mean of the products. A dot product is their sum."""
        return dot_scores(q, k) / q.shape[-1]

    def every_pair(q, k):
        """You score each query against the keys of every sentence in the batch. A query meets only
        the keys of its own sentence: shape (B, S)."""
        return np.einsum("ad,bsd->abs", q, k)

    def first_keys(q, k):
        """You use the keys of the first sentence for all queries. Query b goes with keys b."""
        return q @ k[0].T

    def first_query(q, k):
        """You use the first query for all sentences. Query b goes with keys b."""
        return k @ q[0]

    def every_pair_by_matmul(q, k):
        """`query @ keys.swapaxes(1, 2)` takes the whole query as one matrix, and scores each query
        against every sentence. Give it an axis for the keys: `query[:, None, :]`."""
        return q @ k.swapaxes(1, 2)

    def every_pair_by_transposing(q, k):
        """`keys @ query.T` scores every sentence's keys against each query. Query b meets only keys
        b: give it an axis of its own, `query[:, :, None]`, in place of `.T`."""
        return k @ q.T

    def keys_reversed(q, k):
        """`keys.T` turns all three axes round, to (d, S, B). Sentences stay where they are: swap
        the last two axes alone, `keys.swapaxes(1, 2)`."""
        return q @ k.T

    def extra_axis(q, k):
        """An axis of length one is left over. The result has shape (B, S): take it away with `[...,
        0]` or `squeeze(-1)`."""
        return k @ q[:, :, None]

    def extra_query_axis(q, k):
        """An axis of length one is left over, for the query. The result has shape (B, S): take it
        away with `[:, 0]` or `squeeze(1)`."""
        return q[:, None] @ k.swapaxes(1, 2)

    def not_summed(q, k):
        """You multiply entry by entry but do not add up. Sum over the last axis, d."""
        return q[:, None] * k

    def summed_over_keys(q, k):
        """You sum over the keys. Sum over the last axis, d, so that each key keeps its score."""
        return (q[:, None] * k).sum(axis=1)

    def no_new_axis(q, k):
        """`query * keys` does not line up: query has no axis for the keys. Give it one with
        `query[:, None, :]`."""
        return (q * k).sum(axis=-1)

    def cosine(query, keys):
        """You divide by the lengths of the vectors; that is the cosine. The dot product keeps the
        lengths."""
        lengths = np.linalg.norm(query, axis=-1)[:, None] * np.linalg.norm(keys, axis=-1)
        return dot_scores(query, keys) / lengths

    def distance(query, keys):
        """You return the negative distance. The score is the dot product: multiply and add up."""
        return -np.linalg.norm(query[:, None] - keys, axis=-1)

    def softmax_too_early(q, k):
        """These are weights already. A score is the plain dot product; the softmax comes in
        `attend`."""
        return _softmax(dot_scores(q, k))

    def transposed(q, k):
        """The result is transposed: rows are sentences, columns are keys."""
        return dot_scores(q, k).T

    float64 = always_float64(dot_scores)
    changes_query = changes_input(dot_scores, 0, "query")
    changes_keys = changes_input(dot_scores, 1, "keys")


HINTS = (
    "Write down the shapes: query (B, d), keys (B, S, d). Which axis must disappear, and which "
    "one does the query lack?",
    "Give the query an axis for the keys, `query[:, None, :]`, and it lines up with keys.",
    'Multiply and sum over the last axis, or say it in one line: np.einsum("bd,bsd->bs", …).',
)
DOT_SCORES = task(dot_scores, 3, case.all, Mistakes, HINTS, **NUMPY)

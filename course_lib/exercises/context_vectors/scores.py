"""Task `dot_scores`: how well a query matches each of its keys."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import NUMPY, always_float64, changes_input, stored
from course_lib.exercises.softmax.plain import softmax


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


MISTAKES = Mistakes(dot_scores)
MISTAKES.by(
    "scaled", lambda q, k: dot_scores(q, k) / np.asarray(q.shape[-1] ** 0.5, q.dtype)
).says("""
    You divide by the square root of d. That comes later, in scaled dot-product attention; here the
    dot product stands as it is.
""")
MISTAKES.by("mean", lambda q, k: dot_scores(q, k) / q.shape[-1]).says("""
    You take the mean of the products. A dot product is their sum.
""")
MISTAKES.change("every-pair", "bd,bsd->bs", "ad,bsd->abs").says("""
    You score each query against the keys of every sentence in the batch. A query meets only the
    keys of its own sentence: shape (B, S).
""")
MISTAKES.by("first-keys", lambda q, k: q @ k[0].T).says("""
    You use the keys of the first sentence for all queries. Query b goes with keys b.
""")
MISTAKES.by("first-query", lambda q, k: k @ q[0]).says("""
    You use the first query for all sentences. Query b goes with keys b.
""")
MISTAKES.by("every-pair-by-matmul", lambda q, k: q @ k.swapaxes(1, 2)).says("""
    `query @ keys.swapaxes(1, 2)` takes the whole query as one matrix, and scores each query against
    every sentence. Give it an axis for the keys: `query[:, None, :]`.
""")
MISTAKES.by("every-pair-by-transposing", lambda q, k: k @ q.T).says("""
    `keys @ query.T` scores every sentence's keys against each query. Query b meets only keys b:
    give it an axis of its own, `query[:, :, None]`, in place of `.T`.
""")
MISTAKES.by("keys-reversed", lambda q, k: q @ k.T).says("""
    `keys.T` turns all three axes round, to (d, S, B). Sentences stay where they are: swap the last
    two axes alone, `keys.swapaxes(1, 2)`.
""")
MISTAKES.by("extra-axis", lambda q, k: k @ q[:, :, None]).says("""
    An axis of length one is left over. The result has shape (B, S): take it away with `[..., 0]` or
    `squeeze(-1)`.
""")
MISTAKES.by("extra-query-axis", lambda q, k: q[:, None] @ k.swapaxes(1, 2)).says("""
    An axis of length one is left over, for the query. The result has shape (B, S): take it away
    with `[:, 0]` or `squeeze(1)`.
""")
MISTAKES.by("not-summed", lambda q, k: q[:, None] * k).says("""
    You multiply entry by entry but do not add up. Sum over the last axis, d.
""")
MISTAKES.by("summed-over-keys", lambda q, k: (q[:, None] * k).sum(axis=1)).says("""
    You sum over the keys. Sum over the last axis, d, so that each key keeps its score.
""")
MISTAKES.by("no-new-axis", lambda q, k: (q * k).sum(axis=-1)).says("""
    `query * keys` does not line up: query has no axis for the keys. Give it one with `query[:,
    None, :]`.
""")
MISTAKES.by(
    "cosine",
    lambda q, k: (
        dot_scores(q, k) / np.linalg.norm(q, axis=-1)[:, None] / np.linalg.norm(k, axis=-1)
    ),
).says("""
    You divide by the lengths of the vectors; that is the cosine. The dot product keeps the lengths.
""")
sentence = """
    You divide by the length of one of the two vectors. The dot product keeps both lengths.
"""
MISTAKES.by("key-norm", lambda q, k: dot_scores(q, k) / np.linalg.norm(k, axis=-1)).says(sentence)
MISTAKES.by("query-norm", lambda q, k: dot_scores(q, k) / np.linalg.norm(q, axis=-1)[:, None]).says(
    sentence
)
MISTAKES.by("divided-by-the-number-of-keys", lambda q, k: dot_scores(q, k) / k.shape[1]).says("""
    You divide by the number of keys. The score is the dot product as it is.
""")
MISTAKES.by("all-squeezed", lambda q, k: dot_scores(q, k).squeeze()).says("""
    `squeeze()` drops every axis of length one, also that of a single sentence or key. Name the
    axis: `squeeze(-1)`.
""")
MISTAKES.by(
    "distance", lambda query, keys: -np.linalg.norm(query[:, None] - keys, axis=-1)
).says("""
    You return the negative distance. The score is the dot product: multiply and add up.
""")
MISTAKES.by("softmax-too-early", lambda q, k: softmax(dot_scores(q, k))).says("""
    These are weights already. A score is the plain dot product; the softmax comes in `attend`.
""")
MISTAKES.by("transposed", lambda q, k: dot_scores(q, k).T).says("""
    The result is transposed: rows are sentences, columns are keys.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "query", "keys")


HINTS = (
    "Write down the shapes: query (B, d), keys (B, S, d). Which axis must disappear, and which "
    "one does the query lack?",
    "Give the query an axis for the keys, `query[:, None, :]`, and it lines up with keys.",
    'Multiply and sum over the last axis, or say it in one line: np.einsum("bd,bsd->bs", …).',
)
DOT_SCORES = task(MISTAKES, 3, case.all, HINTS, **NUMPY)

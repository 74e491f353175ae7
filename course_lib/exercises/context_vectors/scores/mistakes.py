"""What goes wrong in `dot_scores`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input, summed_wrongly
from course_lib.exercises.context_vectors.scores.task import dot_scores
from course_lib.exercises.softmax.plain.task import softmax

MISTAKES = Mistakes(dot_scores, globals())
MISTAKES.by(
    "scaled", lambda q, k: dot_scores(q, k) / np.asarray(q.shape[-1] ** 0.5, q.dtype)
).says("""
    You divide by the square root of d. That comes later, in scaled dot-product attention; here the
    dot product stands as it is.
""")
MISTAKES.by("minus-squared-distance", lambda q, k: -((q[:, None] - k) ** 2).sum(-1)).says("""
    You return minus the squared distance of query and key. The score is their dot product: multiply
    entry by entry, and add up.
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
MISTAKES.by(
    "batch-repeated",
    lambda q, k: np.einsum("bsd,bsd->bs", np.tile(q, (k.shape[1], 1)).reshape(k.shape), k),
).says("""
    You repeat the whole batch and cut it anew, so keys meet the query of another sentence. Give the
    query an axis, `query[:, None]`, and it meets all keys of its own.
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
    one that you mean, as in `squeeze(1)`.
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
summed_wrongly(
    MISTAKES, lambda q, k: q[:, None] * k, 2, ("sentences", "keys", "numbers of a vector")
)
PRODUCTS = {
    "query @ keys": lambda q, k: q @ k,
    "keys @ query": lambda q, k: k @ q,
    "keys.T @ query": lambda q, k: k.T @ q,
    "query.T @ keys": lambda q, k: q.T @ k,
    "np.dot(query, keys)": np.dot,
    "np.dot(keys, query)": lambda q, k: np.dot(k, q),
    "query @ keys.transpose(1, 0, 2)": lambda q, k: q @ k.swapaxes(0, 1),
    "query[:, None] @ keys": lambda q, k: (q[:, None] @ k)[:, 0],
    "keys @ query[:, None]": lambda q, k: (k @ q[:, None])[..., 0],
    "keys.T @ query[..., None]": lambda q, k: k.T @ q[..., None],
    "query * keys.T": lambda q, k: q * k.T,
    "query.T * keys": lambda q, k: q.T * k,
    "np.tensordot(query, keys, 1)": lambda q, k: np.tensordot(q, k, 1),
    "np.tensordot(query, keys)": lambda q, k: np.tensordot(q, k),
    "np.outer(query, keys)": np.outer,
}
for written, product in PRODUCTS.items():
    MISTAKES.by(f"product-{written}", product).says(f"""
        `{written}`, or what does the same, does not pair each query with the keys of its own
        sentence. `@` works on the last two axes: give the query an axis, as in
        `keys @ query[:, :, None]`, and take it away again, `[..., 0]`.
    """)
for written, product in {
    "keys.reshape(B, d, S)": lambda q, k: (q[:, None] @ k.reshape(len(k), -1, k.shape[1]))[:, 0],
    "keys.reshape(S, B, d)": lambda q, k: np.einsum(
        "bd,sbd->bs", q, k.reshape(k.shape[1], -1, k.shape[2])
    ),
}.items():
    MISTAKES.by(f"reshaped-{written}", product).says(f"""
        `{written}` cuts the numbers into new rows in the order in which they are stored; it does
        not swap axes. `keys.swapaxes(1, 2)` does, or `transpose`.
    """)
MISTAKES.by("all-queries-summed", lambda q, k: np.einsum("bd,csd->cs", q, k)).says("""
    You score the keys against the sum of all queries. In `einsum` the batch needs one letter for
    both: `"bd,bsd->bs"`.
""")
MISTAKES.by("all-keys-summed", lambda q, k: np.einsum("bd,csd->bs", q, k)).says("""
    You add up the scores over the sentences. In `einsum` the batch needs one letter for both:
    `"bd,bsd->bs"`.
""")
MISTAKES.by("sum-of-sums", lambda q, k: q.sum(-1)[:, None] * k.sum(-1)).says("""
    You multiply the sum of the query by the sum of the key. Multiply number by number first, and
    then add up.
""")
MISTAKES.by("added", lambda q, k: (q[:, None] + k).sum(-1)).says("""
    You add query and key. A dot product multiplies number by number, and then adds up.
""")
MISTAKES.by("difference", lambda q, k: (q[:, None] - k).sum(-1)).says("""
    You subtract the key. A dot product multiplies number by number, and then adds up.
""")
MISTAKES.by("squared-distance", lambda q, k: ((q[:, None] - k) ** 2).sum(-1)).says("""
    You return the squared distance. The score is the dot product: multiply and add up.
""")
MISTAKES.by("positive-distance", lambda q, k: np.linalg.norm(q[:, None] - k, axis=-1)).says("""
    You return the distance. The score is the dot product: multiply and add up.
""")
MISTAKES.by("sizes", lambda q, k: abs(dot_scores(q, k))).says("""
    You drop the sign of the scores. A negative score says that a key points the other way: keep it.
""")
MISTAKES.by("largest-product", lambda q, k: (q[:, None] * k).max(-1)).says("""
    You take the largest of the products. A dot product is their sum.
""")
MISTAKES.by("last-number-alone", lambda q, k: q[:, None, -1] * k[..., -1]).says("""
    Your score is the last product alone: each round of the loop overwrites it. Add with `+=`.
""")
MISTAKES.by("first-number-alone", lambda q, k: q[:, None, 0] * k[..., 0]).says("""
    Your score is the first product alone. Does `return` stand inside the loop? Add all of them up.
""")
MISTAKES.by("scaled-by-wide-root", lambda q, k: dot_scores(q, k) / np.sqrt(q.shape[-1])).says("""
    You divide by the square root of d. That comes later, in scaled dot-product attention; here the
    dot product stands as it is.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "query", "keys")

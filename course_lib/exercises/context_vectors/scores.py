"""Task `dot_scores`: how well a query matches each of its keys."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def dot_scores(query, keys):
    return np.einsum("bd,bsd->bs", query, keys)


def draw(s: Sampler, b: int, n: int, d: int, scale: float = 1.0) -> Inputs:
    return Inputs((s.floats(b, d, scale=scale), s.floats(b, n, d, scale=scale)))


def equal(s: Sampler) -> Inputs:
    """With all axes equally long no shape tells which one was summed."""
    n = s.size + 1
    return draw(s, n, n, n)


def strided(s: Sampler) -> Inputs:
    b, n, d = s.dims(3)
    query = Transposed(s.floats(b, d), (0, 1))
    return Inputs((query, Transposed(s.floats(b, n, d), (1, 2))))


def _cosine(query, keys):
    lengths = np.linalg.norm(query, axis=-1)[:, None] * np.linalg.norm(keys, axis=-1)
    return dot_scores(query, keys) / lengths


def _distance(query, keys):
    return -np.linalg.norm(query[:, None] - keys, axis=-1)


def _softmax(scores, axis=-1):
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


DOT_SCORES = Task(
    name="dot_scores",
    points=3,
    reference=dot_scores,
    library="numpy",
    idea=(
        "Write down the shapes, (B, d) and (B, S, d), and say what becomes of each axis: d "
        "disappears in the sum, S comes from the keys alone, and B must stay matched. Give "
        "the query an axis of length one where the keys have S, and broadcasting pairs each "
        "key with the query of its own sentence."
    ),
    cost=(
        "B·S·d multiplications; the broadcast product holds (B, S, d) numbers for a moment, a "
        "matrix product does not."
    ),
    cases=(
        Case("one score for each key", lambda s: draw(s, *s.dims(3))),
        Case("a batch of one", lambda s: draw(s, 1, *s.dims(2))),
        Case("vectors of one number", lambda s: draw(s, *s.dims(2), 1)),
        Case("all axes equally long", equal, hidden=True),
        Case("a single key", lambda s: draw(s, s.size + 1, 1, s.size + 2), hidden=True),
        Case("long vectors", lambda s: draw(s, *s.dims(2), 64, scale=3.0), hidden=True),
        Case("arrays stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "scaled",
            "You divide by the square root of d. That comes later, in scaled dot-product "
            "attention; here the dot product stands as it is.",
            lambda q, k: dot_scores(q, k) / np.asarray(q.shape[-1] ** 0.5, q.dtype),
        ),
        Mistake(
            "mean",
            "You take the mean of the products. A dot product is their sum.",
            lambda q, k: dot_scores(q, k) / q.shape[-1],
        ),
        Mistake(
            "every-pair",
            "You score each query against the keys of every sentence in the batch. A query meets "
            "only the keys of its own sentence: shape (B, S).",
            lambda q, k: np.einsum("ad,bsd->abs", q, k),
        ),
        Mistake(
            "first-keys",
            "You use the keys of the first sentence for all queries. Query b goes with keys b.",
            lambda q, k: q @ k[0].T,
        ),
        Mistake(
            "first-query",
            "You use the first query for all sentences. Query b goes with keys b.",
            lambda q, k: k @ q[0],
        ),
        Mistake(
            "extra-axis",
            "An axis of length one is left over. The result has shape (B, S): take it away with "
            "`[..., 0]` or `squeeze(-1)`.",
            lambda q, k: k @ q[:, :, None],
        ),
        Mistake(
            "extra-query-axis",
            "An axis of length one is left over, for the query. The result has shape (B, S): take "
            "it away with `[:, 0]` or `squeeze(1)`.",
            lambda q, k: q[:, None] @ k.swapaxes(1, 2),
        ),
        Mistake(
            "not-summed",
            "You multiply entry by entry but do not add up. Sum over the last axis, d.",
            lambda q, k: q[:, None] * k,
        ),
        Mistake(
            "summed-over-keys",
            "You sum over the keys. Sum over the last axis, d, so that each key keeps its score.",
            lambda q, k: (q[:, None] * k).sum(axis=1),
        ),
        Mistake(
            "no-new-axis",
            "`query * keys` does not line up: query has no axis for the keys. Give it one with "
            "`query[:, None, :]`.",
            lambda q, k: (q * k).sum(axis=-1),
        ),
        Mistake(
            "cosine",
            "You divide by the lengths of the vectors; that is the cosine. The dot product keeps "
            "the lengths.",
            _cosine,
        ),
        Mistake(
            "distance",
            "You return the negative distance. The score is the dot product: multiply and add up.",
            _distance,
        ),
        Mistake(
            "softmax-too-early",
            "These are weights already. A score is the plain dot product; the softmax comes in "
            "`attend`.",
            lambda q, k: _softmax(dot_scores(q, k)),
        ),
        Mistake(
            "transposed",
            "The result is transposed: rows are sentences, columns are keys.",
            lambda q, k: dot_scores(q, k).T,
        ),
        always_float64(dot_scores),
        changes_input(dot_scores, 0, "query"),
        changes_input(dot_scores, 1, "keys"),
    ),
    hints=(
        "Write down the shapes: query (B, d), keys (B, S, d). Which axis must disappear, and "
        "which one does the query lack?",
        "Give the query an axis for the keys, `query[:, None, :]`, and it lines up with keys.",
        'Multiply and sum over the last axis, or say it in one line: np.einsum("bd,bsd->bs", …).',
    ),
)

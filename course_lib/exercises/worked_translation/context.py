"""Task `context_vectors`: all context vectors of one sentence, a row for each target word."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import NUMPY, always_float64, changes_input, stored
from course_lib.exercises.softmax.plain import softmax


def context_vectors(attention_matrix, hidden_states):
    """Row t of the result blends the S hidden states by row t of the weights, Σ_s weights[t,
    s]·h[s]. A sum over the last axis of one array and the first of another is a matrix product, so
    one `@` makes the contexts of all target words.

    Cost: T·S·d multiplications."""
    return attention_matrix @ hidden_states


def draw(s: Sampler, t: int, n: int, d: int) -> Inputs:
    return Inputs((s.weights(t, n), s.floats(n, d)))


case = Cases()
case("one context vector for each target word", lambda s: draw(s, *s.dims(3)))


@case("a row of zeros gives a vector of zeros")
def with_zero_row(s, t, n, d):
    matrix = s.weights(t, n)
    matrix[s.integers(0, t)] = 0
    return matrix, s.floats(n, d)


case("a single target word", lambda s: draw(s, 1, *s.dims(2)))
case.hidden("as many target words as source words", lambda s: draw(s, *[s.size + 1] * 3))
case.hidden(
    "rows that do not sum to one are used as they are",
    lambda s, t, n, d: (s.floats(t, n), s.floats(n, d)),
)
case.hidden("a single source word", lambda s: draw(s, s.size + 1, 1, s.size + 2))
case.hidden(
    "arrays stored in another order",
    lambda s: stored(draw(s, *s.dims(3)).args, (0, 1), (0, 1)),
)


MISTAKES = Mistakes(context_vectors)
MISTAKES.by("transposed", lambda a, h: a.T @ h).says("""
    You use the matrix transposed. Its rows are target words: row t holds the weights for target
    word t.
""")
MISTAKES.by("states-first", lambda a, h: h @ a).says("""
    The factors are the wrong way round. Weights come first: each row of the matrix blends the rows
    of hidden_states.
""")
MISTAKES.by("result-transposed", lambda a, h: (a @ h).T).says("""
    The result is transposed. It needs a row for each target word: (T, d).
""")
MISTAKES.by("renormalised", lambda a, h: (a / a.sum(axis=1, keepdims=True)) @ h).says("""
    You divide each row by its sum: a row of zeros becomes nan. Use the weights as they come.
""")
MISTAKES.by("softmax-again", lambda a, h: softmax(a) @ h).says("""
    You put the rows through a softmax, but they are weights already. Use them as they come.
""")
MISTAKES.by("largest-only", lambda a, h: h[a.argmax(axis=1)]).says("""
    You pick the hidden state with the largest weight. A context vector blends all of them, each
    times its weight.
""")
MISTAKES.by("first-row", lambda a, h: np.repeat(a[:1] @ h, len(a), axis=0)).says("""
    You use the first row of weights for every target word. Row t belongs to word t.
""")
MISTAKES.by("one-vector", lambda a, h: (a @ h).sum(axis=0)).says("""
    You add the context vectors of all target words into one. Each target word keeps its own row:
    (T, d).
""")
MISTAKES.by("not-summed", lambda a, h: a[:, :, None] * h).says("""
    You weigh the hidden states but do not add them up. Sum over the source positions.
""")
MISTAKES.by("mean", lambda a, h: a @ h / h.shape[0]).says("""
    You take the mean of the weighted states. The weights share out the whole already: take the sum.
""")
MISTAKES.by(
    "weights-ignored", lambda a, h: np.repeat(h.mean(axis=0, keepdims=True), len(a), axis=0)
).says("""
    You average the hidden states and leave the weights out. Multiply each by its weight.
""")
MISTAKES.by("list-of-rows", lambda a, h: [row @ h for row in a]).says("""
    You return a list of vectors. Stack them into one array: np.stack(rows).
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "attention_matrix", "hidden_states")


HINTS = (
    "Take one target word: its row of S weights blends S hidden states into one vector.",
    "Row t of the result is Σ_s matrix[t, s]·hidden_states[s]. That sum over s is a matrix "
    "product.",
    "(T, S) times (S, d) gives (T, d), and NumPy's sign for a matrix product is `@`.",
)
CONTEXT_VECTORS = task(MISTAKES, 3, case.all, HINTS, **NUMPY)

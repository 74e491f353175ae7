"""Task `context_vectors`: all context vectors of one sentence, a row for each target word."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def context_vectors(attention_matrix, hidden_states):
    return attention_matrix @ hidden_states


def draw(s: Sampler, t: int, n: int, d: int) -> Inputs:
    return Inputs((s.weights(t, n), s.floats(n, d)))


def with_zero_row(s: Sampler) -> Inputs:
    t, n, d = s.dims(3)
    matrix = s.weights(t, n)
    matrix[s.integers(0, t)] = 0
    return Inputs((matrix, s.floats(n, d)))


def unnormalised(s: Sampler) -> Inputs:
    t, n, d = s.dims(3)
    return Inputs((s.floats(t, n), s.floats(n, d)))


def square(s: Sampler) -> Inputs:
    n = s.size + 1
    return draw(s, n, n, n)


def strided(s: Sampler) -> Inputs:
    t, n, d = s.dims(3)
    return Inputs((Transposed(s.weights(t, n), (0, 1)), Transposed(s.floats(n, d), (0, 1))))


def _renormalised(matrix, states):
    return (matrix / matrix.sum(axis=1, keepdims=True)) @ states


def _softmax_again(matrix, states):
    exps = np.exp(matrix - matrix.max(axis=1, keepdims=True))
    return (exps / exps.sum(axis=1, keepdims=True)) @ states


CONTEXT_VECTORS = Task(
    name="context_vectors",
    points=3,
    reference=context_vectors,
    library="numpy",
    idea=(
        "Row t of the result blends the S hidden states by row t of the weights, Σ_s "
        "weights[t, s]·h[s]. A sum over the last axis of one array and the first of another "
        "is a matrix product, so one `@` makes the contexts of all target words."
    ),
    cost="T·S·d multiplications.",
    cases=(
        Case("one context vector for each target word", lambda s: draw(s, *s.dims(3))),
        Case("a row of zeros gives a vector of zeros", with_zero_row),
        Case("a single target word", lambda s: draw(s, 1, *s.dims(2))),
        Case("as many target words as source words", square, hidden=True),
        Case("rows that do not sum to one are used as they are", unnormalised, hidden=True),
        Case("a single source word", lambda s: draw(s, s.size + 1, 1, s.size + 2), hidden=True),
        Case("arrays stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "transposed",
            "You use the matrix transposed. Its rows are target words: row t holds the weights "
            "for target word t.",
            lambda a, h: a.T @ h,
        ),
        Mistake(
            "states-first",
            "The factors are the wrong way round. Weights come first: each row of the matrix "
            "blends the rows of hidden_states.",
            lambda a, h: h @ a,
        ),
        Mistake(
            "result-transposed",
            "The result is transposed. It needs a row for each target word: (T, d).",
            lambda a, h: (a @ h).T,
        ),
        Mistake(
            "renormalised",
            "You divide each row by its sum: a row of zeros becomes nan. Use the weights as they "
            "come.",
            _renormalised,
        ),
        Mistake(
            "softmax-again",
            "You put the rows through a softmax, but they are weights already. Use them as they "
            "come.",
            _softmax_again,
        ),
        Mistake(
            "largest-only",
            "You pick the hidden state with the largest weight. A context vector blends all of "
            "them, each times its weight.",
            lambda a, h: h[a.argmax(axis=1)],
        ),
        Mistake(
            "first-row",
            "You use the first row of weights for every target word. Row t belongs to word t.",
            lambda a, h: np.repeat(a[:1] @ h, len(a), axis=0),
        ),
        Mistake(
            "one-vector",
            "You add the context vectors of all target words into one. Each target word keeps its "
            "own row: (T, d).",
            lambda a, h: (a @ h).sum(axis=0),
        ),
        Mistake(
            "not-summed",
            "You weigh the hidden states but do not add them up. Sum over the source positions.",
            lambda a, h: a[:, :, None] * h,
        ),
        Mistake(
            "mean",
            "You take the mean of the weighted states. The weights share out the whole already: "
            "take the sum.",
            lambda a, h: a @ h / h.shape[0],
        ),
        Mistake(
            "weights-ignored",
            "You average the hidden states and leave the weights out. Multiply each by its weight.",
            lambda a, h: np.repeat(h.mean(axis=0, keepdims=True), len(a), axis=0),
        ),
        Mistake(
            "list-of-rows",
            "You return a list of vectors. Stack them into one array: np.stack(rows).",
            lambda a, h: [row @ h for row in a],
        ),
        always_float64(context_vectors),
        changes_input(context_vectors, 0, "attention_matrix"),
        changes_input(context_vectors, 1, "hidden_states"),
    ),
    hints=(
        "Take one target word: its row of S weights blends S hidden states into one vector.",
        "Row t of the result is Σ_s matrix[t, s]·hidden_states[s]. That sum over s is a matrix "
        "product.",
        "(T, S) times (S, d) gives (T, d), and NumPy's sign for a matrix product is `@`.",
    ),
)

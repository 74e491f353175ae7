"""Task `context_vectors`: all context vectors of one sentence, a row for each target word."""

import numpy as np

from course_lib.exercises.common import NUMPY, always_float64, changes_input, stored
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


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


class Mistakes:
    def transposed(a, h):
        """You use the matrix transposed. Its rows are target words: row t holds the weights for
        target word t."""
        return a.T @ h

    def states_first(a, h):
        """The factors are the wrong way round. Weights come first: each row of the matrix blends
        the rows of hidden_states."""
        return h @ a

    def result_transposed(a, h):
        """The result is transposed. It needs a row for each target word: (T, d)."""
        return (a @ h).T

    def renormalised(matrix, states):
        """You divide each row by its sum: a row of zeros becomes nan. Use the weights as they
        come."""
        return (matrix / matrix.sum(axis=1, keepdims=True)) @ states

    def softmax_again(matrix, states):
        """You put the rows through a softmax, but they are weights already. Use them as they
        come."""
        exps = np.exp(matrix - matrix.max(axis=1, keepdims=True))
        return (exps / exps.sum(axis=1, keepdims=True)) @ states

    def largest_only(a, h):
        """You pick the hidden state with the largest weight. A context vector blends all of them,
        each times its weight."""
        return h[a.argmax(axis=1)]

    def first_row(a, h):
        """You use the first row of weights for every target word. Row t belongs to word t."""
        return np.repeat(a[:1] @ h, len(a), axis=0)

    def one_vector(a, h):
        """You add the context vectors of all target words into one. Each target word keeps its own
        row: (T, d)."""
        return (a @ h).sum(axis=0)

    def not_summed(a, h):
        """You weigh the hidden states but do not add them up. Sum over the source positions."""
        return a[:, :, None] * h

    def mean(a, h):
        """You take the mean of the weighted states. The weights share out the whole already: take
        the sum."""
        return a @ h / h.shape[0]

    def weights_ignored(a, h):
        """You average the hidden states and leave the weights out. Multiply each by its weight."""
        return np.repeat(h.mean(axis=0, keepdims=True), len(a), axis=0)

    def list_of_rows(a, h):
        """You return a list of vectors. Stack them into one array: np.stack(rows)."""
        return [row @ h for row in a]

    float64 = always_float64(context_vectors)
    changes_attention_matrix = changes_input(context_vectors, 0, "attention_matrix")
    changes_hidden_states = changes_input(context_vectors, 1, "hidden_states")


HINTS = (
    "Take one target word: its row of S weights blends S hidden states into one vector.",
    "Row t of the result is Σ_s matrix[t, s]·hidden_states[s]. That sum over s is a matrix "
    "product.",
    "(T, S) times (S, d) gives (T, d), and NumPy's sign for a matrix product is `@`.",
)
CONTEXT_VECTORS = task(context_vectors, 3, case.all, Mistakes, HINTS, **NUMPY)

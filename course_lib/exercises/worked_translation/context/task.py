"""The reference, the cases and the hints of `context_vectors`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import called_twice, stored


def context_vectors(attention_matrix, hidden_states):
    """Row t of the result blends the S hidden states by row t of the weights, Σ_s weights[t,
    s]·h[s]. A sum over the last axis of one array and the first of another is a matrix product, so
    one `@` makes the contexts of all target words.

    Cost: T·S·d multiplications."""
    return attention_matrix @ hidden_states


def draw(s: Sampler, t: int, n: int, d: int) -> Inputs:
    return Inputs((s.weights(t, n), s.floats(n, d)))


case = Cases()
case.example((np.array([[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]]), np.array([[2.0, 0.0], [4.0, 6.0]])))
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
called_twice(case, ["attention_matrix", "hidden_states"], lambda s: draw(s, 2, 3, 4).args)

HINTS = (
    "Take one target word: its row of S weights blends S hidden states into one vector.",
    "Row t of the result is Σ_s matrix[t, s]·hidden_states[s]. That sum over s is a matrix "
    "product.",
    "(T, S) times (S, d) gives (T, d), and NumPy's sign for a matrix product is `@`.",
)

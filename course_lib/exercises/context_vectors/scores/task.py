"""The reference, the cases and the hints of `dot_scores`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import called_twice, stored


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
case.example(
    (
        np.array([[1.0, 2.0], [0.0, 1.0]]),
        np.array([[[3.0, 0.0], [1.0, 2.0]], [[5.0, 7.0], [2.0, 4.0]]]),
    )
)
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
called_twice(case, ["query", "keys"], lambda s: draw(s, 2, 3, 4).args)

WITHOUT = {
    "queries: all zeros": "A product with 0 is 0, whatever else is wrong.",
}

HINTS = (
    "Write down the shapes: query (B, d), keys (B, S, d). Which axis must disappear, and which "
    "one does the query lack?",
    "Give the query an axis for the keys, `query[:, None, :]`, and it lines up with keys.",
    'Multiply and sum over the last axis, or say it in one line: np.einsum("bd,bsd->bs", …).',
)

"""The reference, the cases and the hints of `context_vector`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import called_twice, stored


def context_vector(weights, values):
    """A context vector is a recipe: so much of this value, so much of that one. The weights lack
    the axis of the features, and the sum runs over the S positions. The weights are used as they
    are: a row of zeros gives a vector of zeros, and nothing is divided.

    Cost: B·S·d_v multiplications; einsum makes no array that is larger than its inputs."""
    return np.einsum("bs,bsd->bd", weights, values)


def draw(s: Sampler, b: int, n: int, d: int) -> Inputs:
    return Inputs((s.weights(b, n), s.floats(b, n, d)))


case = Cases()
case.example((np.array([[0.25, 0.75]]), np.array([[[4.0, 0.0], [8.0, 2.0]]])))
case("a weighted sum for each sentence", lambda s: draw(s, *s.dims(3)))
case("a batch of one", lambda s: draw(s, 1, *s.dims(2)))


@case("weights of zero give a vector of zeros")
def masked(s, b, n, d):
    weights = s.weights(b, n)
    weights[0] = 0
    return weights, s.floats(b, n, d)


# Gated or dropped-out weights need not sum to one.
case.hidden(
    "weights that do not sum to one are used as they are",
    lambda s, b, n, d: (s.floats(b, n), s.floats(b, n, d)),
    place=(
        "Weights that are shares are used as they should be, and others are not. Perhaps they are "
        "divided by their sum, or only some of them are used: take each as it is."
    ),
)
case.hidden("all axes equally long", lambda s: draw(s, *[s.size + 1] * 3))
case.hidden("a single value", lambda s: draw(s, s.size + 1, 1, s.size + 2))
case.hidden("values of one number", lambda s: draw(s, *s.dims(2), 1))
case.hidden(
    "arrays stored in another order",
    lambda s: stored(draw(s, *s.dims(3)).args, (0, 1), (0, 2)),
)
called_twice(case, ["weights", "values"], lambda s: draw(s, 2, 3, 4).args)

HINTS = (
    "Write down the shapes, (B, S) and (B, S, d_v). Which axis disappears in the sum, and which "
    "one do the weights lack?",
    "weights (B, S) needs an axis for the features, `weights[:, :, None]`, to multiply values.",
    'Multiply and sum over axis 1, or say it in one line: np.einsum("bs,bsd->bd", …).',
)

"""The reference, the cases and the hints of `measure_map`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import stored


def measure_map(weights, n_words):
    """A row of weights is a promise: positive numbers over the words that sum to 1. The first
    number tests the sum in the worst row, because a mean lets a row that is too large pay for one
    that is too small. The second tests where the weight lies. The third says how decided a row is:
    near 1 it looks at one word, near one over the number of words it looks at all of them alike.

    Cost: T·S additions and comparisons; one map costs less than drawing it."""
    sums = weights.sum(axis=1)
    padding = weights[:, n_words:].sum(axis=1)
    return (
        float(np.abs(sums - 1).max()),
        float(padding.mean()),
        float(weights.max(axis=1).mean()),
    )


PARTS = ("off", "padding", "peak")  # as the notebook's next cell calls them


def draw(s: Sampler, padding: int = 2, rows: int = 0, more: int = 0) -> Inputs:
    t, n = s.dims(2, low=3)
    t = rows or t + more
    return Inputs((s.weights(t, n + padding), n))


case = Cases(dtypes=("float64",))
case.example((np.array([[0.5, 0.5, 0.0], [0.25, 0.25, 0.25]]), 2))
case("a map as it should be", draw)


@case("a row sums to too much")
def too_large(s):
    """The second row sums to more than 1 by 0.7, the first and the last to less by 0.1 and 0.2:
    neither the worst row nor the best is one at which a loop begins or ends."""
    inputs = draw(s, more=1)
    inputs.args[0][0] *= 0.9
    inputs.args[0][1] *= 1.7
    inputs.args[0][-1] *= 0.8
    return inputs


case("no padding", lambda s: draw(s, 0))


@case.hidden("a row sums to too little")
def too_small(s):
    """The second row sums to less than 1 by 0.6, the first and the last to more by 0.1 and 0.2;
    the mean is below 1."""
    inputs = draw(s, more=1)
    inputs.args[0][0] *= 1.1
    inputs.args[0][1] *= 0.4
    inputs.args[0][-1] *= 1.2
    return inputs


case.hidden("much padding", lambda s: draw(s, 6, rows=int(s.size == 1)))
case.hidden("a matrix stored in another order", lambda s: stored(draw(s, 1).args, (0, 1), None))

WITHOUT = {
    "dtype: float64 and float32": "Three Python numbers come out.",
}

HINTS = (
    "Which axis belongs to one target word? All three numbers look along it.",
    "Sums of rows: `weights.sum(axis=1)`. The padding: the columns from n_words on. The "
    "largest weights: `weights.max(axis=1)`.",
    "`np.abs(sums - 1).max()`, `weights[:, n_words:].sum(axis=1).mean()`, "
    "`weights.max(axis=1).mean()`, as a tuple.",
)

"""Task `measure_map`: three numbers that a picture of a map does not show."""

import numpy as np

from course_lib.exercises.common import changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def measure_map(weights, n_words):
    sums = weights.sum(axis=1)
    padding = weights[:, n_words:].sum(axis=1)
    return (
        float(np.abs(sums - 1).max()),
        float(padding.mean()),
        float(weights.max(axis=1).mean()),
    )


def draw(s: Sampler, padding: int = 2) -> Inputs:
    t, n = s.dims(2, low=3)
    return Inputs((s.weights(t, n + padding), n))


def too_large(s: Sampler) -> Inputs:
    """One row sums to more than 1 by 0.7, another to less by 0.2."""
    inputs = draw(s)
    inputs.args[0][0] *= 1.7
    inputs.args[0][1] *= 0.8
    return inputs


def too_small(s: Sampler) -> Inputs:
    """One row sums to less than 1 by 0.6, another to more by 0.2; the mean is below 1."""
    inputs = draw(s)
    inputs.args[0][0] *= 0.4
    inputs.args[0][1] *= 1.2
    return inputs


def strided(s: Sampler) -> Inputs:
    t, n = s.dims(2, low=3)
    return Inputs((Transposed(s.weights(t, n + 1), (0, 1)), n))


def _with(rows=None, padding=None, peak=None):
    """The right answer, but for one of its three numbers."""

    def answer(weights, n_words):
        right = measure_map(weights, n_words)
        wrong = [f and float(f(weights, n_words)) for f in (rows, padding, peak)]
        return tuple(r if w is None else w for r, w in zip(right, wrong, strict=True))

    return answer


MEASURE_MAP = Task(
    name="measure_map",
    points=3,
    reference=measure_map,
    library="numpy",
    idea=(
        "A row of weights is a promise: positive numbers over the words that sum to 1. The first "
        "number tests the sum in the worst row, because a mean lets a row that is too large pay "
        "for one that is too small. The second tests where the weight lies. The third says how "
        "decided a row is: near 1 it looks at one word, near one over the number of words it "
        "looks at all of them alike."
    ),
    cost="T·S additions and comparisons; one map costs less than drawing it.",
    cases=(
        Case("a map as it should be", draw, dtypes=("float64",)),
        Case("a row sums to too much", too_large, dtypes=("float64",)),
        Case("no padding", lambda s: draw(s, 0), dtypes=("float64",)),
        Case("a row sums to too little", too_small, hidden=True, dtypes=("float64",)),
        Case("much padding", lambda s: draw(s, 6), hidden=True, dtypes=("float64",)),
        Case("a matrix stored in another order", strided, hidden=True, dtypes=("float64",)),
    ),
    mistakes=(
        Mistake(
            "sums-of-columns",
            "You add up columns. A target word is a row, and its weights sum to 1: axis=1.",
            _with(rows=lambda w, n: np.abs(w.sum(axis=0) - 1).max()),
        ),
        Mistake(
            "signed-distance",
            "A sum of 0.4 is as wrong as one of 1.6: take the distance from 1 without its sign.",
            _with(rows=lambda w, n: (w.sum(axis=1) - 1).max()),
        ),
        Mistake(
            "mean-of-rows",
            "You take the mean of the distances. One bad row among many is what you look for: take "
            "the largest.",
            _with(rows=lambda w, n: np.abs(w.sum(axis=1) - 1).mean()),
        ),
        Mistake(
            "largest-sum",
            "You return the largest sum. Its distance from 1 is asked.",
            _with(rows=lambda w, n: w.sum(axis=1).max()),
        ),
        Mistake(
            "words-alone",
            "You leave the padding out of the sum of a row. The softmax ran over all columns, and "
            "its sum is over all of them.",
            _with(rows=lambda w, n: np.abs(w[:, :n].sum(axis=1) - 1).max()),
        ),
        Mistake(
            "one-column-late",
            "Your padding begins one column late. With n_words words the columns 0 to n_words − 1 "
            "are words: `weights[:, n_words:]`.",
            _with(padding=lambda w, n: w[:, n + 1 :].sum(axis=1).mean()),
        ),
        Mistake(
            "one-column-early",
            "Your padding begins one column early and takes the last word in.",
            _with(padding=lambda w, n: w[:, n - 1 :].sum(axis=1).mean()),
        ),
        Mistake(
            "weight-of-words",
            "You return the weight of the words; what lies on padding is asked.",
            _with(padding=lambda w, n: w[:, :n].sum(axis=1).mean()),
        ),
        Mistake(
            "padding-of-all-rows",
            "You add the padding's weight up over all rows. Take the mean over the rows, so that "
            "long and short sentences can be compared.",
            _with(padding=lambda w, n: w[:, n:].sum()),
        ),
        Mistake(
            "mean-of-cells",
            "You take the mean of the padding's cells. Add up each row first: four cells of 0.1 "
            "are 0.4 lost.",
            _with(padding=lambda w, n: w[:, n:].mean() if n < w.shape[1] else 0.0),
        ),
        Mistake(
            "largest-of-all",
            "You return the largest weight of the map. One sure row says nothing of the others: "
            "take the largest of each row, then their mean.",
            _with(peak=lambda w, n: w.max()),
        ),
        Mistake(
            "peaks-of-columns",
            "You take the largest weight of each column. Take that of each row: axis=1.",
            _with(peak=lambda w, n: w.max(axis=0).mean()),
        ),
        Mistake(
            "as-list",
            "You return a list. Return a tuple of three numbers.",
            lambda weights, n_words: list(measure_map(weights, n_words)),
        ),
        changes_input(measure_map, 0, "weights"),
    ),
    hints=(
        "Which axis belongs to one target word? All three numbers look along it.",
        "Sums of rows: `weights.sum(axis=1)`. The padding: the columns from n_words on. The "
        "largest weights: `weights.max(axis=1)`.",
        "`np.abs(sums - 1).max()`, `weights[:, n_words:].sum(axis=1).mean()`, "
        "`weights.max(axis=1).mean()`, as a tuple.",
    ),
)

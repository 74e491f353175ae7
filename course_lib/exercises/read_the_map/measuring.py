"""Task `measure_map`: three numbers that a picture of a map does not show."""

import numpy as np

from course_lib.exercises.common import changes_input, stored
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


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


def draw(s: Sampler, padding: int = 2) -> Inputs:
    t, n = s.dims(2, low=3)
    return Inputs((s.weights(t, n + padding), n))


case = Cases(dtypes=("float64",))
case("a map as it should be", draw)


@case("a row sums to too much")
def too_large(s):
    """One row sums to more than 1 by 0.7, another to less by 0.2."""
    inputs = draw(s)
    inputs.args[0][0] *= 1.7
    inputs.args[0][1] *= 0.8
    return inputs


case("no padding", lambda s: draw(s, 0))


@case.hidden("a row sums to too little")
def too_small(s):
    """One row sums to less than 1 by 0.6, another to more by 0.2; the mean is below 1."""
    inputs = draw(s)
    inputs.args[0][0] *= 0.4
    inputs.args[0][1] *= 1.2
    return inputs


case.hidden("much padding", lambda s: draw(s, 6))
case.hidden("a matrix stored in another order", lambda s: stored(draw(s, 1).args, (0, 1), None))


def _measured(weights, n_words, **others):
    """The right answer, but for one of its three numbers."""
    right = dict(zip(("rows", "padding", "peak"), measure_map(weights, n_words), strict=True))
    wrong = {name: float(number(weights, n_words)) for name, number in others.items()}
    return tuple((right | wrong).values())


class Mistakes:
    def sums_of_columns(*args):
        """You add up columns. A target word is a row, and its weights sum to 1: axis=1."""
        return _measured(*args, rows=lambda w, n: np.abs(w.sum(axis=0) - 1).max())

    def signed_distance(*args):
        """A sum of 0.4 is as wrong as one of 1.6: take the distance from 1 without its sign."""
        return _measured(*args, rows=lambda w, n: (w.sum(axis=1) - 1).max())

    def mean_of_rows(*args):
        """You take the mean of the distances. One bad row among many is what you look for: take the
        largest."""
        return _measured(*args, rows=lambda w, n: np.abs(w.sum(axis=1) - 1).mean())

    def largest_sum(*args):
        """You return the largest sum. Its distance from 1 is asked."""
        return _measured(*args, rows=lambda w, n: w.sum(axis=1).max())

    def words_alone(*args):
        """You leave the padding out of the sum of a row. The softmax ran over all columns, and its
        sum is over all of them."""
        return _measured(*args, rows=lambda w, n: np.abs(w[:, :n].sum(axis=1) - 1).max())

    def one_column_late(*args):
        """Your padding begins one column late. With n_words words the columns 0 to n_words − 1 are
        words: `weights[:, n_words:]`."""
        return _measured(*args, padding=lambda w, n: w[:, n + 1 :].sum(axis=1).mean())

    def one_column_early(*args):
        """Your padding begins one column early and takes the last word in."""
        return _measured(*args, padding=lambda w, n: w[:, n - 1 :].sum(axis=1).mean())

    def weight_of_words(*args):
        """You return the weight of the words; what lies on padding is asked."""
        return _measured(*args, padding=lambda w, n: w[:, :n].sum(axis=1).mean())

    def padding_of_all_rows(*args):
        """You add the padding's weight up over all rows. Take the mean over the rows, so that long
        and short sentences can be compared."""
        return _measured(*args, padding=lambda w, n: w[:, n:].sum())

    def mean_of_cells(*args):
        """You take the mean of the padding's cells. Add up each row first: four cells of 0.1 are
        0.4 lost."""
        return _measured(*args, padding=lambda w, n: w[:, n:].mean() if n < w.shape[1] else 0.0)

    def largest_of_all(*args):
        """You return the largest weight of the map. One sure row says nothing of the others: take
        the largest of each row, then their mean."""
        return _measured(*args, peak=lambda w, n: w.max())

    def peaks_of_columns(*args):
        """You take the largest weight of each column. Take that of each row: axis=1."""
        return _measured(*args, peak=lambda w, n: w.max(axis=0).mean())

    def as_list(weights, n_words):
        """You return a list. Return a tuple of three numbers."""
        return list(measure_map(weights, n_words))

    changes_weights = changes_input(measure_map, 0, "weights")


HINTS = (
    "Which axis belongs to one target word? All three numbers look along it.",
    "Sums of rows: `weights.sum(axis=1)`. The padding: the columns from n_words on. The "
    "largest weights: `weights.max(axis=1)`.",
    "`np.abs(sums - 1).max()`, `weights[:, n_words:].sum(axis=1).mean()`, "
    "`weights.max(axis=1).mean()`, as a tuple.",
)
MEASURE_MAP = task(measure_map, 3, case.all, Mistakes, HINTS, library="numpy")

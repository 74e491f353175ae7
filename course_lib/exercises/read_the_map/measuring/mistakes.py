"""What goes wrong in `measure_map`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import changes_input, family
from course_lib.exercises.read_the_map.measuring.task import measure_map


def _or_zero(cells):
    return cells if cells.size else np.zeros(1)


MISTAKES = Mistakes(measure_map, globals())
MISTAKES.change(
    "sums-of-columns", "sums = weights.sum(axis=1)", "sums = weights.sum(axis=0)"
).says("""
    You add up columns. A target word is a row, and its weights sum to 1: axis=1.
""")
MISTAKES.change("signed-distance", "np.abs(sums - 1)", "(sums - 1)").says("""
    A sum of 0.4 is as wrong as one of 1.6: take the distance from 1 without its sign.
""")
MISTAKES.change("mean-of-rows", "(sums - 1).max", "(sums - 1).mean").says("""
    You take the mean of the distances. One bad row among many is what you look for: take the
    largest.
""")
MISTAKES.change("mean-of-sums", "np.abs(sums - 1).max()", "np.abs(sums.mean() - 1)").says("""
    You take the mean of the sums first, where one row too heavy hides one too light. Take each
    row's distance from 1, then the largest.
""")
MISTAKES.change("padding-of-worst-row", "padding.mean()", "padding.max()").says("""
    You take the padding of the worst row. The mean over the rows is asked.
""")
MISTAKES.change("largest-sum", "np.abs(sums - 1)", "sums").says(
    "You return the largest sum. Its distance from 1 is asked."
)
MISTAKES.change("words-alone", "sums = weights", "sums = weights[:, :n_words]").says("""
    You leave the padding out of the sum of a row. The softmax ran over all columns, and its sum is
    over all of them.
""")
MISTAKES.change("one-column-late", "n_words:]", "n_words + 1 :]").says("""
    Your padding begins one column late. With n_words words the columns 0 to n_words − 1 are words:
    `weights[:, n_words:]`.
""")
MISTAKES.change("one-column-early", "n_words:]", "n_words - 1 :]").says("""
    Your padding takes a word in: it begins one column early, or its width is written out (`[:,
    -3:]`). It is what is right of the words: `weights[:, n_words:]`.
""")
MISTAKES.change("weight-of-words", "n_words:]", ":n_words]").says("""
    You return the weight of the words; what lies on padding is asked.
""")
MISTAKES.change("padding-of-all-rows", "padding.mean()", "padding.sum()").says("""
    You add the padding's weight up over all rows. Take the mean over the rows, so that long and
    short sentences can be compared.
""")
MISTAKES.change(
    "mean-of-cells", "weights[:, n_words:].sum(axis=1)", "_or_zero(weights[:, n_words:])"
).says("""
    You take the mean of the padding's cells. Add up each row first: four cells of 0.1 are 0.4 lost.
""")
MISTAKES.change("largest-of-all", "weights.max(axis=1).mean()", "weights.max()").says("""
    You return the largest weight of the map. One sure row says nothing of the others: take the
    largest of each row, then their mean.
""")
MISTAKES.change("peaks-of-columns", "weights.max(axis=1)", "weights.max(axis=0)").says("""
    You take the largest weight of each column. Take that of each row: axis=1.
""")
for name, order in (
    ("in-another-order", (2, 1, 0)),
    ("padding-first", (1, 0, 2)),
    ("padding-last", (0, 2, 1)),
):
    MISTAKES.by(
        name, lambda *args, order=order: tuple(measure_map(*args)[i] for i in order)
    ).says("""
    Your numbers come in another order: the sum's distance from 1, the padding, the largest weight.
""")
MISTAKES.by("as-list", lambda weights, n_words: list(measure_map(weights, n_words))).says(
    "You return a list. Return a tuple of three numbers."
)
changes_input(MISTAKES, "weights")
family(
    MISTAKES,
    """Your padding is rows. It is the *columns* from n_words on: `weights[:, n_words:]`.""",
    rows_for_columns=("weights[:, n_words:]", "weights[n_words:]"),
    first_axis_cut=("weights[:, n_words:].sum(axis=1)", "weights[n_words:].sum(axis=0)"),
)
family(
    MISTAKES,
    """You cut the padding off before you measure. A row's sum and its largest weight are taken over
    all columns; only the second number looks at the padding alone.""",
    cut_before=(
        "sums = weights",
        "sums = weights[:, :n_words]",
        "weights.max",
        "weights[:, :n_words].max",
    ),
)
family(
    MISTAKES,
    """You look for the largest weight among the words alone. In an unmasked map it may stand on
    padding: take it of the whole row.""",
    largest_of_words=("weights.max(axis=1)", "weights[:, :n_words].max(axis=1)"),
)
family(
    MISTAKES,
    """You divide the padding's weight by all weight, or by the number of columns. It is the mean
    over the rows: divide by their number.""",
    share_of_all=("padding.mean()", "padding.sum() / weights.sum()"),
    divided_by_columns=("padding.mean()", "padding.sum() / weights.shape[1]"),
)
family(
    MISTAKES,
    """`argmax` says where the largest weight stands. How large it is, `max` says.""",
    place_of_the_largest=("weights.max(axis=1)", "weights.argmax(axis=1)"),
)
family(
    MISTAKES,
    """You look along the first axis, at columns. A target word is a row: sums and largest weights
    run along axis=1, and the means are over the rows.""",
    first_axis_throughout=(
        "weights.sum(axis=1)",
        "weights.sum(axis=0)",
        ":].sum(axis=1)",
        ":].sum(axis=0)",
        "max(axis=1)",
        "max(axis=0)",
    ),
)
family(
    MISTAKES,
    """You cut the last n_words columns. Padding begins after the words: `weights[:, n_words:]`.""",
    last_columns=("n_words:]", "-n_words:]"),
)
family(
    MISTAKES,
    """You look at the heaviest cell of the padding. Add the padding of each row up, and take the
    mean over the rows.""",
    heaviest_cell=(
        "padding = weights[:, n_words:].sum(axis=1)",
        "padding = _or_zero(weights[:, n_words:]).max()",
    ),
)
family(
    MISTAKES,
    """You look at one side of 1 alone: a row that sums to too much is as wrong as one that sums to
    too little. Take each distance from 1 without its sign, then the largest.""",
    smallest_sum=("np.abs(sums - 1).max()", "1 - sums.min()"),
)
MISTAKES.change("spread", "np.abs(sums - 1).max()", "sums.std()").says("""
    You take the spread of the sums (`std`). The largest distance of a sum from 1 is asked.
""")
MISTAKES.change("sum-of-distances", "np.abs(sums - 1).max()", "np.abs(sums - 1).sum()").says("""
    You add the distances of all rows up. The largest of them is asked.
""")
family(
    MISTAKES,
    """You take the smallest distance. One bad row among many is what you look for: take the
    largest.""",
    smallest_distance=("np.abs(sums - 1).max()", "np.abs(sums - 1).min()"),
)
family(
    MISTAKES,
    """You square the distance of a row's sum from 1. The distance itself is asked: `np.abs`.""",
    squared=("np.abs(sums - 1).max()", "((sums - 1) ** 2).max()"),
    mean_square=("np.abs(sums - 1).max()", "((sums - 1) ** 2).mean()"),
)
family(
    MISTAKES,
    """You take the mean of all weights. The largest of each row are asked, and their mean.""",
    mean_weight=("weights.max(axis=1).mean()", "weights.mean()"),
)
family(
    MISTAKES,
    """You take the smallest: of each row's weights, or of their largest ones. The largest of each
    row are asked, and their mean.""",
    smallest_weights=("weights.max(axis=1).mean()", "weights.min(axis=1).mean()"),
    smallest_peak=("weights.max(axis=1).mean()", "weights.max(axis=1).min()"),
)
family(
    MISTAKES,
    """You measure the whole map. Take each row's sum, its distance from 1, and
    then the largest distance.""",
    sum_of_the_map=("np.abs(sums - 1).max()", "np.abs(sums.sum() - len(sums))"),
    sum_of_the_map_and_1=("np.abs(sums - 1).max()", "np.abs(weights.sum() - 1)"),
    whole_sum=("np.abs(sums - 1).max()", "weights.sum()"),
)
family(
    MISTAKES,
    """You take the median, the largest or the sum of the rows' largest weights. Their mean is
    asked.""",
    median_peak=("weights.max(axis=1).mean()", "np.median(weights.max(axis=1))"),
    sum_of_peaks=("weights.max(axis=1).mean()", "weights.max(axis=1).sum()"),
)
family(
    MISTAKES,
    """The second of your three numbers begins at a column that you have written into the code. In
    another map it is another one: the columns from `n_words` on are padding.""",
    seven_words=("n_words:]", "7:]"),
    three_paddings=("n_words:]", "-3:]"),
)
MISTAKES.change(
    "one-minus-the-words",
    "weights[:, n_words:].sum(axis=1)",
    "1 - weights[:, :n_words].sum(axis=1)",
).says("""
    The second of your three numbers is 1 minus the weight on the words. That is the padding only
    where a row sums to 1, and the maps whose rows do not are those that you look for: add up the
    columns of the padding.
""")
MISTAKES.change("divided-by-words", "padding.mean()", "padding.sum() / n_words").says("""
    The second of your three numbers is divided by the number of words. It is a mean over the rows:
    divide by their number, `len(weights)`, or take `.mean()`.
""")
for name, of in (
    ("normalised-first", (1, 2)),
    ("normalised-first-but-for-the-sum", (0, 1, 2)),
    ("share-of-the-row", (1,)),
    ("peak-as-a-share", (2,)),
):
    MISTAKES.by(
        name,
        lambda weights, n_words, of=of: tuple(
            measure_map(
                weights / weights.sum(axis=1, keepdims=True) if i in of else weights, n_words
            )[i]
            for i in range(3)
        ),
    ).says("""
        You divide by the sums of the rows. Then a map that was stretched looks sound: measure the
        weights as they are.
    """)
family(
    MISTAKES,
    """You read the first column of the padding alone. All columns from `n_words` on are padding,
    and there may be none: `weights[:, n_words:].sum(axis=1)`.""",
    first_column=("weights[:, n_words:].sum(axis=1)", "weights[:, n_words]"),
    first_column_or_none=(
        "weights[:, n_words:].sum(axis=1)",
        "weights[:, n_words : n_words + 1].sum(axis=1)",
    ),
)
MISTAKES.change("last-column", "weights[:, n_words:].sum(axis=1)", "weights[:, -1]").says("""
    You read the last column alone. All columns from `n_words` on are padding, and there may be
    none: `weights[:, n_words:].sum(axis=1)`.
""")
family(
    MISTAKES,
    """You count the weights on padding that are not 0. How large they are is asked: add them
    up.""",
    counted=("weights[:, n_words:].sum(axis=1)", "(weights[:, n_words:] > 0).sum(axis=1)"),
    share_of_cells=(
        "weights[:, n_words:].sum(axis=1)",
        "(_or_zero(weights[:, n_words:]) > 0)",
    ),
)
family(
    MISTAKES,
    """You take the mean of the padding's cells, and without padding there are none: the mean of
    nothing is nan. Add up each row first, then take the mean over the rows.""",
    mean_of_no_cells=("weights[:, n_words:].sum(axis=1)", "weights[:, n_words:]"),
)
family(
    MISTAKES,
    """The sum of the rows' largest weights is divided by another number than that of the rows. It
    is a mean over the rows: divide by their number, `len(weights)`, or take `.mean()`.""",
    peaks_by_words=("weights.max(axis=1).mean()", "weights.max(axis=1).sum() / n_words"),
    peaks_by_columns=("weights.max(axis=1).mean()", "weights.max(axis=1).sum() / weights.shape[1]"),
)
MISTAKES.change("last-row-of-all", "np.abs(sums - 1).max()", "np.abs(sums - 1)[-1]").says("""
    You keep the distance of the last row alone. Compare it with the largest so far in each round of
    the loop, or take the largest of them all.
""")
MISTAKES.change("first-row-of-all", "np.abs(sums - 1).max()", "np.abs(sums - 1)[0]").says("""
    You keep the distance of the first row alone. Compare it with the largest so far in each round
    of the loop, or take the largest of them all.
""")
family(
    MISTAKES,
    """Your totals hold one row alone, divided by the number of all. Perhaps they are set back to 0
    in each round of the loop, or `=` stands for `+=`, or the `return` stands inside the loop.""",
    set_back=("padding.mean()", "padding[-1] / len(sums)", "weights.max(axis=1).mean()",
              "weights[-1].max() / len(sums)"),
    padding_set_back=("padding.mean()", "padding[-1] / len(sums)"),
    peak_set_back=("weights.max(axis=1).mean()", "weights[-1].max() / len(sums)"),
    early_return=("padding.mean()", "padding[0] / len(sums)", "weights.max(axis=1).mean()",
                  "weights[0].max() / len(sums)", "np.abs(sums - 1).max()", "np.abs(sums - 1)[0]"),
)  # fmt: skip
OF_ROWS = {
    "median": ("np.median({0})", "the median over the rows"),
    "least": ("{0}.min()", "the smallest of the rows"),
    "first": ("{0}[0]", "the first row alone"),
    "last": ("{0}[-1]", "the last row alone"),
}
for number, what, asked, known in (
    ("padding", "padding", "padding.mean()", ()),
    ("peak", "weights.max(axis=1)", "weights.max(axis=1).mean()", ("median", "least")),
):
    for name, (written, called) in OF_ROWS.items():
        if name not in known:
            MISTAKES.change(f"{number}-of-{name}", asked, written.format(what)).says(f"""
                For `{number}` you take {called}. The mean over all rows is asked.
            """)
MISTAKES.change("second-largest", "weights.max(axis=1)", "np.sort(weights, axis=1)[:, -2]").says("""
    You take the second largest weight of each row. The largest is asked, `max`: sorted from small
    to large it is the last, `[:, -1]`.
""")
MISTAKES.change("mean-of-columns", "weights.max(axis=1).mean()", "weights.mean(axis=0).max()").says(
    """
    You take the mean first and the largest then. Take the largest of each row first, and then the
    mean of these.
"""
)

"""Task `peak_times` of lab 7: a moment for each piece, from the largest weight of its row."""

import numpy as np

from course_lib.checker.tasks import Cases, Mistakes, Sampler, task
from course_lib.exercises.common import family, single


def peak_times(weights, step):
    """The column with the largest weight is the moment at which the row looks most. A column lasts
    `step` seconds, so its middle lies half a column after its beginning.

    Cost: each weight is read once."""
    columns = weights.argmax(-1)
    return (columns + 0.5) * step


def of_words(s: Sampler, T: int, S: int) -> tuple:
    return s.weights(T, S), 0.02


def with_ties(s: Sampler, T: int, S: int) -> tuple:
    """Two columns share the largest weight of each row."""
    weights = s.integers(0, 3, T, S + 2) / 8
    for row in weights:
        row[s.rng.choice(S + 2, 2, replace=False)] = 0.75
    return weights.astype(s.dtype), 0.02


def all_on_one(s: Sampler, T: int, S: int) -> tuple:
    return np.eye(S, dtype=s.dtype)[s.integers(0, S, T)], 0.02


case = Cases(dtypes=("float32",))
case.example((single([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1]]), 0.5), dtype="float32")
case("a map of one head", of_words)
case("layers and heads before it", lambda s, L, H, T, S: (s.weights(L, H, T, S), 0.02))
case("two largest weights: the first column counts", with_ties)
case("one column", lambda s, T: (s.weights(T, 1), 0.02))
case.hidden("one piece", lambda s, S: (s.weights(1, S), 0.02))
case.hidden("all weight on one column", all_on_one)
case.hidden("longer columns", lambda s, T, S: (s.weights(T, S), 0.25))

MISTAKES = Mistakes(peak_times, globals())
MISTAKES.change("beginning", "(columns + 0.5)", "columns").says("""
    You return the beginning of the column. Column j lasts from j · step to (j + 1) · step; its
    middle is asked, (j + 0.5) · step.
""")
MISTAKES.change("end", "+ 0.5", "+ 1").says("""
    You return the end of the column. Its middle is asked, (j + 0.5) · step.
""")
MISTAKES.change("counted-from-one", "+ 0.5", "- 0.5").says("""
    You count columns from 1. The first is number 0, and its middle lies at 0.5 · step.
""")
MISTAKES.change("bracket", "(columns + 0.5) * step", "columns + 0.5 * step").says("""
    You multiply the half alone by `step`. A bracket is missing: (column + 0.5) · step.
""")
family(
    MISTAKES,
    """You add a half to the seconds. Half a column is asked: (column + 0.5) · step.""",
    half_a_second=("(columns + 0.5) * step", "columns * step + 0.5"),
)
family(
    MISTAKES,
    """You add `step`. It is the length of a column in seconds: multiply by it.""",
    step_added=("* step", "+ step"),
    step_added_to_the_beginning=("(columns + 0.5) * step", "columns + step"),
)
MISTAKES.change("as-a-share", "* step", "/ weights.shape[-1]").says("""
    You divide by the number of columns: a share of the sound comes out. Seconds are asked: multiply
    by `step`.
""")
MISTAKES.change("whole-seconds", "(columns + 0.5) * step", "((columns + 0.5) * step).round()").says(
    "You round to whole seconds. Return the moments as they are."
)
MISTAKES.change("without-step", " * step", "").says("""
    You return numbers of columns. Multiply by `step`, the seconds that a column lasts.
""")
MISTAKES.change("divided", "* step", "/ step").says("""
    You divide by `step`. It is the length of a column in seconds: multiply.
""")
MISTAKES.change("milliseconds", "* step", "* step * 1000").says(
    "You return milliseconds. Seconds are asked."
)
MISTAKES.change(
    "mean-time",
    "columns = weights.argmax(-1)",
    "n = weights.new_ones(weights.shape[-1]).cumsum(-1) - 1; columns = (weights * n).sum(-1)",
).says("""
    You take the mean of the moments, weighted by the map. A little weight far away moves it: the
    moment of the largest weight is asked.
""")
MISTAKES.change("largest-weight", "weights.argmax(-1)", "weights.amax(-1)").says("""
    You take the largest weight itself. Its column is asked: `argmax`.
""")
MISTAKES.change("smallest", "argmax", "argmin").says(
    "You take the column of the smallest weight. The largest is asked: `argmax`."
)
MISTAKES.change("over-pieces", "argmax(-1)", "argmax(-2)").says("""
    You look for the largest weight of each column. Each row, a piece, gets a moment: `argmax(-1)`.
""")
MISTAKES.change(
    "last-of-equals", "weights.argmax(-1)", "weights.shape[-1] - 1 - weights.flip(-1).argmax(-1)"
).says("""
    Of two equally large weights you take the last. The first counts, as `argmax` has it.
""")
family(
    MISTAKES,
    """You take one largest weight for the whole map. Each row has its own: `argmax(-1)`.""",
    of_the_whole=("argmax(-1)", "argmax()"),
    of_the_whole_for_each=(
        "weights.argmax(-1)",
        "weights.argmax() % weights.shape[-1] + 0 * weights.argmax(-1)",
    ),
)
TIMES = task(
    MISTAKES,
    1,
    case.all,
    (
        "Which column of a row says when it looked, and what does its number have to do with "
        "seconds?",
        "`weights.argmax(-1)` is (..., T): a column for each row. It begins at column · step.",
        "`(weights.argmax(-1) + 0.5) * step`.",
    ),
    without={"dtype: float64 and float32": "The moments have the dtype of torch's own floats."},
)

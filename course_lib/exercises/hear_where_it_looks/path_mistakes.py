"""What goes wrong in `monotone_path` of lab 7, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes, task
from course_lib.exercises.common import family
from course_lib.exercises.hear_where_it_looks.path import HINTS, case, monotone_path

MISTAKES = Mistakes(monotone_path, globals())
MISTAKES.by("peaks", lambda weights: weights.argmax(-1)).says("""
    You take each row's largest weight on its own, and the columns go back and forth. No column may
    lie before that of the row above.
""")
MISTAKES.by("pushed-forward", lambda weights: weights.argmax(-1).cummax(0).values).says("""
    You take each row's largest weight, and where it lies before the last one you stay. So one row
    that looks far ahead drags along all below it: look for the path whose *sum* is largest.
""")


@MISTAKES.says("""You choose row by row, the largest weight that is still ahead. A row that looks
    far ahead leaves nothing for those below it: compare whole paths, by the best sum up to each
    column.""")
def row_by_row(weights):
    path, begin = [], 0
    for row in weights:
        begin += int(row[begin:].argmax())
        path.append(begin)
    return torch.tensor(path)


@MISTAKES.says("""You choose row by row from the end, the largest weight that is not beyond the last
    choice. Compare whole paths: the sums down to each row, not the weights, decide on the way
    back.""")
def row_by_row_from_the_end(weights):
    path, end = [], weights.shape[1]
    for row in weights.flip(0):
        end = int(row[:end].argmax()) + 1
        path.append(end - 1)
    return torch.tensor(path[::-1])


MISTAKES.change(
    "products", "best = [weights[0]]", "weights = weights.log(); best = [weights[0]]"
).says(
    """
    Your path is judged by the product of its weights, which a sum of logarithms is, too, and a
    single 0 forbids it. The sum of the weights is asked.
"""
)
MISTAKES.change(
    "products-above-zero",
    "best = [weights[0]]",
    "weights = weights.clamp(min=1e-9).log(); best = [weights[0]]",
).says("""
    Your path is judged by the product of its weights, which a sum of logarithms is, too. The sum of
    the weights is asked.
""")
MISTAKES.change("ahead-by-one", "path.append(column)", "path.append(column + 1)").says(
    "You count columns from 1. The first is number 0."
)
MISTAKES.change("not-turned-round", "path[::-1]", "path").says("""
    Your path begins with the last row: it was read from the end. Turn it round.
""")
MISTAKES.by("peaks-in-order", lambda weights: weights.argmax(-1).sort().values).says("""
    You sort the largest columns of all rows. A column then stands beside another row than its own:
    look for the path whose *sum* is largest.
""")
MISTAKES.change("list", "torch.tensor(path[::-1])", "path[::-1]").says(
    "You return a list. Return an int64 tensor: `torch.tensor(path)`."
)
MISTAKES.change("floats", "tensor(path[::-1])", "tensor(path[::-1]).to(weights)").says(
    "Your columns are floats. They are numbers of columns: int64."
)
MISTAKES.change("sum-for-path", "torch.tensor(path[::-1])", "best[-1].max()").says(
    "You return the largest sum. The path that has it is asked: a column for each row."
)
MISTAKES.change("peaks-of-sums", "sums[:end].argmax()", "sums.argmax()").says("""
    You take the best sum of each row on its own. On the way back only the columns up to the one
    just found may follow: `sums[:end]`.
""")
MISTAKES.change("no-staying", "end = column + 1", "end = max(column, 1)").says("""
    Your path may not stay in a column. Two pieces of one word look at the same moment: a column may
    follow itself.
""")
MISTAKES.change("same-column", "best[-1].cummax(0).values", "best[-1]").says("""
    You add the sum of the same column of the row above. Any column up to j may come before column
    j: take the largest of them, `cummax`.
""")
MISTAKES.change(
    "one-step",
    "best[-1].cummax(0).values",
    "torch.maximum(best[-1], torch.cat([best[-1][:1], best[-1][:-1]]))",
).says("""
    You let the path go ahead by one column at most. It may pass over any number of them, as it does
    in a pause.
""")
MISTAKES.change(
    "last-of-equals", "sums[:end].argmax()", "end - 1 - sums[:end].flip(0).argmax()"
).says("""
    Of equally good columns you take the last. The leftmost path counts: the first of equals, as
    `argmax` has it.
""")
MISTAKES.change("begins-at-zero", "path[::-1])", "[0, *path[:-1][::-1]])").says("""
    You begin in column 0 whatever the map says. The path may begin anywhere.
""")
MISTAKES.change(
    "ends-at-the-end",
    "path, end = [], weights.shape[1]",
    "path, end = [], weights.shape[1]; best[-1] = best[-1].clone(); best[-1][:-1] = -1",
).says("""
    You end in the last column whatever the map says. The path may end anywhere.
""")
family(
    MISTAKES,
    """Your path goes from right to left. No column may lie *before* that of the row above.""",
    from_right_to_left=(
        "best = [weights[0]]",
        "weights = weights.flip(1); best = [weights[0]]",
        "torch.tensor(path[::-1])",
        "weights.shape[1] - 1 - torch.tensor(path[::-1])",
    ),
    rows_from_below=(
        "best = [weights[0]]",
        "weights = weights.flip(0); best = [weights[0]]",
        "path[::-1]",
        "path",
    ),
)
family(
    MISTAKES,
    """You take pieces for moments. The rows are the pieces, and each gets a column: the result is
    (T,).""",
    transposed=("best = [weights[0]]", "weights = weights.T; best = [weights[0]]"),
)


def _table(
    weights,
    before=lambda best, row, j: int(best[: j + 1].argmax()),
    begin=lambda weights: weights[0],
    end=lambda best, weights: int(best.argmax()),
    late=0,
    columns=0,
):
    """The path by a table of sums and one of the columns that they come from, as many write it,
    with a slip at one place: which column comes before j, by the sums and the weights of the row
    above; the sums of the first row; the last column; how many rows too early a column is looked
    up; which columns are left out."""
    T, S = weights.shape
    best, came = torch.zeros_like(weights), torch.zeros(T, S, dtype=torch.int64)
    best[0] = begin(weights)
    for t in range(1, T):
        for j in range(columns, S):
            came[t, j] = before(best[t - 1], weights[t - 1], j)
            best[t, j] = weights[t, j] + best[t - 1, came[t, j]]
    path = [end(best[-1], weights)]
    for t in range(T - 1, 0, -1):
        path.append(int(came[t - late, path[-1]]))
    return torch.tensor(path[::-1])


def _of_two(best, j, last):
    """Column j or the one before it, the last of equals where it is asked for."""
    two = best[max(j - 1, 0) : j + 1]
    return max(j - 1, 0) + int(len(two) - 1 - two.flip(0).argmax() if last else two.argmax())


def _last(best, j, steps):
    """The best of column j and so many before it."""
    first = max(j - steps, 0)
    return first + int(best[first : j + 1].argmax())


for name, last in (("one-step-on-the-way", False), ("one-step-and-staying", True)):
    MISTAKES.by(
        name,
        lambda weights, last=last: _table(weights, lambda best, row, j: _of_two(best, j, last)),
    ).says("""
        You let the path go ahead by one column at most. It may pass over any number of them, as it
        does in a pause.
    """)


@MISTAKES.says("""Your path may not stay in a column. Two pieces of one word look at the same
    moment: a column may follow itself, so the best of columns 0 to j counts for column j, j
    included.""")
def strictly_ahead(weights):
    best, came = weights[0], []
    for row in weights[1:]:
        before = [0, *(int(best[:j].argmax()) for j in range(1, len(row)))]
        best = row + best[before]
        best[0] = float("-inf")
        came.append(before)
    path = [int(best.argmax())]
    for back in came[::-1]:
        path.append(back[path[-1]])
    return torch.tensor(path[::-1])


MISTAKES.by(
    "strictly-ahead-but-for-the-first",
    lambda weights: _table(weights, lambda best, row, j: int(best[: max(j, 1)].argmax())),
).says("""
    Your path may not stay in a column. Two pieces of one word look at the same moment: a column may
    follow itself, so the best of columns 0 to j counts for column j, j included.
""")
MISTAKES.change(
    "strictly-ahead-back-too",
    "best[-1].cummax(0).values",
    "torch.cat([best[-1].new_full((1,), -1e9), best[-1].cummax(0).values[:-1]])",
    "sums[:end]",
    "sums[:max(end, 1)]",
    "end = column + 1",
    "end = column",
).says("""
    Your path may not stay in a column. Two pieces of one word look at the same moment: a column may
    follow itself, so the best of columns 0 to j counts for column j, j included.
""")
MISTAKES.by(
    "by-weights", lambda weights: _table(weights, lambda best, row, j: int(row[: j + 1].argmax()))
).says("""
    Of the row above you look for the largest *weight*. Which column comes before, the largest sum
    decides: `best[t - 1]`.
""")
MISTAKES.by("late", lambda weights: _table(weights, late=1)).says("""
    On the way back you look up a column in the row above its own. `came[t, j]` says which column of
    row t − 1 comes before column j of row t.
""")
MISTAKES.by("without-column-0", lambda weights: _table(weights, columns=1)).says("""
    The sums of column 0 are never filled in. The loop over columns begins at 0: `range(S)`.
""")
MISTAKES.by(
    "first-row-left-out",
    lambda weights: _table(weights, begin=lambda weights: torch.zeros_like(weights[0])),
).says("""
    You begin in column 0 whatever the first row says. The path may begin anywhere. Perhaps the
    weights of the first row are in no sum: the sums begin with them, `best[0] = weights[0]`.
""")
MISTAKES.by(
    "smallest", lambda weights: _table(weights, lambda b, row, j: int(b[: j + 1].argmin()))
).says("""
    You look for the smallest sum of the row above. The largest is asked.
""")
MISTAKES.by(
    "ends-at-the-peak",
    lambda weights: _table(weights, end=lambda b, weights: int(weights[-1].argmax())),
).says("""
    You begin the way back where the last *weight* is largest. Begin where the last sum is largest:
    `best[-1].argmax()`.
""")
MISTAKES.by(
    "two-steps", lambda weights: _table(weights, lambda best, row, j: _last(best, j, 2))
).says("""
    You let the path go ahead by two columns at most. It may pass over any number of them, as it
    does in a pause.
""")
MISTAKES.by("stays", lambda weights: _table(weights, lambda best, row, j: j)).says("""
    Your path stays in one column. For column j of a row, look for the best of the columns 0 to j of
    the row above, and keep which one it is.
""")


@MISTAKES.says("""Your columns are spread evenly, whatever the weights are. Look for the path whose
    weights have the largest sum.""")
def spread(weights):
    T, S = weights.shape
    return torch.linspace(0, S - 1, T).round().long()


PATH = task(MISTAKES, 4, case.all, HINTS)

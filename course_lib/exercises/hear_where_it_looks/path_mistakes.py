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
    You add logarithms, so a path is judged by the product of its weights, and a single 0 forbids
    it. The sum of the weights is asked.
"""
)
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
PATH = task(MISTAKES, 4, case.all, HINTS)

"""Task `monotone_path` of lab 7: the reference and the cases."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Sampler
from course_lib.exercises.common import single


def monotone_path(weights):
    """Best sum of a path that ends in column j of row t: the weight there, and the best sum of the
    row above up to column j. `cummax` has the latter for all columns at once. The path is read
    from the last row back: of the columns not beyond the one found, the one with the best sum.

    Cost: T · S additions and comparisons, where there are as many paths as ways to choose T of
    T + S - 1."""
    best = [weights[0]]
    for row in weights[1:]:
        before = best[-1].cummax(0).values
        best.append(row + before)
    path, end = [], weights.shape[1]
    for sums in reversed(best):
        column = int(sums[:end].argmax())
        path.append(column)
        end = column + 1
    return torch.tensor(path[::-1])


def ahead(s: Sampler, T: int, S: int) -> tuple:
    """Hills from left to right, and one row whose largest weight lies at the other end."""
    T, S = T + 1, S + 3
    weights = s.weights(T, S)
    for t, row in enumerate(weights):
        row[t * (S - 1) // (T - 1)] += 1
    weights[int(s.rng.integers(T // 2)), -1] += 1.25
    return ((weights / weights.sum(-1, keepdims=True)).astype(s.dtype),)


def back(s: Sampler, T: int, S: int) -> tuple:
    """Each row gives all to one column, the later rows to earlier ones."""
    columns = np.sort(s.integers(0, S + 2, T + 1))[::-1]
    return (np.eye(S + 2, dtype=s.dtype)[columns],)


def equal_paths(s: Sampler, T: int, S: int) -> tuple:
    """Eighths, whose sums are exact in any order; many paths have the same sum."""
    return ((s.integers(0, 3, T + 1, S + 2) / 8).astype(s.dtype),)


def of_two(s: Sampler, early: float, late: float) -> tuple:
    """Two pieces and two good paths: in columns 0 and 1, with weights of one size, and twice in
    column 2, with a large one and a small one."""
    rest = 1 - late
    rows = [[early, 0, 1 - early], [0.5 * rest - 0.01, late, 0.5 * rest + 0.01]]
    return (np.array(rows, s.dtype),)


def nearly_equal(s: Sampler) -> tuple:
    """Rounded to hundredths, both paths into the last column have the same sum."""
    return (np.array([[0.496, 0.504], [0.3, 0.7]], s.dtype),)


LEFTMOST = (
    "Perhaps of equally good columns a later one is taken, by `>=` or by a maximum that ends on "
    "the right, on the way or at the end. Or the path does not end where its sum is largest."
)
case = Cases()
case.example((single([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]),), dtype="float32")
case("hills from left to right, and one that is not", ahead)
case("any map", lambda s, T, S: (s.weights(T + 1, S + 1) if s.size < 4 else s.weights(2, 120),))
case("several best paths: the leftmost counts", equal_paths, perhaps=LEFTMOST)
case("one column", lambda s, T: (s.weights(T, 1),))
case.hidden("one piece", lambda s, S: (s.weights(1, S),))
case.hidden("more pieces than columns", lambda s, S: (s.weights(S + 3, S),))
case.hidden("all weight of each row on one column", back)
case.hidden("the largest sum is not the largest product", lambda s: of_two(s, 0.3, 0.58))
case.hidden("the largest sum is not the largest sum of squares", lambda s: of_two(s, 0.25, 0.7))
case.hidden("sums that differ by less than a hundredth", nearly_equal)
case.hidden("all weights alike", lambda s, T, S: (np.full((T, S), 1 / 8, s.dtype),))

HINTS = (
    "Suppose you knew, for each column j of the row above, the best sum of a path that ends "
    "there. What is then the best sum that ends in column j of this row?",
    "best[t, j] = weights[t, j] + the largest of best[t − 1, 0 … j]; `cummax` gives the second "
    "part for all j. The last row of `best` says where the path ends; from there go back.",
    "Back: in the last row the column with the largest `best`; in each row above the same among "
    "the columns 0 … the one just found. `argmax` takes the leftmost of equals. Turn the list "
    "round.",
)

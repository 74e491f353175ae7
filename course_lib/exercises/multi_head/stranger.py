"""Task `break_keys_in_use`: a stranger's measure of a head."""

import numpy as np
import torch

from course_lib.exercises.allowed import Argument, floats
from course_lib.exercises.multi_head.in_use import IN_USE
from course_lib.exercises.strangers import Strangers, stranger_task

ROUNDING = 1e-4  # of a row's sum, given in float32


def break_keys_in_use():
    """The example has one text, one head, and rows of equal weights. Here are two texts with
    unequal numbers of live queries, a head that is not the first, an empty row, and weights of many
    sizes."""
    one, many = [1.0, 0.0, 0.0, 0.0], [0.7, 0.1, 0.1, 0.1]
    empty, other = [0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]
    weights = torch.tensor(
        [
            [[other, other], [one, empty]],
            [[one, one], [many, many]],
        ]
    )  # (B, H, T, S) = (2, 2, 2, 4)
    return "anybody", (weights, 1)


def also(weights, head):
    sums = weights.sum(-1)
    if not (np.isclose(sums, 1, atol=ROUNDING) | (weights == 0).all(-1)).all():
        return "`weights`: each row must sum to 1, or be all 0."
    heads = weights.shape[1]
    if not -heads <= head < heads:
        return f"`head` must be a head, from {-heads} to {heads - 1}."
    return "" if weights[:, head].any() else "the head must have a query that attends to something."


STRANGERS = Strangers(
    IN_USE,
    (
        "empty-row-is-one-key",
        "empty-row-is-no-key",
        "all-heads",
        "first-axis",
        "first-head",
        "first-text",
        "mean-of-means",
        "counted",
        "squares",
    ),
    {"weights": floats("B H T S", 0.0, 1.0), "head": Argument("whole", low=-100, high=99)},
    example=(np.array([[[[0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]]]), 0),
    also=also,
)
STRANGER = stranger_task(
    STRANGERS,
    break_keys_in_use,
    (
        "The example has one text, one head, no empty row, and in each row weights that are equal "
        "or 0.",
        "Change one of these at a time: two texts, two heads of which the second is asked, a row "
        "of zeros, a row such as 0.7, 0.1, 0.1, 0.1.",
        "Two texts, two heads, two queries, four keys. The second head of the first text has one "
        "sure row and one of zeros, that of the second text 0.7, 0.1, 0.1, 0.1 twice; head 1.",
    ),
    "One call of either function.",
)

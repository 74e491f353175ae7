"""Task `say_keys_in_use`: what a stranger's measure of a head does wrong, in one sentence."""

import numpy as np
import torch

from course_lib.exercises.allowed import Argument, floats
from course_lib.exercises.multi_head.in_use import IN_USE
from course_lib.exercises.stranger_forms.sentence import number_of_sentence, say_task
from course_lib.exercises.strangers import Strangers

ROUNDING = 1e-4  # of a row's sum, given in float32


def say_keys_in_use():
    """Each sentence predicts a number, and an input refutes those whose number is another one. So
    every place where two of them agree has to go: two texts with unequal numbers of live queries, a
    head that is not the same in both texts or heads, an empty row, and weights of many sizes. By
    hand each row is 1, 2 or 4 keys, or about 2.6, and every sentence gives another mean of them."""
    one, two = [1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]
    four, many, empty = [0.25] * 4, [0.7, 0.1, 0.1, 0.1], [0.0] * 4
    weights = torch.tensor(
        [
            [[four, one, two], [one, empty, two]],
            [[one, two, four], [many, many, two]],
        ]
    )  # (B, H, T, S) = (2, 2, 3, 4)
    return "anybody", number_of_sentence(STRANGERS, "anybody"), (weights, 1)


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
STRANGER = say_task(
    STRANGERS,
    say_keys_in_use,
    (
        "The example has one text, one head, no empty row, and in each row weights that are equal "
        "or 0. All nine sentences give 1.5 there.",
        "Change one of these at a time: two texts, two heads of which the second is asked, a row "
        "of zeros, a row such as 0.7, 0.1, 0.1, 0.1. Which sentences does the stranger's number "
        "refute?",
        "Two texts, two heads, three queries, four keys; head 1. Its rows are 1 key, none and 2 "
        "keys in the first text, twice 0.7, 0.1, 0.1, 0.1 and 2 keys in the second; those of head "
        "0 are 4, 1, 2 and 1, 2, 4 keys. Work out what each sentence gives.",
    ),
    "Nine means of six numbers, and one call of the stranger.",
)

"""Task `break_scaled_dot_product_attention`: a stranger's attention."""

import math

import numpy as np
import torch

from course_lib.exercises.allowed import floats, mask
from course_lib.exercises.scaled_dot_product.attention import ATTENTION
from course_lib.exercises.strangers import Strangers, stranger_task


def break_scaled_dot_product_attention():
    """The example has no heads and no empty row. Here are two heads, so that axes counted from the
    front go wrong; one mask for both; a query whose largest score is hidden and whose allowed
    scores lie far below zero; and one that may see nothing."""
    query = torch.tensor([[2.0, 0.0, 1.0], [0.0, 100.0, 1.0], [1.0, 1.0, 1.0]])
    query = query.repeat(1, 2, 1, 1)  # (B, H, T, d_k) = (1, 2, 3, 3)
    key = torch.tensor(
        [[1000.0, -1000.0, 0.0], [1.0, -999.0, 0.0], [2.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    )
    key = key.repeat(1, 2, 1, 1)  # (B, H, S, d_k) = (1, 2, 4, 3)
    value = torch.tensor([[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [4.0, 0.0, 1.0], [8.0, 0.0, 0.0]])
    value = value.repeat(1, 2, 1, 1)
    mask = torch.tensor(
        [
            [False, True, True, True],
            [True, True, False, False],
            [False, False, False, False],
        ]
    )
    return "anybody", (query, key, value, mask)


STRANGERS = Strangers(
    ATTENTION,
    (
        "scaled-by-the-second-axis",
        "keys-reversed",
        "mask-not-broadcast",
        "divided-again",
        "uniform-when-nothing-is-allowed",
        "nan-when-nothing-is-allowed",
        "constant-too-high",
        "masked-maximum",
        "overflow",
    ),
    {
        "query": floats("... T d_k"),
        "key": floats("... S d_k"),
        "value": floats("... S d_v"),
        "mask": mask("... T S", optional=True),
    },
    example=(
        np.ones((1, 4)),
        np.array([[0.0] * 4, [math.log(3) / 2] * 4]),
        np.array([[4.0], [8.0]]),
    ),
)
STRANGER = stranger_task(
    STRANGERS,
    break_scaled_dot_product_attention,
    (
        "The example has two axes and no mask. The task allows more axes, and masks of several "
        "shapes.",
        "Try one thing at a time beside your own function: batch and heads in front, a mask of "
        "shape (T, S) for all of them, a masked score far above the others, scores of ±1000, a "
        "query that may see nothing.",
        "One text, two heads, T = 3, S = 4, d_k = 3; keys with numbers of ±1000, one query with a "
        "number of 100; a (3, 4) mask whose rows hide the largest score, leave only very low ones, "
        "and hide everything.",
    ),
    "One call of either function.",
)

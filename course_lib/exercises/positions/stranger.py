"""Task `break_rotate`: a stranger's rotation."""

import numpy as np
import torch

from course_lib.exercises.allowed import Argument, floats, number
from course_lib.exercises.positions.rotate import ROTATE
from course_lib.exercises.strangers import Strangers, stranger_task

FURTHEST = 50.0  # further out rounding in float32 would show


def break_rotate():
    """With one pair of features nobody can pair them wrongly, and pair 0 turns by one radian a
    position whatever the formula of the speeds is. So three pairs, a position between two whole
    ones, and a base of our own."""
    x = torch.tensor([[1.0, 2.0, 3.0, 1.0, 2.0, 1.5], [0.5, 1.0, 1.0, 2.0, 3.0, 1.0]])
    return "anybody", (x, torch.tensor([2.5, 7.0]), 100.0)


def also(x, positions, base=10000.0):
    return "" if x.shape[-1] % 2 == 0 else "`x` must have an even number of features."


STRANGERS = Strangers(
    ROTATE,
    (
        "half-split",
        "put-back-as-halves",
        "exponent-i",
        "exponent-4i",
        "exponent-positive",
        "one-speed",
        "whole-positions",
        "base-ignored",
    ),
    {
        "x": floats("... T d", -4.0, 4.0),
        "positions": Argument("numbers", "T", 0.0, FURTHEST),
        "base": number(1.0, 100_000.0, optional=True),
    },
    example=(np.array([[1.0, 2.0]]), np.array([2.0])),
    also=also,
)
STRANGER = stranger_task(
    STRANGERS,
    break_rotate,
    (
        "What the stranger got right has one pair of features and a whole position, with the base "
        "10000.",
        "Change one of these at a time: four or six features, a position such as 2.5, another "
        "base.",
        "Two vectors of six features at the positions 2.5 and 7, with `base=100.0`.",
    ),
    "One call of either function.",
)

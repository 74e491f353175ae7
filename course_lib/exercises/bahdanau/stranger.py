"""Task `break_additive_scores`: a stranger's additive scores."""

import numpy as np
import torch

from course_lib.exercises.allowed import floats
from course_lib.exercises.bahdanau.scores import ADDITIVE_SCORES
from course_lib.exercises.strangers import Strangers, stranger_task


def break_additive_scores():
    """Where all sizes are 1 nothing can be swapped, averaged or scaled, and where one of the two
    parts is 0 a tanh of each is the tanh of the sum. So no two axes have one length here, there are
    two sentences, and no number is 0."""
    state = torch.tensor([[1.0], [-2.0]])
    annotations = torch.tensor([[[0.5, 1.0], [1.0, -1.0], [2.0, 0.5]]]).repeat(2, 1, 1)
    W_a = torch.tensor([[0.5], [1.0], [-0.5], [0.3]])
    U_a = torch.tensor([[1.0, 0.5], [-0.5, 0.4], [0.2, 1.0], [0.7, -0.6]])
    v_a = torch.tensor([1.0, 2.0, -1.0, 0.5])
    return "anybody", (state, annotations, W_a, U_a, v_a)


STRANGERS = Strangers(
    ADDITIVE_SCORES,
    ("tanh-apart", "maps-swapped", "no-new-axis", "first-state", "scaled", "mean"),
    {
        "state": floats("B n"),
        "annotations": floats("B S m"),
        "W_a": floats("a n"),
        "U_a": floats("a m"),
        "v_a": floats("a"),
    },
    example=(
        np.array([[1.0]]),
        np.array([[[-1.0], [0.0]]]),
        np.array([[1.0]]),
        np.array([[1.0]]),
        np.array([2.0]),
    ),
)
STRANGER = stranger_task(
    STRANGERS,
    break_additive_scores,
    (
        "In the example all sizes but S are 1, W_a and U_a are equal, and in each sum one part is "
        "0 or they cancel. What can hide there?",
        "Give all five sizes different lengths, B = 2 among them, and let no number be 0.",
        "B = 2 states that differ, S = 3, n = 1, m = 2, a = 4, and any numbers near 1.",
    ),
    "One call of either function.",
)

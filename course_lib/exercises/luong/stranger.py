"""Task `break_local_weights`: a stranger's window."""

import numpy as np
import torch

from course_lib.exercises.allowed import floats, whole
from course_lib.exercises.luong.local import LOCAL_WEIGHTS
from course_lib.exercises.strangers import Strangers, stranger_task


def break_local_weights():
    """The example has one sentence, equal scores, and a place between two words, so that no word
    lies on the window's edge. This has two sentences with places of their own, one of them on a
    word; scores far above and far below zero; and the largest of them outside the window."""
    scores = torch.tensor(
        [
            [1000.0, -1.0, 0.5, 1.0, -0.5, 2.0],
            [-1000.0, 0.0, 0.0, 999.0, 1000.0, 998.0],
        ]
    )
    return "anybody", (scores, torch.tensor([3.0, 4.5]), 2)


def also(scores, position, window):
    last = scores.shape[1] - 1
    inside = position.min() >= 0 and position.max() <= last
    return "" if inside else f"`position` must lie between 0 and S − 1 = {last}."


STRANGERS = Strangers(
    LOCAL_WEIGHTS,
    (
        "maximum-outside",
        "maximum-of-all",
        "window-exclusive",
        "half-window",
        "first-position",
        "no-maximum",
    ),
    {"scores": floats("B S"), "position": floats("B"), "window": whole(1, 100)},
    example=(np.zeros((1, 5)), np.array([1.5]), 1),
    also=also,
)
STRANGER = stranger_task(
    STRANGERS,
    break_local_weights,
    (
        "The example has one sentence, equal scores, and p between two words. Change one of these "
        "at a time.",
        "Two sentences with places of their own; p on a word, so that the window's ends are words; "
        "scores of ±1000, inside the window and outside.",
        "`window=2`, the places 3 and 4.5 of six words, and scores of 1000 at word 0 of the first "
        "sentence and at word 4 of the second.",
    ),
    "One call of either function.",
)

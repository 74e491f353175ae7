"""Task `break_masked_softmax`: a stranger's masked softmax."""

import numpy as np

from course_lib.exercises.allowed import floats, mask, whole
from course_lib.exercises.softmax.masked import MASKED_SOFTMAX
from course_lib.exercises.strangers import Strangers, stranger_task


def break_masked_softmax():
    """The example has small scores and a mask of their shape. This gives every slip its occasion:
    rows of very different height, a masked score far above the others, scores far below zero, one
    mask for several rows, and another axis than the last. Each column is a row here."""
    scores = np.array(
        [
            [0.0, 1000.0, -1000.0],
            [1.0, 999.0, -999.0],
            [1000.0, 0.0, 1000.0],
        ]
    )
    mask = np.array([[True], [True], [False]])
    return "anybody", (scores, mask, 0)


def also(scores, mask, axis=-1):
    return "" if -scores.ndim <= axis < scores.ndim else f"there is no axis {axis}"


STRANGERS = Strangers(
    MASKED_SOFTMAX,
    (
        "constant-far-too-high",
        "normalised-together",
        "no-maximum",
        "masked-maximum",
        "maximum-of-all",
        "absolute-maximum",
        "mask-not-broadcast",
        "axis-ignored",
    ),
    {"scores": floats("..."), "mask": mask("..."), "axis": whole(-4, 3, optional=True)},
    example=(
        np.array([[0.0, np.log(3), 5.0], [1.0, 2.0, 3.0]]),
        np.array([[True, True, False], [False, False, False]]),
    ),
    also=also,
)
STRANGER = stranger_task(
    STRANGERS,
    break_masked_softmax,
    (
        "The example has scores between 0 and 5 and a mask of the scores' own shape. What else "
        "does the task allow?",
        "Try one thing at a time and compare with your own function: scores of ±1000, a large "
        "score behind the mask, two rows of different height, a mask with fewer rows, `axis=0`.",
        "Put all of it into one input: columns of heights 0, 1000 and −1000, a mask of shape "
        "(3, 1) that hides a score of 1000, and `axis=0`.",
    ),
    "One call of either function.",
)

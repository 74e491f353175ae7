"""Task `which_attend`: two strangers' attention, of which one is right."""

import numpy as np

from course_lib.exercises.allowed import floats, mask
from course_lib.exercises.context_vectors.attending import ATTEND
from course_lib.exercises.stranger_forms.which import right_letter, which_task
from course_lib.exercises.strangers import Strangers


def which_attend():
    """Where two functions agree, neither is shown to be right; where they differ, one is wrong, and
    a row that is known by hand says which. So look for a difference first, with every occasion in
    one input: two numbers in a vector, so that a scale shows; a query whose scores are huge beside
    one whose scores are small; a masked score far above the others; allowed scores far below zero;
    and a query that may see nothing, whose context must be 0."""
    queries = np.array([[[1.0, 0.0], [0.0, 20.0], [1.0, 1.0]]])
    keys = np.array([[[1000.0, -1000.0], [1.0, -999.0], [2.0, 0.0]]])
    values = np.array([[[1.0], [2.0], [4.0]]])
    mask = np.array([[[False, True, True], [True, True, False], [False, False, False]]])
    return "anybody", right_letter("attend", "anybody"), (queries, keys, values, mask)


STRANGERS = Strangers(
    ATTEND,
    (
        "scaled",
        "masked-maximum",
        "maximum-of-all",
        "large-constant",
        "constant-too-high",
        "nan-rows",
        "no-maximum",
    ),
    {
        "queries": floats("B T d"),
        "keys": floats("B S d"),
        "values": floats("B S d_v"),
        "mask": mask("B T S", optional=True),
    },
    example=(
        np.array([[[1.0]]]),
        np.array([[[0.0], [np.log(3)], [9.0]]]),
        np.array([[[4.0], [8.0], [100.0]]]),
        np.array([True, True, False]),
    ),
)
STRANGER = which_task(
    STRANGERS,
    which_attend,
    (
        "Look for an input on which A and B differ. In the example d = 1, there is one query, and "
        "it may see something. Which of the three could hide a mistake?",
        "Try one thing at a time: two numbers in a vector, two queries of very different size, a "
        "masked score far above the others, a query that may see nothing. Where A and B differ, "
        "your own function says which of them is right.",
        "Three queries, (1, 0), (0, 20) and (1, 1); keys with numbers up to ±1000; and a mask "
        "whose rows hide the largest score, leave only two very low ones, and hide everything.",
    ),
    "One call of each stranger, and one of your own function where they differ.",
)

"""Task `break_top_p`: a stranger's top-p."""

import numpy as np
import torch

from course_lib.exercises.allowed import floats, number
from course_lib.exercises.generation.nucleus import TOP_P
from course_lib.exercises.strangers import Strangers, stranger_task

PARTS = 64  # probabilities are multiples of 1/64: then every sum is exact


def break_top_p():
    """One row cannot show whether each has its own set, and probabilities that all differ show no
    rule for ties. So three rows, one sure, one flat and one between them; equal words on both sides
    of the border; and a sum that is exactly p."""
    rows = torch.tensor(
        [
            [0.25, 0.5, 0.125, 0.125],
            [0.25, 0.25, 0.25, 0.25],
            [0.0625, 0.875, 0.03125, 0.03125],
        ]
    )
    return "anybody", (rows, 0.75)


def also(probabilities, p):
    if not (probabilities * PARTS == np.round(probabilities * PARTS)).all():
        return (
            f"`probabilities` must be multiples of 1/{PARTS} here, so that sums are exact: 0.5, "
            "0.25 and 0.125 are, 0.1 is not."
        )
    exact = (probabilities.sum(-1) == 1).all()
    return "" if exact else "`probabilities`: each row must sum to 1."


STRANGERS = Strangers(
    TOP_P,
    (
        "min-p",
        "one-more-at-exactly-p",
        "ties-to-the-right",
        "all-ties-kept",
        "as-many-as-the-first-row",
        "as-many-as-the-longest-row",
        "as-many-as-the-shortest-row",
    ),
    {"probabilities": floats("B V", 0.0, 1.0), "p": number(0.0, 1.0)},
    example=(np.array([[0.4, 0.1, 0.3, 0.2]]), 0.6),
    also=also,
)
STRANGER = stranger_task(
    STRANGERS,
    break_top_p,
    (
        "The example has one row, four words that differ, and a sum that passes p.",
        "Change one of these at a time: several rows of which one is sure and one flat, equal "
        "probabilities, a sum that is exactly p.",
        "The rows ½ ¼ ⅛ ⅛ in some order, ¼ ¼ ¼ ¼, and one with ⅞; p = 0.75.",
    ),
    "One call of either function.",
)

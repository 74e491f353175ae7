"""Task `break_align`: a stranger's alignment."""

import numpy as np

from course_lib.exercises.allowed import floats, words
from course_lib.exercises.strangers import Strangers, stranger_task
from course_lib.exercises.worked_translation.alignment import ALIGN


def break_align():
    """A sentence in which no word stands twice, and no source word is used twice, hides the slips
    of whoever looks words up by their text or crosses them off. So let target words repeat, and let
    two of them come from one source word."""
    matrix = np.array(
        [
            [0.7, 0.2, 0.1],
            [0.1, 0.2, 0.7],
            [0.1, 0.3, 0.6],
            [0.8, 0.1, 0.1],
        ]
    )
    return "anybody", (matrix, ["the", "cat", "sat"], ["le", "chat", "le", "gros"])


STRANGERS = Strangers(
    ALIGN,
    ("dictionary", "by-word", "used-once", "best-first", "later-ones-dropped", "used-up"),
    {"attention_matrix": floats("T S"), "source_words": words("S"), "target_words": words("T")},
    example=(np.array([[0.2, 0.8], [0.5, 0.5]]), ["big", "cat"], ["chat", "gros"]),
)
STRANGER = stranger_task(
    STRANGERS,
    break_align,
    (
        "In the example every word stands once, and every source word is used once. The task "
        "allows more.",
        "Let a word stand twice in the target sentence; let two target words look at the same "
        "source word.",
        "Four rows, of which the first and the last are largest in column 0 and the others in "
        "column 2, and the target words `le chat le gros`.",
    ),
    "One call of either function.",
)

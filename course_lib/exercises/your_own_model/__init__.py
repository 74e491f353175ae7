"""Exercise 13: what a student wrote in twelve exercises becomes one language model."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.your_own_model.attention import ATTENTION
from course_lib.exercises.your_own_model.choice import CHOICE
from course_lib.exercises.your_own_model.lent import OWN, PARTS
from course_lib.exercises.your_own_model.logits import LOGITS
from course_lib.exercises.your_own_model.writing import TEXT

__all__ = ["EXERCISE", "OWN", "PARTS"]

WRITTEN = (
    Written(
        "a_wrong_part",
        2,
        (
            "Choose two rows of your table: a wrong part with which the model writes nonsense, "
            "and one with which it writes well or nearly so. Why does the one matter more here "
            "than the other?"
        ),
        (
            "1: two rows of the own table, and for each what the wrong part changes inside a layer",
            "1: a reason that would tell in advance how bad the text gets, and where it would show",
        ),
    ),
)
EXERCISE = Exercise(
    "13_your_own_model",
    "Your own model",
    (ATTENTION, LOGITS, CHOICE, TEXT),
    WRITTEN,
    brought=tuple(PARTS),
)

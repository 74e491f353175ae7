"""Exercise 01: softmax, its temperature, its mask and its gradient."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.softmax.backward import SOFTMAX_BACKWARD
from course_lib.exercises.softmax.masked import MASKED_SOFTMAX
from course_lib.exercises.softmax.plain import SOFTMAX
from course_lib.exercises.softmax.stranger import STRANGER
from course_lib.exercises.softmax.temperature import SOFTMAX_WITH_TEMPERATURE

WRITTEN = (
    Written(
        "one_knob",
        2,
        (
            "Where do the five curves meet, and why there? And why would a model that "
            "is trained at a temperature near 0 learn nothing about its scores?"
        ),
        (
            ("1: at 1/5: the divided scores all go to 0, and exp(0) = 1 for each of the five"),
            (
                "1: one weight is 1 and the others are 0 there, so each term of the "
                "gradient, α_i (δ_ij − α_j), is 0"
            ),
        ),
    ),
)
EXERCISE = Exercise(
    "01_softmax",
    "Softmax",
    (SOFTMAX, SOFTMAX_WITH_TEMPERATURE, MASKED_SOFTMAX, SOFTMAX_BACKWARD, STRANGER),
    WRITTEN,
)

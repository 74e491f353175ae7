"""Exercise 07: scaled dot-product attention, the sines that say where a word stands, and what the
scale is for, measured."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.scaled_dot_product.attention import ATTENTION
from course_lib.exercises.scaled_dot_product.positions import POSITIONS
from course_lib.exercises.scaled_dot_product.response import RESPONSE
from course_lib.exercises.scaled_dot_product.stranger import STRANGER

WRITTEN = (
    Written(
        "why_divide",
        2,
        "Why does your number fall as the vectors get longer when nothing is divided, and what "
        "would that do to a model in training? Use the numbers above.",
        (
            "1: a dot product of d random terms spreads like √d, so the largest score leads by "
            "more and its weight nears 1; says so with a number of the cell",
            "1: near 1 a change of the score moves no weight, and a gradient through the softmax "
            "is as small, so queries and keys learn next to nothing",
        ),
    ),
)
EXERCISE = Exercise(
    "07_scaled_dot_product",
    "Scaled dot-product attention",
    (ATTENTION, POSITIONS, RESPONSE, STRANGER),
    WRITTEN,
)

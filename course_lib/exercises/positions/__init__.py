"""Exercise 11: two ways to tell attention where words stand, rotary positions and ALiBi."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.positions.alibi import ALIBI
from course_lib.exercises.positions.rotate import ROTATE
from course_lib.exercises.positions.stranger import REPAIR

WRITTEN = (
    Written(
        "far_away",
        2,
        (
            "At a distance of 199 the rotation has taken less off than ALiBi's steep "
            "heads. What does that let a head do that ALiBi's cannot, and what may go "
            "wrong at distances that no training text had?"
        ),
        (
            (
                "1: it can still look at a word far back, if query and key fit; ALiBi's "
                "steep heads have no weight left there"
            ),
            (
                "1: slow pairs have not come round once in training, so far out there are "
                "angles that no query or key has met"
            ),
        ),
    ),
)
EXERCISE = Exercise("11_positions", "Positions", (ROTATE, ALIBI, REPAIR), WRITTEN)

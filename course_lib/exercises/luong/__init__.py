"""Exercise 05: Luong's scores and his local window."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.luong.local import LOCAL_WEIGHTS
from course_lib.exercises.luong.scores import LUONG_SCORES
from course_lib.exercises.luong.stranger import STRANGER

WRITTEN = (
    Written(
        "the_jumps",
        2,
        (
            "The curve of the sum jumps. What happens at a jump? And what does a jump "
            "mean for a model that learns p by its gradient?"
        ),
        (
            (
                "1: a word enters or leaves the window, and the softmax has one share more "
                "or fewer to give"
            ),
            (
                "1: the gradient does not see it: between jumps it follows the Gaussian, "
                "and a step across one changes the weights at once"
            ),
        ),
    ),
)
EXERCISE = Exercise(
    "05_luong", "Luong's attention", (LUONG_SCORES, LOCAL_WEIGHTS, STRANGER), WRITTEN
)

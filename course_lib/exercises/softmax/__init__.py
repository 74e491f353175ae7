"""Exercise 01: softmax, its temperature, its mask and its gradient."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.softmax.backward import SOFTMAX_BACKWARD
from course_lib.exercises.softmax.masked import MASKED_SOFTMAX
from course_lib.exercises.softmax.plain import SOFTMAX
from course_lib.exercises.softmax.stranger import STRANGER
from course_lib.exercises.softmax.temperature import SOFTMAX_WITH_TEMPERATURE

EXERCISE = Exercise(
    "01_softmax",
    "Softmax",
    (SOFTMAX, SOFTMAX_WITH_TEMPERATURE, MASKED_SOFTMAX, SOFTMAX_BACKWARD, STRANGER),
)

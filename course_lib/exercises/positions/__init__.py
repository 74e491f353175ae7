"""Exercise 11: two ways to tell attention where words stand, rotary positions and ALiBi."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.positions.alibi import ALIBI
from course_lib.exercises.positions.rotate import ROTATE
from course_lib.exercises.positions.stranger import STRANGER

EXERCISE = Exercise("11_positions", "Positions", (ROTATE, ALIBI, STRANGER))

"""Exercise 05: Luong's scores and his local window."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.luong.local import LOCAL_WEIGHTS
from course_lib.exercises.luong.scores import LUONG_SCORES
from course_lib.exercises.luong.stranger import STRANGER

EXERCISE = Exercise("05_luong", "Luong's attention", (LUONG_SCORES, LOCAL_WEIGHTS, STRANGER))

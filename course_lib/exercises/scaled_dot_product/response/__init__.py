"""Task `response`: how far a weight moves when its score is nudged, found by nudging it."""

from course_lib.checker import tasks
from course_lib.exercises.scaled_dot_product.response.mistakes import MISTAKES
from course_lib.exercises.scaled_dot_product.response.task import HINTS, WITHOUT, case

RESPONSE = tasks.task(MISTAKES, 2, case.all, HINTS, without=WITHOUT)

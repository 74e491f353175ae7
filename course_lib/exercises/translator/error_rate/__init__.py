"""Task `alignment_error_rate`: how far predicted links are from what people marked."""

from course_lib.checker import tasks
from course_lib.exercises.translator.error_rate.mistakes import MISTAKES
from course_lib.exercises.translator.error_rate.task import HINTS, case

ALIGNMENT_ERROR_RATE = tasks.task(MISTAKES, 3, case.all, HINTS)

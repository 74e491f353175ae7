"""Task `softmax`: scores into weights, along any axis, for scores of any height."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.softmax.plain.mistakes import MISTAKES
from course_lib.exercises.softmax.plain.task import HINTS, case

SOFTMAX = tasks.task(MISTAKES, 3, case.all, HINTS, **NUMPY)

"""Task `masked_softmax`: places that may not be attended to get a weight of exactly zero."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.softmax.masked.mistakes import MISTAKES
from course_lib.exercises.softmax.masked.task import HINTS, case

MASKED_SOFTMAX = tasks.task(MISTAKES, 2, case.all, HINTS, **NUMPY)

"""Task `softmax_with_temperature`: one number that makes the weights sharper or flatter."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.softmax.temperature.mistakes import MISTAKES
from course_lib.exercises.softmax.temperature.task import HINTS, case

SOFTMAX_WITH_TEMPERATURE = tasks.task(MISTAKES, 2, case.all, HINTS, **NUMPY)

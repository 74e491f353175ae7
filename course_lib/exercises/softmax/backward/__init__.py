"""Task `softmax_backward`: from the gradient of the weights to the gradient of the scores."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.softmax.backward.mistakes import MISTAKES
from course_lib.exercises.softmax.backward.task import HINTS, case

SOFTMAX_BACKWARD = tasks.task(MISTAKES, 2, case.all, HINTS, **NUMPY)

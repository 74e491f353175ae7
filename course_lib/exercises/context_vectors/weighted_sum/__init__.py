"""Task `context_vector`: the sum of the values, each times its weight."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.context_vectors.weighted_sum.mistakes import MISTAKES
from course_lib.exercises.context_vectors.weighted_sum.task import HINTS, case

CONTEXT_VECTOR = tasks.task(MISTAKES, 3, case.all, HINTS, **NUMPY)

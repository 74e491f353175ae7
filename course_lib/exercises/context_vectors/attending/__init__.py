"""Task `attend`: scores, weights and context for many queries at once."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.context_vectors.attending.mistakes import MISTAKES
from course_lib.exercises.context_vectors.attending.task import HINTS, case

ATTEND = tasks.task(MISTAKES, 3, case.all, HINTS, returns=("context", "weights"), **NUMPY)

"""Task `context_vectors`: all context vectors of one sentence, a row for each target word."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.worked_translation.context.mistakes import MISTAKES
from course_lib.exercises.worked_translation.context.task import HINTS, case

CONTEXT_VECTORS = tasks.task(MISTAKES, 3, case.all, HINTS, **NUMPY)

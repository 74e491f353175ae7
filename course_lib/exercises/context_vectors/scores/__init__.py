"""Task `dot_scores`: how well a query matches each of its keys."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.context_vectors.scores.mistakes import MISTAKES
from course_lib.exercises.context_vectors.scores.task import HINTS, WITHOUT, case

DOT_SCORES = tasks.task(MISTAKES, 3, case.all, HINTS, **NUMPY, without=WITHOUT)

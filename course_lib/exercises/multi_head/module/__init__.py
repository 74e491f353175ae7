"""Task `MultiHeadAttention`: project, split, attend in every head at once, merge, project."""

from course_lib.checker import tasks
from course_lib.exercises.multi_head.module.mistakes import MISTAKES
from course_lib.exercises.multi_head.module.task import HINTS, case

MODULE = tasks.task(MISTAKES, 5, case.all, HINTS, returns=("output", "weights"))

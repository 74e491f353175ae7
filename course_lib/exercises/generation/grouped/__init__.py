"""Task `grouped_query_attention`: several query heads share one head of keys and values."""

from course_lib.checker import tasks
from course_lib.exercises.generation.grouped.mistakes import MISTAKES
from course_lib.exercises.generation.grouped.task import HINTS, case

GROUPED = tasks.task(MISTAKES, 4, case.all, HINTS, returns=("output", "weights"))

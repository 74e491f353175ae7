"""Task `split_heads`: each head owns a run of neighbouring features."""

from course_lib.checker import tasks
from course_lib.exercises.multi_head.heads.mistakes import MISTAKES
from course_lib.exercises.multi_head.heads.task import HINTS, case

SPLIT = tasks.task(MISTAKES, 2, case.all, HINTS)

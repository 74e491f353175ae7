"""Task `merge_heads`: the heads of a word are joined to one vector again."""

from course_lib.checker import tasks
from course_lib.exercises.multi_head.merging.mistakes import MISTAKES
from course_lib.exercises.multi_head.merging.task import HINTS, case

MERGE = tasks.task(MISTAKES, 1, case.all, HINTS)

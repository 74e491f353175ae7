"""Task `keys_in_use`: how many keys a head looks at, from its own weights."""

from course_lib.checker import tasks
from course_lib.exercises.multi_head.in_use.mistakes import MISTAKES
from course_lib.exercises.multi_head.in_use.task import HINTS, case

IN_USE = tasks.task(MISTAKES, 1, case.all, HINTS)

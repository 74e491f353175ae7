"""Task `causal_mask`: who may look at whom, with the last query beside the last key."""

from course_lib.checker import tasks
from course_lib.exercises.causal.mask.mistakes import MISTAKES
from course_lib.exercises.causal.mask.task import HINTS, case

MASK = tasks.task(MISTAKES, 2, case.all, HINTS)

"""Task `far_share`: how much of the last output comes from far back, through several layers."""

from course_lib.checker import tasks
from course_lib.exercises.causal.reach.mistakes import MISTAKES
from course_lib.exercises.causal.reach.task import HINTS, WITHOUT, case

REACH = tasks.task(MISTAKES, 2, case.all, HINTS, without=WITHOUT)

"""Task `causal_attention`: no query sees what comes after it."""

from course_lib.checker import tasks
from course_lib.exercises.causal.attention.mistakes import MISTAKES
from course_lib.exercises.causal.attention.task import HINTS, case

ATTENTION = tasks.task(MISTAKES, 2, case.all, HINTS, returns=("output", "weights"))

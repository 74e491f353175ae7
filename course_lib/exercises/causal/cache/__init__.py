"""Task `attend_with_cache`: new positions join the old ones and attend to them all."""

from course_lib.checker import tasks
from course_lib.exercises.causal.cache.mistakes import MISTAKES
from course_lib.exercises.causal.cache.task import HINTS, case

CACHE = tasks.task(MISTAKES, 3, case.all, HINTS, returns=("output", "cache"))

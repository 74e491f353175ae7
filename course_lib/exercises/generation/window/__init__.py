"""Task `sliding_window_mask`: the last few keys, and the first ones as sinks."""

from course_lib.checker import tasks
from course_lib.exercises.generation.window.mistakes import MISTAKES
from course_lib.exercises.generation.window.task import HINTS, case

WINDOW = tasks.task(MISTAKES, 2, case.all, HINTS)

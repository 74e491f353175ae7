"""Task `top_p`: the smallest set of likely words whose sum reaches p."""

from course_lib.checker import tasks
from course_lib.exercises.generation.nucleus.mistakes import MISTAKES
from course_lib.exercises.generation.nucleus.task import HINTS, case

TOP_P = tasks.task(MISTAKES, 2, case.all, HINTS)

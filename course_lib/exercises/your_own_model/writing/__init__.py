"""Task `own_text`: a prompt read once, and then one token after the other."""

from course_lib.checker import tasks
from course_lib.exercises.your_own_model.writing.mistakes import MISTAKES
from course_lib.exercises.your_own_model.writing.task import HINTS, WITHOUT, case

TEXT = tasks.task(MISTAKES, 2, case.all, HINTS, without=WITHOUT)

"""Task `own_attention`: one attention layer, made of what a student wrote in earlier exercises."""

from course_lib.checker import tasks
from course_lib.exercises.your_own_model.attention.mistakes import MISTAKES
from course_lib.exercises.your_own_model.attention.task import HINTS, WITHOUT, case

ATTENTION = tasks.task(MISTAKES, 4, case.all, HINTS, without=WITHOUT)

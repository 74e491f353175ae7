"""Task `own_choice`: the probabilities from which the next token is drawn."""

from course_lib.checker import tasks
from course_lib.exercises.your_own_model.choice.mistakes import MISTAKES
from course_lib.exercises.your_own_model.choice.task import HINTS, WITHOUT, case

CHOICE = tasks.task(MISTAKES, 1, case.all, HINTS, without=WITHOUT)

"""Task `own_logits`: a whole language model around the student's attention."""

from course_lib.checker import tasks
from course_lib.exercises.your_own_model.logits.mistakes import MISTAKES
from course_lib.exercises.your_own_model.logits.task import HINTS, WITHOUT, case

LOGITS = tasks.task(MISTAKES, 3, case.all, HINTS, without=WITHOUT)

"""Task `teacher_forcing_pair`: what the decoder reads, and what it must say next."""

from course_lib.checker import tasks
from course_lib.exercises.translator.teacher_forcing.mistakes import MISTAKES
from course_lib.exercises.translator.teacher_forcing.task import HINTS, case

TEACHER_FORCING_PAIR = tasks.task(MISTAKES, 2, case.all, HINTS, returns=("inputs", "labels"))

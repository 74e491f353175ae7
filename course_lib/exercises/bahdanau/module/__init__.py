"""Task `BahdanauAttention`: scores, weights and context in a module that can be trained."""

from course_lib.checker import tasks
from course_lib.exercises.bahdanau.module.mistakes import MISTAKES
from course_lib.exercises.bahdanau.module.task import HINTS, WITHOUT, case

MODULE = tasks.task(MISTAKES, 6, case.all, HINTS, returns=("context", "weights"), without=WITHOUT)

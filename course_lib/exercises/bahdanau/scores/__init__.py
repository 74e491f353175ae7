"""Task `additive_scores`: a small network that says how well a state and an annotation match."""

from course_lib.checker import tasks
from course_lib.exercises.bahdanau.scores.mistakes import MISTAKES
from course_lib.exercises.bahdanau.scores.task import HINTS, case

ADDITIVE_SCORES = tasks.task(MISTAKES, 3, case.all, HINTS)

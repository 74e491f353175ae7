"""Task `luong_scores`: three ways to compare a decoder state with the encoder's memory."""

from course_lib.checker import tasks
from course_lib.exercises.luong.scores.mistakes import MISTAKES
from course_lib.exercises.luong.scores.task import HINTS, case

LUONG_SCORES = tasks.task(MISTAKES, 5, case.all, HINTS)

"""Task `greedy_decode`: say the likeliest word, hear it, go on, until every sentence has ended."""

from course_lib.checker import tasks
from course_lib.exercises.translator.decoding.mistakes import MISTAKES
from course_lib.exercises.translator.decoding.task import HINTS, case

GREEDY_DECODE = tasks.task(MISTAKES, 3, case.all, HINTS)

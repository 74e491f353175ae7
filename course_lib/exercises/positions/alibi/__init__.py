"""Task `alibi`: a penalty on the score for each word of distance, with a slope for each head."""

from course_lib.checker import tasks
from course_lib.exercises.positions.alibi.mistakes import MISTAKES
from course_lib.exercises.positions.alibi.slopes import slopes
from course_lib.exercises.positions.alibi.task import HINTS, case

ALIBI = tasks.task(MISTAKES, 4, case.all, HINTS, relate=slopes)

"""Task `measure_map`: three numbers that a picture of a map does not show."""

from course_lib.checker import tasks
from course_lib.exercises.read_the_map.measuring.mistakes import MISTAKES
from course_lib.exercises.read_the_map.measuring.task import HINTS, PARTS, WITHOUT, case

MEASURE_MAP = tasks.task(
    MISTAKES, 3, case.all, HINTS, library="numpy", returns=PARTS, without=WITHOUT
)

"""Task `rotate`: rotary positions, each pair of features turned by an angle of its own."""

from course_lib.checker import tasks
from course_lib.exercises.positions.rotate.mistakes import MISTAKES
from course_lib.exercises.positions.rotate.task import HINTS, case
from course_lib.exercises.positions.rotate.turned import turned

ROTATE = tasks.task(MISTAKES, 5, case.all, HINTS, relate=turned)

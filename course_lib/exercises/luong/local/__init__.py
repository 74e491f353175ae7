"""Task `local_weights`: attend to a window around a position, most to its middle."""

from course_lib.checker import tasks
from course_lib.exercises.luong.local.mistakes import MISTAKES
from course_lib.exercises.luong.local.task import HINTS, WITHOUT, case

LOCAL_WEIGHTS = tasks.task(MISTAKES, 4, case.all, HINTS, without=WITHOUT)

"""Task `align`: read an attention matrix as "this word comes from that word"."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.worked_translation.alignment.mistakes import MISTAKES
from course_lib.exercises.worked_translation.alignment.task import HINTS, case

ALIGN = tasks.task(MISTAKES, 2, case.all, HINTS, **NUMPY)

"""Task `decoder_output`: from context and state to a probability for each word."""

from course_lib.checker import tasks
from course_lib.exercises.common import NUMPY
from course_lib.exercises.worked_translation.decoder.mistakes import MISTAKES
from course_lib.exercises.worked_translation.decoder.task import HINTS, case

DECODER_OUTPUT = tasks.task(MISTAKES, 4, case.all, HINTS, **NUMPY)

"""Task `streaming_attention`: keys come in blocks, and the softmax is mended as they come."""

from course_lib.checker import tasks
from course_lib.exercises.flash.streaming.mistakes import IN_BLOCKS
from course_lib.exercises.flash.streaming.task import GIVEN, HINTS, case, earlier_form

STREAMING = tasks.task(IN_BLOCKS, 4, case.all, HINTS, given=GIVEN, note=earlier_form)

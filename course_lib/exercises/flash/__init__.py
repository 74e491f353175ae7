"""Exercise 10: attention block by block with a running softmax, and its gradient by hand."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.flash.backward import BACKWARD
from course_lib.exercises.flash.stranger import STRANGER
from course_lib.exercises.flash.streaming import STREAMING

EXERCISE = Exercise("10_flash", "Flash attention", (STREAMING, BACKWARD, STRANGER))

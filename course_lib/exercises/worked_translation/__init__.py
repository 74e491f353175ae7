"""Exercise 03: one translation step by step, from an attention matrix to words."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.worked_translation.alignment import ALIGN
from course_lib.exercises.worked_translation.context import CONTEXT_VECTORS
from course_lib.exercises.worked_translation.decoder import DECODER_OUTPUT
from course_lib.exercises.worked_translation.stranger import STRANGER

EXERCISE = Exercise(
    "03_worked_translation",
    "A worked translation",
    (CONTEXT_VECTORS, DECODER_OUTPUT, ALIGN, STRANGER),
)

"""Exercise 06: what a translator needs around its attention."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.translator.decoding import GREEDY_DECODE
from course_lib.exercises.translator.error_rate import ALIGNMENT_ERROR_RATE
from course_lib.exercises.translator.loss import SEQUENCE_LOSS
from course_lib.exercises.translator.stranger import STRANGER
from course_lib.exercises.translator.teacher_forcing import TEACHER_FORCING_PAIR

EXERCISE = Exercise(
    "06_translator",
    "A translator",
    (TEACHER_FORCING_PAIR, SEQUENCE_LOSS, GREEDY_DECODE, ALIGNMENT_ERROR_RATE, STRANGER),
)

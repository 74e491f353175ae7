"""Exercise 06: what a translator needs around its attention."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.translator.decoding import GREEDY_DECODE
from course_lib.exercises.translator.error_rate import ALIGNMENT_ERROR_RATE
from course_lib.exercises.translator.loss import SEQUENCE_LOSS
from course_lib.exercises.translator.stranger import PREDICT
from course_lib.exercises.translator.teacher_forcing import TEACHER_FORCING_PAIR

WRITTEN = (
    Written(
        "two_losses",
        2,
        (
            "Both networks end with a loss near 0, and one of them cannot write a word. "
            "Why did its loss not show it? Name a test that would have, in one line."
        ),
        (
            (
                "1: it was asked for the word that it has just read, so copying is enough, "
                "and the loss measures that; in decoding it copies START"
            ),
            (
                "1: a test that looks at the pair or at what is written, such as comparing "
                "labels[:, :-1] with inputs[:, 1:], or decoding a training sentence"
            ),
        ),
    ),
)
EXERCISE = Exercise(
    "06_translator",
    "A translator",
    (TEACHER_FORCING_PAIR, SEQUENCE_LOSS, GREEDY_DECODE, ALIGNMENT_ERROR_RATE, PREDICT),
    WRITTEN,
)

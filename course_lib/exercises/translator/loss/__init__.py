"""Task `sequence_loss`: how surprised the model is by each true word, padding left out."""

from course_lib.checker import tasks
from course_lib.exercises.translator.loss.divisors import of_losses
from course_lib.exercises.translator.loss.mistakes import MISTAKES
from course_lib.exercises.translator.loss.task import HINTS, case

SEQUENCE_LOSS = tasks.task(MISTAKES, 1, case.all, HINTS, relate=of_losses)

"""Lab 6: heads of a published model found by their scores, switched off, and what a step reads."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.inside_a_model.induction import INDUCTION
from course_lib.exercises.inside_a_model.shares import FIRST, PREVIOUS
from course_lib.exercises.inside_a_model.step import STEP
from course_lib.exercises.inside_a_model.switching import SWITCH_OFF
from course_lib.exercises.inside_a_model.written import WRITTEN

EXERCISE = Exercise(
    "lab_6_inside_a_model",
    "Inside a model",
    (FIRST, PREVIOUS, INDUCTION, SWITCH_OFF, STEP),
    WRITTEN,
)

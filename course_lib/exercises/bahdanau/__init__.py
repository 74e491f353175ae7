"""Exercise 04: Bahdanau's attention, first its scores, then the whole module."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.bahdanau.module import MODULE
from course_lib.exercises.bahdanau.scores import ADDITIVE_SCORES
from course_lib.exercises.bahdanau.stranger import STRANGER

EXERCISE = Exercise("04_bahdanau", "Bahdanau's attention", (ADDITIVE_SCORES, MODULE, STRANGER))

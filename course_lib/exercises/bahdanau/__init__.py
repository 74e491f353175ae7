"""Exercise 04: Bahdanau's attention, first its scores, then the whole module."""

from course_lib.exercises.bahdanau.module import MODULE
from course_lib.exercises.bahdanau.scores import ADDITIVE_SCORES
from course_lib.grading.tasks import Exercise

EXERCISE = Exercise("04_bahdanau", "Bahdanau's attention", (ADDITIVE_SCORES, MODULE))

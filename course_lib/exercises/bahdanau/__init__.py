"""Exercise 04: Bahdanau's attention, first its scores, then the whole module."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.bahdanau.module import MODULE
from course_lib.exercises.bahdanau.scores import ADDITIVE_SCORES
from course_lib.exercises.bahdanau.stranger import REPAIR

WRITTEN = (
    Written(
        "without_tanh",
        2,
        (
            "Why can the module without the tanh not use its state? It is right more "
            "often than one time in five all the same: what can it have learned?"
        ),
        (
            (
                "1: the state adds the same number to the score of every word, and a "
                "softmax does not see what all scores share"
            ),
            (
                "1: one fixed direction for all states, such as the sum of the three "
                "numbers: the word with the largest sum is often the right one"
            ),
        ),
    ),
)
EXERCISE = Exercise(
    "04_bahdanau", "Bahdanau's attention", (ADDITIVE_SCORES, MODULE, REPAIR), WRITTEN
)

"""Exercise 02: scores from dot products, the context vector, and both in one function."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.context_vectors.attending import ATTEND
from course_lib.exercises.context_vectors.scores import DOT_SCORES
from course_lib.exercises.context_vectors.stranger import STRANGER
from course_lib.exercises.context_vectors.weighted_sum import CONTEXT_VECTOR

WRITTEN = (
    Written(
        "turned_query",
        2,
        (
            "*cat* gets its largest weight before the query points to it. Why? And "
            "which knob of exercise 01 does the query's length turn?"
        ),
        (
            (
                "1: between 60° and 120° both cat and sat have large scores; turning away "
                "from sat costs sat more than cat, so cat's share still grows"
            ),
            (
                "1: the scores are proportional to the length, so it divides the "
                "temperature: a query six times as long is a softmax at τ = 1/6"
            ),
        ),
    ),
)
EXERCISE = Exercise(
    "02_context_vectors", "Context vectors", (DOT_SCORES, CONTEXT_VECTOR, ATTEND, STRANGER), WRITTEN
)

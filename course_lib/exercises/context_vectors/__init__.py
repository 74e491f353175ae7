"""Exercise 02: scores from dot products, the context vector, and both in one function."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.context_vectors.attending import ATTEND
from course_lib.exercises.context_vectors.scores import DOT_SCORES
from course_lib.exercises.context_vectors.stranger import STRANGER
from course_lib.exercises.context_vectors.weighted_sum import CONTEXT_VECTOR

EXERCISE = Exercise(
    "02_context_vectors", "Context vectors", (DOT_SCORES, CONTEXT_VECTOR, ATTEND, STRANGER)
)

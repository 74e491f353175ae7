"""Exercise 03: one translation step by step, from an attention matrix to words."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.worked_translation.alignment import ALIGN
from course_lib.exercises.worked_translation.context import CONTEXT_VECTORS
from course_lib.exercises.worked_translation.decoder import DECODER_OUTPUT
from course_lib.exercises.worked_translation.stranger import PREDICT

WRITTEN = (
    Written(
        "the_article",
        2,
        (
            "*un* does not look at *a* most. At what does it look, with which weight, "
            "and what use can the model have for it? What does that say about reading "
            "such a map as a dictionary?"
        ),
        (
            (
                "1: at *dog*, with 0.77, where *a* has 0.05; the French article has to "
                "agree with its noun, so the decoder must know the noun"
            ),
            (
                "1: a map says where the model reads and not which word means which; "
                "`align` gives the one, a dictionary the other"
            ),
        ),
    ),
)
EXERCISE = Exercise(
    "03_worked_translation",
    "A worked translation",
    (CONTEXT_VECTORS, DECODER_OUTPUT, ALIGN, PREDICT),
    WRITTEN,
)

"""Exercise 12: heads that share, a window with sinks, top-p, and the bytes of a cache."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.generation.cache_bytes import CACHE_BYTES
from course_lib.exercises.generation.grouped import GROUPED
from course_lib.exercises.generation.nucleus import TOP_P
from course_lib.exercises.generation.stranger import STRANGER
from course_lib.exercises.generation.window import WINDOW

WRITTEN = (
    Written(
        "how_many_words",
        2,
        (
            "In SmolLM2 top-p with p = 0.5 keeps few words at some places of a text and "
            "many at others. Where would you expect few, and where many? And what would "
            "a fixed number of words, top-k, do wrong at each of the two?"
        ),
        (
            (
                '1: few where the text leaves no choice, as after "The capital of Italy '
                'is"; many where a sentence begins or a thing is named freely'
            ),
            (
                "1: a fixed k lets odd words in where the model is sure, and cuts sensible "
                "ones off where it is not"
            ),
        ),
    ),
)
EXERCISE = Exercise(
    "12_generation", "Generation", (GROUPED, WINDOW, TOP_P, CACHE_BYTES, STRANGER), WRITTEN
)

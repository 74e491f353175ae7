"""Exercise 09: the causal mask, attention under it, the cache that makes generation cheap, and how
far a window reaches."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.causal.attention import ATTENTION
from course_lib.exercises.causal.cache import CACHE
from course_lib.exercises.causal.mask import MASK
from course_lib.exercises.causal.reach import REACH
from course_lib.exercises.causal.stranger import STRANGER

WRITTEN = (
    Written(
        "how_far",
        2,
        "Eight layers with a window of 8 reach 56 positions back. From how far back do nine tenths "
        "of the last output come, and why is so little from the far end? Use the numbers above.",
        (
            "1: a number of the cell for each: what can be reached, and within how many positions "
            "nine tenths or more lie",
            "1: the far end is reached along one path only, the longest step in every layer, and "
            "its weights are multiplied; most paths have short steps, or go straight on",
        ),
    ),
)
EXERCISE = Exercise(
    "09_causal", "Causal attention", (MASK, ATTENTION, CACHE, REACH, STRANGER), WRITTEN
)

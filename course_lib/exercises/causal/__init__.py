"""Exercise 09: the causal mask, attention under it, and the cache that makes generation cheap."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.causal.attention import ATTENTION
from course_lib.exercises.causal.cache import CACHE
from course_lib.exercises.causal.mask import MASK

EXERCISE = Exercise("09_causal", "Causal attention", (MASK, ATTENTION, CACHE))

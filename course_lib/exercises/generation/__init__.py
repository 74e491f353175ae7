"""Exercise 12: heads that share, a window with sinks, top-p, and the bytes of a cache."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.generation.cache_bytes import CACHE_BYTES
from course_lib.exercises.generation.grouped import GROUPED
from course_lib.exercises.generation.nucleus import TOP_P
from course_lib.exercises.generation.stranger import STRANGER
from course_lib.exercises.generation.window import WINDOW

EXERCISE = Exercise("12_generation", "Generation", (GROUPED, WINDOW, TOP_P, CACHE_BYTES, STRANGER))

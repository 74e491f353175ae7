"""Exercise 07: scaled dot-product attention, and the sines that say where a word stands."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.scaled_dot_product.attention import ATTENTION
from course_lib.exercises.scaled_dot_product.positions import POSITIONS

EXERCISE = Exercise("07_scaled_dot_product", "Scaled dot-product attention", (ATTENTION, POSITIONS))

"""Task `scaled_dot_product_attention`: compare, scale, mask and mix, over any leading axes."""

from course_lib.checker import tasks
from course_lib.exercises.scaled_dot_product.attention.mistakes import MISTAKES
from course_lib.exercises.scaled_dot_product.attention.task import HINTS, case

ATTENTION = tasks.task(MISTAKES, 5, case.all, HINTS, returns=("output", "weights"))

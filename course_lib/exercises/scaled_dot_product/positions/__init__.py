"""Task `sinusoidal_positions`: a table of sines and cosines, one row for each position."""

from course_lib.checker import tasks
from course_lib.exercises.scaled_dot_product.positions.mistakes import MISTAKES
from course_lib.exercises.scaled_dot_product.positions.task import HINTS, case

POSITIONS = tasks.task(MISTAKES, 2, case.all, HINTS)

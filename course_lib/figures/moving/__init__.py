"""Figures that move, by hand and by keyboard: in Jupyter with the kernel, on a page without one."""

from course_lib.figures.moving.figure import Figure
from course_lib.figures.moving.softmax import softmax_figure

__all__ = ["Figure", "softmax_figure"]

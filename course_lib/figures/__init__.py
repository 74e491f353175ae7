"""Pictures of attention: static plots and diagrams (matplotlib), and figures that move."""

from course_lib.figures.diagrams import Diagram
from course_lib.figures.plots import bars, lines, scores_and_weights
from course_lib.figures.style import panels
from course_lib.figures.weights import alignment, heatmap

__all__ = ["Diagram", "alignment", "bars", "heatmap", "lines", "panels", "scores_and_weights"]

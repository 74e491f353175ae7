"""Boxes and arrows, placed in inches from the lower left corner."""

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

from course_lib.figures.style import INK, MUTED, PANEL, RC, WIDTH, panels

ARROW = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "mutation_scale": 11}


class Diagram:
    """A blank card of the given size. `box` and `dot` return what `arrow` takes as its ends."""

    def __init__(self, height, width=WIDTH) -> None:
        self.ax = panels(height=height, width=width)
        self.ax.set(xlim=(0, width), ylim=(0, height), aspect="equal")
        self.ax.axis("off")
        self.ax.get_figure().set_layout_engine("none")
        self.ax.set_position((0, 0, 1, 1))

    def text(self, x, y, words: str, *, color=INK, ha="center", size=10, **kw):
        """Words centred on (x, y)."""
        with plt.rc_context(RC):
            return self.ax.text(x, y, words, ha=ha, va="center", color=color, fontsize=size, **kw)

    def box(
        self, x, y, words="", *, width=0.9, height=0.4, fill=PANEL, edge=MUTED, color=INK, size=10
    ):
        """A rounded box centred on (x, y). Returns (x, y, half width, half height)."""
        self.ax.add_patch(
            FancyBboxPatch(
                (x - width / 2, y - height / 2),
                width,
                height,
                fc=fill,
                ec=edge,
                lw=1.2,
                zorder=2,
                boxstyle="round,pad=0,rounding_size=0.07",
            )
        )
        self.text(x, y, words, color=color, size=size, zorder=3)
        return x, y, width / 2, height / 2

    def arrow(self, start, end, *, color=MUTED, lw=1.3, dashed=False, label="", bend=0.0):
        """An arrow from edge to edge of two boxes, or between two points (x, y)."""
        a, b = _edge(start, end), _edge(end, start)
        style = {
            **ARROW,
            "color": color,
            "lw": lw,
            "ls": (0, (4, 2)) if dashed else "-",
            "connectionstyle": f"arc3,rad={bend}",
        }
        self.ax.annotate("", b, a, arrowprops=style, zorder=1)
        if label:
            self.text(
                (a[0] + b[0]) / 2,
                (a[1] + b[1]) / 2,
                label,
                color=INK,
                size=9,
                zorder=4,
                bbox={"fc": "white", "ec": "none", "pad": 1},
            )


def _edge(box, towards) -> tuple[float, float]:
    """Where the straight line from the middle of `box` to `towards` leaves the box."""
    if len(box) == 2:
        return box
    x, y, half_width, half_height = box
    dx, dy = towards[0] - x, towards[1] - y
    step = min(half_width / abs(dx) if dx else 1e9, half_height / abs(dy) if dy else 1e9)
    return x + dx * step, y + dy * step

"""A failing case as three small heat maps: what came, what is right, and the difference.

It is written as SVG: a page shows it without a library and `check` imports none for it. It comes as
an image: of a notebook that is not trusted, JupyterLab takes every `<svg>` out and leaves the text
in it. As in every figure of the course, dark ink stands on a white card, and nothing is told by
colour alone: the cells print their numbers, and the words below the maps say the same for who does
not see them.
"""

import base64
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.checker.escape import html

Rows = Sequence[Sequence[float | None]]  # None: no finite number
CELL_WIDTH, CELL_HEIGHT, GAP, TITLE = 44, 24, 24, 22
INK, LINE, WHITE = "#1f2430", "#d5d9e0", "#ffffff"
MORE, LESS = (31, 95, 168), (168, 72, 15)  # the figures' blue, and their orange below zero
DARK = 0.6  # from this share of the full colour on, a number is white


@dataclass(frozen=True)
class Matrices:
    """A matrix that an answer returned, the right one, and which part of the result they are."""

    part: str
    yours: Rows
    right: Rows

    @property
    def difference(self) -> list[list[float | None]]:
        return [
            [None if a is None or b is None else a - b for a, b in zip(one, two, strict=True)]
            for one, two in zip(self.yours, self.right, strict=True)
        ]

    @property
    def words(self) -> str:
        """What the picture shows, in a sentence."""
        apart = [
            (math.inf if d is None else abs(d), r, c)
            for r, row in enumerate(self.difference)
            for c, d in enumerate(row)
            if d != 0
        ]
        _, row, column = max(apart, key=lambda one: one[0], default=(0, 0, 0))
        return (
            f"{self.part}: yours, the right one, and yours minus the right one. They are furthest "
            f"apart in row {row}, column {column}: {_number(self.yours[row][column])} where "
            f"{_number(self.right[row][column])} is right."
        )


def heat_maps(matrices: Matrices) -> Any:
    """The picture, as HTML that may stand in a page as it is."""
    from markupsafe import Markup

    columns, rows = len(matrices.right[0]), len(matrices.right)
    wide, high = columns * CELL_WIDTH, rows * CELL_HEIGHT
    full = _largest([*matrices.yours, *matrices.right])
    maps = (
        ("yours", matrices.yours, full),
        ("right", matrices.right, full),
        ("difference", matrices.difference, _largest(matrices.difference)),
    )
    width = max(wide, 80)
    parts = []
    for number, (title, values, most) in enumerate(maps):
        left = GAP / 2 + number * (width + GAP)
        parts.append(f'<text x="{left}" y="15" fill="{INK}" font-weight="bold">{title}</text>')
        parts += _cells(values, left, most)
    size = 3 * (width + GAP), TITLE + high + GAP / 2
    image = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" '
        f'width="{size[0]}" height="{size[1]}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="{WHITE}"/>{"".join(parts)}</svg>'
    )
    data = base64.b64encode(image.encode()).decode()
    return Markup(
        f'<figure style="margin:0.5rem 0"><img src="data:image/svg+xml;base64,{data}" '
        f'alt="{html(matrices.words)}" width="{size[0]}" style="max-width:100%">'
        f"<figcaption>{html(matrices.words)}</figcaption></figure>"
    )


def _cells(values: Rows, left: float, most: float) -> Iterator[str]:
    for r, row in enumerate(values):
        for c, value in enumerate(row):
            share = 0.0 if value is None else abs(value) / most
            full = LESS if value is not None and value < 0 else MORE
            colour = "#" + "".join(f"{round(255 + (n - 255) * share):02x}" for n in full)
            x, y = left + c * CELL_WIDTH, TITLE + r * CELL_HEIGHT
            yield (
                f'<rect x="{x}" y="{y}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" '
                f'fill="{colour}" stroke="{LINE}"/>'
                f'<text x="{x + CELL_WIDTH / 2}" y="{y + 16}" text-anchor="middle" '
                f'fill="{WHITE if share > DARK else INK}">{_number(value)}</text>'
            )


def _largest(values: Rows) -> float:
    return max((abs(v) for row in values for v in row if v is not None), default=0.0) or 1.0


def _number(value: float | None) -> str:
    return "nan" if value is None else f"{value:.2g}"

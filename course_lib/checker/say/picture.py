"""A failing case as three small heat maps: what came, what is right, and the difference. The words
below the maps say the same for who does not see them."""

import math
from dataclasses import dataclass
from typing import Any

from course_lib.checker.escape import html
from course_lib.checker.say.drawing import (
    CELL_HEIGHT,
    CELL_WIDTH,
    WIDTH,
    Rows,
    cells,
    image,
    label,
    largest,
    number,
)

GAP, TITLE = 24, 22


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
            f"apart in row {row}, column {column}: {number(self.yours[row][column])} where "
            f"{number(self.right[row][column])} is right."
        )


def heat_maps(matrices: Matrices) -> Any:
    """The picture, as HTML that may stand in a page as it is."""
    from markupsafe import Markup

    columns, rows = len(matrices.right[0]), len(matrices.right)
    full = largest([*matrices.yours, *matrices.right])
    maps = (
        ("yours", matrices.yours, full),
        ("right", matrices.right, full),
        ("difference", matrices.difference, largest(matrices.difference)),
    )
    wide, high = max(columns * CELL_WIDTH, 80) + GAP, TITLE + rows * CELL_HEIGHT + GAP / 2
    across, down = (wide, 0) if 3 * wide <= WIDTH else (0, high)  # beside or below each other
    parts = []
    for place, (title, values, most) in enumerate(maps):
        left, top = GAP / 2 + place * across, place * down
        parts.append(label(title, left, top + 15, ' font-weight="bold"'))
        parts += cells(values, left, top + TITLE, most)
    drawn = image(parts, wide + 2 * across, high + 2 * down, matrices.words)
    return Markup(
        f'<figure style="margin:0.5rem 0">{drawn}'
        f"<figcaption>{html(matrices.words)}</figcaption></figure>"
    )

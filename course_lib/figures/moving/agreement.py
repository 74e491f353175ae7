"""A dot product as agreement: two arrows, one of which moves, and the shadow of it on the other."""

import math

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import check_labels, plain
from course_lib.figures.style import ACCENT, GREEN, MUTED, WARM

PLANE = 240  # pixels of the square in which both arrows stand


def agreement_figure(fixed, moved, names=("a", "b")) -> Figure:
    """The dot product of two vectors of the plane; drag the second one and watch the number.

    a·b = a₁b₁ + a₂b₂ is the length of a times the length of b's shadow on a: positive when both
    point the same way, zero at a right angle, negative when they point apart.

    Args:
        fixed: the vector that stays, (2,), not zero.
        moved: the vector that the reader drags, (2,).
        names: what the two arrows are called.

    Raises:
        ValueError: for vectors that do not lie in the plane, and for a fixed vector of zeros,
            on which nothing throws a shadow.
    """
    a, b = plain(fixed, "fixed", 1, 1), plain(moved, "moved", 1, 1)
    if len(a) != 2 or len(b) != 2:
        raise ValueError(
            f"the figure is a plane: both vectors must have 2 numbers, got {len(a)} and {len(b)}."
        )
    if a == [0.0, 0.0]:
        raise ValueError("the fixed vector is zero, so it has no direction; give it a length.")
    names = check_labels("names", names, 2, (2,))
    dot = a[0] * b[0] + a[1] * b[1]
    shadow = dot / math.hypot(*a)
    reach = max(3, math.ceil(max(map(abs, [*a, *b])) + 0.5))
    label = f"The dot product of {names[0]} and {names[1]}"
    lines = [
        f"{names[0]} = ({a[0]:g}, {a[1]:g}), {names[1]} = ({b[0]:g}, {b[1]:g})",
        f"dot product {a[0]:g} · {b[0]:g} + {a[1]:g} · {b[1]:g} = {dot:.2f}",
        f"length of {names[0]} {math.hypot(*a):.2f}, times shadow of {names[1]} {shadow:.2f}",
    ]
    height = PLANE + 70
    return Figure(
        "agreement",
        label,
        lines,
        height=height,
        data={"fixed": a, "names": names, "reach": reach},
        state={"x": b[0], "y": b[1]},
        drawn=_plane(a, b, names, reach, lines),
        below=(110, 200),
    )


def _plane(a, b, names, reach, lines) -> str:
    """Both arrows and the shadow, standing still, with the numbers beside them."""

    def at(x, y) -> tuple[float, float]:
        half = PLANE / 2
        return half + x / reach * half, 10 + half - y / reach * half

    def line(start, end, color, width=3.0, dashes="") -> str:
        (x1, y1), (x2, y2) = at(*start), at(*end)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        return (
            f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{color}" '
            f'stroke-width="{width}"{dashed}/>'
        )

    share = (a[0] * b[0] + a[1] * b[1]) / (a[0] ** 2 + a[1] ** 2)
    foot = (share * a[0], share * a[1])
    return "".join(
        [
            line((-reach, 0), (reach, 0), MUTED, 1),
            line((0, -reach), (0, reach), MUTED, 1),
            line((0, 0), foot, GREEN, 9),
            line(b, foot, MUTED, 1.5, "5 3"),
            line((0, 0), a, ACCENT),
            line((0, 0), b, WARM),
            *(
                svg.words(x + 6, y - 6, name)
                for name, (x, y) in zip(names, (at(*a), at(*b)), strict=True)
            ),
            *(svg.words(PLANE + 30, 60 + 24 * i, text) for i, text in enumerate(lines)),
        ]
    )

"""Rotary positions: pairs of features that turn, a fast, a middling and a slow one."""

import math

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import plain
from course_lib.figures.style import ACCENT, MUTED, WARM

CIRCLE = 150  # pixels of the square in which one pair turns


def rotary_figure(query, key, frequencies, *, positions=(5, 2), length: int = 32) -> Figure:
    """Turn a query and a key to their positions and watch the score depend on the difference.

    Pair i of the features turns by position · θ_i; the score is the sum over the pairs of the
    product of both lengths and the cosine of the angle between the two arrows.

    Args:
        query: the pairs of the query, (n, 2), before they are turned; n = 2, 3 or 4.
        key: the pairs of the key, (n, 2).
        frequencies: θ_i, the radians that each pair turns from one position to the next, (n,).
        positions: where the query and the key stand at first.
        length: the sliders run from 0 to length − 1.

    Raises:
        ValueError: for pairs that do not fit each other or the frequencies, and for positions
            outside the sliders.
    """
    q, k = plain(query, "query", 2), plain(key, "key", 2)
    theta = plain(frequencies, "frequencies", 1, 6)
    sizes = [len(q), len(k), len(theta)]
    if len(set(sizes)) > 1 or not 2 <= sizes[0] <= 4 or any(len(pair) != 2 for pair in [*q, *k]):
        raise ValueError(
            "query and key need 2, 3 or 4 pairs of numbers and as many frequencies, got "
            f"{sizes[0]}, {sizes[1]} and {sizes[2]}."
        )
    m, n = (int(p) for p in positions)
    if not (0 <= m < length and 0 <= n < length):
        raise ValueError(f"positions {m} and {n} must lie between 0 and {length - 1}.")
    parts = scores(q, k, theta, m, n)
    label = "Pairs of features turning with the position"
    lines = [
        f"query at position {m}, key at position {n}, difference {m - n}",
        "pairs: " + ", ".join(f"{part:.2f}" for part in parts) + f", score {sum(parts):.2f}",
    ]
    height = CIRCLE + 110
    return Figure(
        "rotary",
        label,
        lines,
        height=height,
        data={
            "query": q,
            "key": k,
            "theta": theta,
            "length": length,
        },
        state={"query": m, "key": n},
        drawn=_circles(q, k, theta, m, n, lines),
        below=(150, 240),
    )


def turned(pair, angle: float) -> tuple[float, float]:
    """A pair of features, turned by an angle."""
    cos, sin = math.cos(angle), math.sin(angle)
    return pair[0] * cos - pair[1] * sin, pair[0] * sin + pair[1] * cos


def scores(query, key, theta, m: int, n: int) -> list[float]:
    """What each pair adds to the score of a query at position m and a key at position n."""
    pairs = zip(query, key, theta, strict=True)
    return [
        sum(a * b for a, b in zip(turned(q, m * w), turned(k, n * w), strict=True))
        for q, k, w in pairs
    ]


def _circles(query, key, theta, m, n, lines) -> str:
    """All pairs side by side, standing still."""
    room = svg.WIDE / len(theta)
    drawn = [svg.words(12, CIRCLE + 60 + 22 * i, line) for i, line in enumerate(lines)]
    longest = max(math.hypot(*pair) for pair in [*query, *key]) or 1.0
    for i, (q, k, w) in enumerate(zip(query, key, theta, strict=True)):
        x, y, radius = room * (i + 0.5), 10 + CIRCLE / 2, CIRCLE / 2 - 8
        drawn.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none" stroke="{MUTED}"/>'
        )
        for pair, place, color in [(q, m, ACCENT), (k, n, WARM)]:
            a, b = turned(pair, place * w)
            end = x + a / longest * radius, y - b / longest * radius
            drawn.append(
                f'<path d="M{x:.1f} {y:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke="{color}" '
                'stroke-width="3"/>'
            )
        drawn.append(svg.words(x, CIRCLE + 28, f"θ = {w:.3g}", anchor="middle", color=MUTED))
    return "".join(drawn)

"""The still picture of js/lines.js: two sentences, and lines between their words."""

from itertools import pairwise
from xml.sax.saxutils import escape

from course_lib.figures.moving.svg import WIDE
from course_lib.figures.style import ACCENT, INK

LEAST = 0.06  # a thinner line is left out
EM = 0.5  # the mean width of a letter; the page measures each word
FACE = "'Source Serif Pro','Source Serif 4',Charter,Georgia,serif"


def _together(before: str, after: str) -> bool:
    """Whether two words stand without a space: "l'" and "homme", "vas" and "-tu"."""
    return before.endswith("'") or after.startswith("-")


def _in_a_row(texts: list[str], size, width) -> tuple[float, list[float]]:
    """How long words side by side are, and their middles, centred in a width."""
    gaps = [0.0] + [size * (0.06 if _together(a, b) else 0.5) for a, b in pairwise(texts)]
    sizes = [EM * size * max(1, len(text)) for text in texts]
    long = sum(gaps) + sum(sizes)
    x, middles = (width - long) / 2, []
    for gap, one in zip(gaps, sizes, strict=True):
        middles.append(x + gap + one / 2)
        x += gap + one
    return long, middles


def _word(x, y, text, size, anchor: str, said: bool) -> str:
    kind = "attn-voice attn-said-word" if said else "attn-voice"
    slant = ' font-style="italic"' if said else ""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}" '
        f'font-family="{FACE}" font-size="{size:.1f}"{slant}>{escape(text)}</text>'
    )


def _line(a: tuple, b: tuple, weight, upright: bool) -> str:
    """From a written word at `b` to a read one at `a`."""
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    one, two = ((b[0], y), (a[0], y)) if upright else ((x, b[1]), (x, a[1]))
    return (
        f'<path class="attn-thread" style="--w:{weight:.2f}" fill="none" stroke="{ACCENT}" '
        f'stroke-width="{1 + 6 * weight:.1f}" stroke-opacity="{0.25 + 0.6 * weight:.2f}" '
        f'stroke-linecap="round" d="M{b[0]:.1f} {b[1]:.1f}'
        f'C{one[0]:.1f} {one[1]:.1f} {two[0]:.1f} {two[1]:.1f} {a[0]:.1f} {a[1]:.1f}"/>'
    )


def lines(weights, rows: list[str], columns: list[str], *, height: int, width: int = WIDE) -> str:
    """The words that were read, those that were written, and a line for each weight from LEAST on.

    One above the other where both fit a line of the width, else in two columns.
    """
    drawn, upright = [], False
    at, ends = ([], []), ([], [])
    for size in (30, 26, 22, 19, 16):
        (read_long, read), (said_long, said) = (
            _in_a_row(texts, size, width) for texts in (columns, rows)
        )
        if upright := max(read_long, said_long) <= width:
            low = min(height - 0.4 * size, 2 * size + 150)
            at = [(x, size) for x in read], [(x, low) for x in said]
            ends = [(x, 1.35 * size) for x in read], [(x, low - size) for x in said]
            break
    if not upright:
        most = max(len(rows), len(columns))
        pitch = min(28, height / most)
        size = min(18, 0.86 * pitch)
        left = EM * size * max(map(len, columns)) + 4
        right = min(width - EM * size * max(map(len, rows)) - 4, left + 260)
        ys = [
            [pitch * (i + 0.5 + (most - len(texts)) / 2) for i in range(len(texts))]
            for texts in (columns, rows)
        ]
        at = [(left, y + 0.32 * size) for y in ys[0]], [(right, y + 0.32 * size) for y in ys[1]]
        ends = [(left + 6, y) for y in ys[0]], [(right - 6, y) for y in ys[1]]
    for t, row in enumerate(weights):
        drawn += [
            _line(ends[0][s], ends[1][t], weight, upright)
            for s, weight in enumerate(row)
            if weight >= LEAST
        ]
    for texts, places, said in ((columns, at[0], False), (rows, at[1], True)):
        anchor = "middle" if upright else "start" if said else "end"
        drawn += [
            _word(*p, text, size, anchor, said) for p, text in zip(places, texts, strict=True)
        ]
    return "".join(drawn)

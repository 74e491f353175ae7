"""Matrices with their numbers in them, as a picture for a notebook or a page.

It is written as SVG: a page shows it without a library and `check` imports none for it. It comes as
an image: of a notebook that is not trusted, JupyterLab takes every `<svg>` out and leaves the text
in it. As in every figure of the course, dark ink stands on a white card, and nothing is told by
colour alone.
"""

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from course_lib.checker.escape import html

Rows = Sequence[Sequence[int | float | None]]  # None: no finite number
CELL_WIDTH, CELL_HEIGHT = 50, 24
WIDTH = 760  # of a picture: wider ones would be shown smaller
INK, LINE, WHITE, PALE = "#1f2430", "#d5d9e0", "#ffffff", "#eceef2"
MORE, LESS = (31, 95, 168), (168, 72, 15)  # the figures' blue, and their orange below zero
DARK = 0.6  # from this share of the full colour on, a number is white
YES, NO = (MORE, "✓"), ((236, 238, 242), "·")


def image(parts: Iterable[str], width: int | float, height: int | float, words: str) -> Any:
    """Parts of a drawing as HTML that may stand in a page as it is; `words` are for who does not
    see it."""
    from markupsafe import Markup

    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="{WHITE}"/>{"".join(parts)}</svg>'
    )
    data = base64.b64encode(drawn.encode()).decode()
    return Markup(
        f'<img src="data:image/svg+xml;base64,{data}" alt="{html(words)}" width="{width:g}" '
        'style="max-width:100%">'
    )


def label(text: str, left: int | float, baseline: int | float, more: str = "") -> str:
    """A line of text; `more` are further attributes."""
    return f'<text x="{left:g}" y="{baseline:g}" fill="{INK}"{more}>{html(text)}</text>'


def cells(values: Rows, left: int | float, top: int | float, most: int | float) -> Iterator[str]:
    """A matrix from its upper left corner; a number of the size `most` has the full colour."""
    for r, row in enumerate(values):
        for c, value in enumerate(row):
            fill, ink, text = _cell(value, most)
            x, y = left + c * CELL_WIDTH, top + r * CELL_HEIGHT
            yield (
                f'<rect x="{x:g}" y="{y:g}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" '
                f'fill="{fill}" stroke="{LINE}"/>'
                f'<text x="{x + CELL_WIDTH / 2:g}" y="{y + 16:g}" text-anchor="middle" '
                f'fill="{ink}">{text}</text>'
            )


def _cell(value: int | float | None, most: int | float) -> tuple[str, str, str]:
    """The colours of a cell and of what stands in it, and that."""
    if isinstance(value, bool):
        colour, text = YES if value else NO
        return _hex(colour), WHITE if value else INK, text
    share = 0.0 if value is None else min(1.0, abs(value) / most)
    full = LESS if value is not None and value < 0 else MORE
    colour = tuple(round(255 + (n - 255) * share) for n in full)
    return _hex(colour), WHITE if share > DARK else INK, number(value)


def _hex(colour: Iterable[int]) -> str:
    return "#" + "".join(f"{n:02x}" for n in colour)


def largest(values: Rows) -> int | float:
    return max((abs(v) for row in values for v in row if v is not None), default=0.0) or 1.0


def number(value: int | float | None) -> str:
    """A number in as many characters as a cell has room for."""
    if value is None:
        return "nan"
    if isinstance(value, int):
        return str(value)
    short = f"{value + 0.0:.2g}"  # + 0.0: no -0
    if "e+" in short and abs(value) < 1e5:
        return f"{value:.0f}"
    return short if len(short) < 7 else f"{value:.0e}"

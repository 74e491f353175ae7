"""Plots whose letters are at least 9 px high on a phone, by a least width that the page scrolls.

A plot is drawn for the column of a wide screen, and says how high its smallest letters are there
(`course_lib/figures/style.py`). From both follows how narrow it may be shown: the style sheet gives
it that width, and where a page has less, the link around the plot scrolls.
"""

import math
import re
from functools import partial
from pathlib import Path

from PIL import Image

LEAST = 9  # px
FRAME = 12  # px: the widest border that book.css puts around a plot
PLOT = re.compile(r'<img\b[^>]*?\bsrc="[^"]*/([^"/]+\.png)" width="(\d+)" height="\d+" style="')


def letters(image: Path) -> float | None:
    """Height in px of a plot's smallest letters at the size in which it was drawn, 0 where it has
    none; None of a picture that does not say so."""
    with Image.open(image) as opened:
        found = getattr(opened, "text", {}).get("letters")
    return None if found is None else float(found)


def least_width(image: Path, width: int) -> int:
    """The narrowest that a plot drawn `width` px wide may be shown, with its frame; 0 for any."""
    high = letters(image)
    return math.ceil(width * LEAST / high) + FRAME if high else 0


def widened(files: dict[str, Path], found: re.Match) -> str:
    """An image's tag with its least width as `--least`, if it is one of these files, by name."""
    name, width = found[1], int(found[2])
    least = least_width(files[name], width) if name in files else 0
    return f"{found[0]}--least: {least}px; " if least else found[0]


def widen(app, pagename, templatename, context, doctree):
    """Give the plots of one page their least widths."""
    files = {name: Path(app.srcdir, path) for path, name in app.builder.images.items()}
    if context.get("body"):
        context["body"] = PLOT.sub(partial(widened, files), context["body"])


def setup(app):
    app.connect("html-page-context", widen, priority=600)  # after mend, which writes the sizes
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The house style of static figures: dark ink on an opaque white card.

An image cannot follow the page into dark mode, so a figure brings its own white ground and the
page frames it. Nothing is told by colour alone: lines differ in marker and dash, cells and bars
print their numbers.
"""

from io import BytesIO
from typing import Any

import matplotlib.figure
import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib.text import Text
from PIL import Image, PngImagePlugin

INK = "#1f2430"
MUTED = "#5a6272"
PANEL = "#f5f6f8"
LINE = "#d5d9e0"
# Each of these has a contrast of at least 4.5 on white, and on the panel.
ACCENT, WARM, GREEN, VIOLET, RED = SERIES = "#1f5fa8", "#a8480f", "#2a6f4e", "#6b4a9e", "#ab2a37"
MARKERS = "o", "s", "^", "D", "v"
DASHES = "-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1))
ENCODER, CONTEXT, DECODER = ACCENT, GREEN, WARM  # of a translator, on every page
HEAT = "Blues"  # light = 0, and darker in greyscale too
WIDTH = 7.0  # inches
# A plot with nothing beside it: on a phone of 375 px its letters of 10 points are 9 px high.
ALONE = 5.2

RC: dict[Any, Any] = {  # matplotlib's stubs want a Literal of every name
    "figure.facecolor": "white",
    "figure.dpi": 100,
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same glyphs on every machine
    "font.size": 10,
    "text.color": INK,
    "axes.facecolor": "white",
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=SERIES),
    "grid.color": LINE,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "hatch.color": MUTED,
    "hatch.linewidth": 0.6,
}


class Figure(matplotlib.figure.Figure):  # the same name, which a notebook prints
    """A figure of `panels`: a notebook shows it by `as_png`, other figures as it always did."""


def panels(rows: int = 1, columns: int = 1, *, height=3.0, width=WIDTH, **kw) -> Any:
    """A new figure in the house style: one Axes, or an array of them. Sizes in inches.

    Draw inside `with plt.rc_context(style.RC)` to keep the style for what is added later.
    """
    with plt.rc_context(RC):
        kw = {"FigureClass": Figure, "layout": "constrained", **kw}
        _, axes = plt.subplots(rows, columns, figsize=(width, height), **kw)
    _sharpen()
    return axes


def as_png(figure: Figure) -> tuple[bytes, dict]:
    """The figure as a notebook shows it: twice the pixels for sharp text, 64 colours for size.

    A figure without a ground (`set_facecolor("none")`) keeps its greys, and the page shows through.
    In the file, `letters` is how many px its smallest letters are high at that size, 0 without any.

    Returns the bytes, and the size in which the page should show them.
    """
    drawn, small = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png", dpi=2 * figure.dpi, bbox_inches="tight")
    image = Image.open(drawn)
    if figure.get_facecolor()[3]:  # type: ignore[index]
        image = image.convert("RGB").quantize(64)
    said = PngImagePlugin.PngInfo()
    said.add_text("letters", f"{smallest_letters(figure):.1f}")
    image.save(small, "png", optimize=True, pnginfo=said)
    return small.getvalue(), {"width": image.width // 2, "height": image.height // 2}


def smallest_letters(figure: Figure) -> float:
    """Height in px of the smallest letters of a drawn figure, at its own dpi; 0 without any.

    A raised or lowered sign of a formula counts as the letters around it.
    """
    texts: Any = figure.findobj(Text)
    shown = [text for text in texts if text.get_visible() and text.get_text().strip()]
    return min((text.get_fontsize() for text in shown), default=0) * figure.dpi / 72


def _sharpen() -> None:
    """Have the notebook that we are in, if any, show the course's figures by `as_png`."""
    try:
        from IPython import get_ipython
    except ImportError:  # a plain Python, without the notebook tools
        return
    if (shell := get_ipython()) is not None:
        shell.display_formatter.formatters["image/png"].for_type(Figure, as_png)

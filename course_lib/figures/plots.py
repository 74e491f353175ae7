"""Bars and lines, each with its numbers and names written beside it."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from course_lib.figures.numbers import as_array, check_labels
from course_lib.figures.style import (
    ACCENT,
    ALONE,
    DASHES,
    INK,
    MARKERS,
    MUTED,
    RC,
    SERIES,
    WARM,
    panels,
)


def bars(labels, values, *, title: str = "", decimals: int = 3, color=ACCENT, ax=None) -> Axes:
    """One bar for each label, with its number at its end, the first label on top."""
    values = as_array(values, "values", 1)
    labels = check_labels("labels", labels, len(values), values.shape)
    ax = panels(height=0.7 + 0.34 * len(values), width=ALONE) if ax is None else ax
    places = np.arange(len(values))
    with plt.rc_context(RC):
        drawn = ax.barh(places, values, height=0.7, color=color)
        ax.bar_label(
            drawn,
            labels=[f"{v:.{decimals}f}".replace("-", "−") for v in values],
            padding=3,
            color=INK,
        )
        ax.set_yticks(places, labels)
        ax.invert_yaxis()
        ax.axvline(0, color=MUTED, lw=0.8)
        ax.margins(x=0.28)  # room for the numbers
        if values.min() >= 0:
            ax.set_xlim(left=0)
        ax.tick_params(length=0, pad=7)
        ax.set_xticks([])
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.set_title(title)
    return ax


def scores_and_weights(labels, scores, weights, *, decimals: int = 3) -> np.ndarray:
    """Two panels of bars side by side: what went into the softmax and what came out."""
    left, right = panels(1, 2, height=0.7 + 0.34 * len(labels), width=5.6, sharey=True)
    bars(labels, scores, title="scores", decimals=decimals, color=WARM, ax=left)
    bars(labels, weights, title="weights", decimals=decimals, ax=right)
    left.margins(x=0.28 if min(scores) >= 0 else 0.5)  # a number left of its bar, and its name
    left.set_ylim(len(labels) - 0.5, -0.5)  # sharey, or the second inversion undoes the first
    return np.array([left, right])


def lines(
    x,
    curves: dict,
    *,
    xlabel: str,
    ylabel: str,
    title: str = "",
    markers: bool = True,
    logx: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Curves {name: values} over x, each with its own marker and dash, named at its right end."""
    x = as_array(x, "x", 1)
    axes: Axes = panels(height=3.2, width=ALONE) if ax is None else ax
    every = max(1, len(x) // 8)
    ends = {}
    with plt.rc_context(RC):
        for i, (name, values) in enumerate(curves.items()):
            y = as_array(values, name, 1)
            if len(y) != len(x):
                raise ValueError(f"{name!r} has {len(y)} values for {len(x)} places on the x axis.")
            k = i % len(SERIES)
            axes.plot(
                x,
                y,
                color=SERIES[k],
                ls=DASHES[k],
                lw=1.8,
                markevery=(i % every, every),
                marker=MARKERS[k] if markers else None,
                ms=5,
            )
            ends[name] = (y[-1], SERIES[k])
        if logx:
            axes.set_xscale("log")
        axes.set(xlabel=xlabel, ylabel=ylabel, title=title)
        axes.grid(axis="y")
        name_ends(axes, x[-1], ends)
    return axes


def name_ends(ax: Axes, x: float, ends: dict) -> None:
    """Write each name {name: (y, colour)} right of x at its curve's end, never one on another
    or on the axis."""
    bottom, top = ax.get_ylim()
    placed: Any = ax  # `panels` gave it a figure and a place in its grid
    inches = placed.get_figure().get_figheight() / placed.get_subplotspec().get_gridspec().nrows
    line = 0.19 / max(inches - 0.8, 0.5)  # a line of text is 0.19 inches of the axes' height
    order = sorted(ends, key=lambda name: ends[name][0])
    places = np.array([(ends[name][0] - bottom) / (top - bottom) for name in order])
    for i in list(range(1, len(places))) * 50:  # push neighbours apart until they fit
        short = max(0.0, line - (places[i] - places[i - 1]))
        places[i - 1 : i + 1] += [-short / 2, short / 2]
    for i in range(len(places)):  # and up from the axis below
        places[i] = max(places[i], (i + 0.5) * line)
    for name, y in zip(order, places, strict=True):
        ax.annotate(
            name,
            (x, bottom + y * (top - bottom)),
            (8, 0),
            textcoords="offset points",
            color=ends[name][1],
            va="center",
            annotation_clip=False,
        )

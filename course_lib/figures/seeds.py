"""What other seeds gave: a strip of dots under a table of training, and the place of one run."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lib.figures.results import benchmark_rows
from course_lib.figures.style import ACCENT, ALONE, INK, LINE, MUTED, RC, WARM, panels


def seed_values(page: str, measure: str) -> dict[str, list[float]]:
    """The runs of a page from ten seeds, as `benchmarks/seeds.py` measured them: {run: values}.

    Raises ValueError for a page or a measure that was not measured.
    """
    found: dict[str, list[float]] = {}
    for row in benchmark_rows("seeds"):
        if (row["page"], row["measure"]) == (page, measure):
            found.setdefault(row["run"], []).append(float(row["value"]))
    if not found:
        raise ValueError(f"seeds.csv has no {measure!r} of {page!r}: python -m benchmarks seeds.")
    return found


def seed_strip(
    seeds: Mapping[str, Sequence[float]],
    live: Mapping[str, float] | None = None,
    *,
    xlabel: str,
    decimals: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """A line for each run: a dot for each seed, a stroke at their median, a ring for `live`.

    Behind each line stand median, lowest and highest in numbers.

    Args:
        seeds: {run: a value for each seed}.
        live: {run: the value of the run on the page}; runs without one have no ring.

    Raises:
        ValueError: for no seeds, a value that is no number, or a live run without seeds.
    """
    import matplotlib.pyplot as plt

    live = dict(live or {})
    if unknown := live.keys() - seeds.keys():
        raise ValueError(f"there are no seeds of {', '.join(map(repr, sorted(unknown)))}.")
    for name, values in seeds.items():
        if not len(values) or not np.isfinite([*values, live.get(name, 0.0)]).all():
            raise ValueError(f"{name!r} needs at least one value, all finite, got {list(values)}.")
    axes: Axes = panels(height=0.75 + 0.34 * len(seeds), width=ALONE) if ax is None else ax
    with plt.rc_context(RC):
        for y, (name, values) in enumerate(seeds.items()):
            middle, low, high = np.median(values), min(values), max(values)
            axes.plot([low, high], [y, y], color=LINE, lw=2, zorder=1)
            axes.plot([middle, middle], [y - 0.28, y + 0.28], color=INK, lw=2, zorder=2)
            axes.plot(values, [y] * len(values), "o", color=ACCENT, ms=5, alpha=0.6, zorder=3)
            if name in live:
                axes.plot(live[name], y, "o", mfc="none", mec=WARM, mew=2, ms=11, zorder=4)
            numbers = f"{middle:.{decimals}f} ({low:.{decimals}f}–{high:.{decimals}f})"
            axes.annotate(
                numbers,
                (1, y),
                (8, 0),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                color=MUTED,
                va="center",
                annotation_clip=False,
            )
        axes.set_yticks(range(len(seeds)), list(seeds))
        axes.set_ylim(len(seeds) - 0.5, -0.5)
        axes.margins(x=0.06)
        axes.tick_params("y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(xlabel)
        axes.grid(axis="x")
    return axes


def seed_place(values: Sequence[float], live: float) -> str:
    """The place of a run among those of all seeds, counted from the lowest: "≈ 6 of 10".

    `live` is the run of one of these seeds. Another machine rounds differently and may train it to
    another value, so the place is a number after ≈.
    """
    below = sum(value < live - 1e-3 * abs(live) for value in values)
    return f"≈ {min(1 + below, len(values))} of {len(values)}"

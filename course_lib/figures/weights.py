"""Pictures of a matrix of weights. Rows are queries (targets), columns are keys (sources)."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_lib.figures.numbers import as_array, check_labels
from course_lib.figures.style import ACCENT, DASHES, HEAT, INK, MUTED, RC, WIDTH, panels

MAX_PRINTED = 13  # more columns than this, and the cells are too small for a number


def heatmap(
    weights,
    queries,
    keys,
    *,
    mask=None,
    title: str = "",
    query_label: str = "query / target",
    key_label: str = "key / source",
    decimals: int = 2,
    ax: Axes | None = None,
) -> Axes:
    """A matrix of weights (T, S): a row for each query, a column for each key.

    Each cell prints its weight while they fit; a larger matrix gets a colour bar instead. Beyond
    eight columns, weights that would print as zero are left out.
    mask: boolean (T, S), True = may attend; the cells that may not are hatched and left empty.
    Raises ValueError when labels or mask do not fit the weights.
    """
    import seaborn as sns

    weights = as_array(weights, "weights", 2)  # (T, S)
    T, S = weights.shape
    queries = check_labels("query labels", queries, T, weights.shape)
    keys = check_labels("key labels", keys, S, weights.shape)
    hidden = np.zeros((T, S), bool) if mask is None else ~as_array(mask, "mask", 2).astype(bool)
    if hidden.shape != weights.shape:
        raise ValueError(f"mask of shape {hidden.shape} does not fit weights {weights.shape}.")
    printed = max(T, S) <= MAX_PRINTED
    least = 0.5 * 10**-decimals if S > 8 else -np.inf
    low, high = min(0.0, weights.min()), max(1.0, weights.max())
    width = min(WIDTH, 1.9 + 0.72 * S) if printed else 5.5
    height = min(6.0, 1.2 + (0.42 if printed else 0.3) * T)
    axes: Axes = panels(width=width, height=height) if ax is None else ax
    with plt.rc_context(RC):
        sns.heatmap(
            weights,
            ax=axes,
            mask=hidden,
            cmap=HEAT,
            vmin=low,
            vmax=high,
            annot=printed,
            fmt=f".{decimals}f",
            cbar=not printed,
            linewidths=1.0 if printed else 0.0,
            linecolor="white",
            xticklabels=keys,
            yticklabels=queries,
        )
        if printed:
            shown = weights[~hidden]  # seaborn writes row by row, and skips what is masked
            for text, weight in zip(axes.texts, shown, strict=True):
                text.set_visible(abs(weight) >= least)
                text.set_color("white" if weight > low + 0.65 * (high - low) else INK)
        for t, s in np.argwhere(hidden):
            axes.add_patch(Rectangle((s, t), 1, 1, fill=False, hatch="////", ec=MUTED, lw=0))
        axes.tick_params(length=0, bottom=False, left=False)
        axes.tick_params("y", rotation=0)
        if max(map(len, keys)) * S > 60:
            plt.setp(axes.get_xticklabels(), rotation=55, ha="right", rotation_mode="anchor")
        else:
            axes.tick_params("x", rotation=0)
        axes.set(xlabel=key_label, ylabel=query_label, title=title)
    return axes


def alignment(weights, targets, sources, *, threshold: float = 0.05, ax=None) -> Axes:
    """Sources above, targets below, a line for each weight (T, S): the wider, the heavier.

    Weights below the threshold are not drawn; a target's largest weight is printed on its line.
    """
    weights = as_array(weights, "weights", 2)  # (T, S)
    T, S = weights.shape
    targets = check_labels("target words", targets, T, weights.shape)
    sources = check_labels("source words", sources, S, weights.shape)
    ax = panels(height=2.4) if ax is None else ax
    x_source = (np.arange(S) + 0.5) / S
    x_target = (np.arange(T) + 0.5) / T
    with plt.rc_context(RC):
        for t, s in np.argwhere(weights >= threshold):
            w, best = weights[t, s], s == weights[t].argmax()
            ax.plot(
                [x_target[t], x_source[s]],
                [0.12, 0.88],
                lw=0.5 + 6 * w,
                zorder=1 + best,
                color=ACCENT if best else MUTED,
                alpha=1.0 if best else 0.55,
                ls="-" if best else DASHES[1],
                solid_capstyle="round",
            )
            if best:
                ax.text(
                    0.7 * x_target[t] + 0.3 * x_source[s],
                    0.348,
                    f"{w:.2f}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    zorder=3,
                    bbox={"fc": "white", "ec": "none", "pad": 1.2},
                )
        for x, word in zip(x_source, sources, strict=True):
            ax.text(x, 0.95, word, ha="center", va="bottom")
        for x, word in zip(x_target, targets, strict=True):
            ax.text(x, 0.05, word, ha="center", va="top")
        ax.text(-0.02, 0.95, "key / source", ha="right", va="bottom", color=MUTED)
        ax.text(-0.02, 0.05, "query / target", ha="right", va="top", color=MUTED)
        ax.set(xlim=(-0.02, 1), ylim=(-0.08, 1.08))
        ax.axis("off")
    return ax

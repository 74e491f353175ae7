"""Maps of attention weights: one, every head of a model, and one that grows word by word."""

from course_lib.figures.moving import still_lines, svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import check_labels, plain


def _map(weights, rows, columns, name: str = "weights") -> tuple[list, list[str], list[str]]:
    """A map (T, S) and its labels, checked."""
    weights = plain(weights, name, 2, 3)
    shape = len(weights), len(weights[0])
    return (
        weights,
        check_labels("row labels", rows, shape[0], shape),
        check_labels("column labels", columns, shape[1], shape),
    )


def _height(rows: list[str]) -> int:
    """Pixels for a map with readable rows."""
    return 90 + max(20, min(34, 480 // len(rows))) * len(rows)


def heatmap_figure(
    weights, rows, columns, *, label: str = "Attention map", lines: bool = False
) -> Figure:
    """A map of weights (T, S); point at a cell or move with the arrow keys to read it.

    Rows are queries (targets), columns are keys (sources). With `lines` it shows both as sentences
    first, with lines between their words, and the matrix a tap away. Raises ValueError when the
    labels do not fit the weights.
    """
    weights, rows, columns = _map(weights, rows, columns)
    view = {"view": "lines"} if lines else {}
    label = f"{label}, {len(rows)} queries over {len(columns)} keys"
    height = _height(rows)
    text = [f"queries (rows): {' '.join(rows)}", f"keys (columns): {' '.join(columns)}"]
    heavy = [
        [f"{key} {weight:.2f}" for key, weight in zip(columns, row, strict=True) if weight >= 0.05]
        for row in weights
    ]
    read = [f"{name}: {', '.join(row)}" for name, row in zip(rows, heavy, strict=True)]
    return Figure(
        "heatmap",
        label,
        text,
        described="; ".join([*text, *read]),
        height=height,
        data={"weights": weights, "rows": rows, "columns": columns},
        state={"row": 0, "column": weights[0].index(max(weights[0])), **view},
        drawn=(still_lines.lines if lines else svg.heat)(weights, rows, columns, height=height),
        below=(150, 170) if lines else (100, 124),
    )


def heads_figure(weights, rows, columns) -> Figure:
    """Every head of every layer, (layers, H, T, S), in small; the chosen one large.

    The mean over the heads of a layer can be chosen too. Raises ValueError as `heatmap_figure`.
    """
    weights = plain(weights, "weights", 4, 3)
    _, rows, columns = _map(weights[0][0], rows, columns)
    layers, heads = len(weights), len(weights[0])
    label = f"{layers} layers of {heads} heads, {len(rows)} queries over {len(columns)} keys"
    height = layers * 86 + 12 + _height(rows)
    lines = [f"queries (rows): {' '.join(rows)}", f"keys (columns): {' '.join(columns)}"]
    return Figure(
        "heads",
        label,
        lines,
        height=height,
        data={"weights": weights, "heads": heads, "rows": rows, "columns": columns},
        state={"layer": 0, "head": 0, "row": 0, "column": 0},
        described="The first head. " + "; ".join(lines),
        drawn=svg.heat(weights[0][0], rows, columns, height=height),
        below=(100, 180),
    )


def causal_figure(words, weights) -> Figure:
    """Writing word by word with causal weights (T, T): which scores each step computes.

    With a cache, step n computes row n, which is n scores; without one it computes all rows so
    far, n (n + 1) / 2. Raises ValueError for weights that are not square or look ahead.
    """
    weights, words, _ = _map(weights, words, words)
    if any(weight for t, row in enumerate(weights) for weight in row[t + 1 :]):
        raise ValueError("causal weights are zero above the diagonal; these look ahead.")
    T = len(words)
    label = f"Writing {T} words under the causal mask"
    cached, anew = T * (T + 1) // 2, T * (T + 1) * (T + 2) // 6
    lines = [
        f"words: {' '.join(words)}",
        f"scores with a cache: {cached}, without: {anew}",
    ]
    height = _height(words) + 40
    return Figure(
        "causal",
        label,
        lines,
        height=height,
        data={"words": words, "weights": weights},
        state={"step": 0, "cached": True},
        drawn=svg.heat(weights, words, words, height=height),
        below=(138, 236),
    )

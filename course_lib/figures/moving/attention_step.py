"""One step of attention as it happens: query, scores, shares, values, mixture, a row of the map."""

from itertools import pairwise

import numpy as np

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, check_labels, plain
from course_lib.figures.style import ACCENT, LINE, MUTED, WARM
from course_lib.gate.softmax import softmax

# Pixels from the top, the same as in js/attention-step.js.
SCORE, POINTS, BASE, MIX, MAP, ROW, HIGH = 80, 106, 204, 296, 352, 24, 66
LEFT = 62  # for the names of rows
TINTS = 0.5, 1, 0.75  # of the words' values, so that one knows them again in the mixture


def attention_step_figure(looks, features, *, writes: bool = True) -> Figure:
    """A query goes past the words; scores become ten points, values are mixed, the map has a row.

    weights = softmax(scores), mixture = Σ weight · value, both computed here.

    Args:
        looks: (query, scores, values) for each query that is shown, one after the other.
            scores = {query: S numbers} has a row of the map for each query of that sentence,
            values = {word: F numbers, none below zero} has the S words that are read.
        features: the F names of a value's numbers.
        writes: whether a translator writes the query's word; else the mixture is its new vector.

    Raises:
        ValueError: for numbers that do not fit each other, for a query without scores, for values
            below zero, and for sentences whose maps differ in their number of rows.
    """
    held = [_computed(query, scores, values, features) for query, scores, values in looks]
    if len({len(look["rows"]) for look in held}) != 1:
        raise ValueError(
            "the figure needs one look at least, and maps with the same number of rows, got "
            f"{[len(look['rows']) for look in held]}."
        )
    label = "One step of attention: " + "; ".join(map(_title, held))
    lines = []
    for look in held:
        rows = ("score", "scores", 2), ("points", "points", 1)
        told = [f"{name} {_pairs(look['words'], look[of], n)}" for name, of, n in rows]
        mixed = f"mixture {_pairs(features, look['mixture'], 1)}"
        lines.append(f"{_title(look)}: {told[0]}; {told[1]}; {mixed}")
    height = MAP + ROW * len(held[0]["rows"]) + 4
    wide = svg.WIDE / len(held)
    drawn = (
        f'<g transform="translate({wide * i:.1f} 0)">{_still(look, features, wide - 20)}</g>'
        for i, look in enumerate(held)
    )
    return Figure(
        "attention-step",
        label,
        lines,
        described="; ".join(lines + _maps(held)),
        height=height,
        data={"looks": held, "features": list(features), "writes": writes},
        state={"event": 0},
        drawn="".join(drawn),
        below=(130, 180),
    )


def _computed(query: str, scores: dict, values: dict, features) -> dict:
    """The numbers of one look, rounded for the page after they are computed."""
    words, rows = list(values), list(scores)
    if query not in scores:
        raise ValueError(f"scores has no row for the query {query!r}, only for {rows}.")
    table = as_array(list(scores.values()), "scores", 2)
    V = as_array(list(values.values()), "values", 2)
    check_labels("words with values", words, table.shape[1], table.shape)
    check_labels("features", features, V.shape[1], V.shape)
    if (V < 0).any():
        raise ValueError("values must not be below zero: they are drawn as bars that are stacked.")
    weights, at = softmax(table), rows.index(query)
    parts = weights[at][:, None] * V  # (S, F)
    return {
        "query": query,
        "words": words,
        "rows": rows,
        "at": at,
        "scores": plain(table[at], "scores", 1, 2),
        "points": plain(10 * weights[at], "points", 1, 2),
        "weights": plain(weights, "weights", 2),
        "values": plain(V, "values", 2),
        "parts": plain(parts, "parts", 2),
        "mixture": plain(parts.sum(0), "mixture", 1),
        "most": float(V.max()) or 1.0,
    }


def _title(look: dict) -> str:
    return f"“{look['query']}” asks “{' '.join(look['words'])}”"


def _pairs(names, numbers, digits: int) -> str:
    pairs = zip(names, numbers, strict=True)
    return ", ".join(f"{name} {number:.{digits}f}" for name, number in pairs).replace("-", "−")


def _maps(held: list[dict]) -> list[str]:
    """Each map once, row by row, for those who do not see it."""
    maps = {(*look["words"],): look for look in held}
    return [
        f"the row of “{row}” in the map: {_pairs(look['words'], weights, 2)}"
        for look in maps.values()
        for row, weights in zip(look["rows"], look["weights"], strict=True)
    ]


def _still(look: dict, features, width: float) -> str:
    """The end of one look: everything at once, for paper and for pages without scripts."""
    each, F = (width - LEFT) / len(look["words"]), len(features)
    bar, scale = min(14.0, (each - 8) / (1.3 * F)), HIGH / look["most"]
    middle = {"anchor": "middle"}
    rows = {"score": SCORE, "points": POINTS, "value": BASE, "mixture": MIX, "map": MAP - 7}
    drawn = [svg.words(0, y, name, color=MUTED) for name, y in rows.items()]
    drawn.append(svg.words(0, 50, f"{look['query']} asks", color=WARM))
    for s, word in enumerate(look["words"]):
        x = LEFT + each * (s + 0.5)
        drawn += [
            svg.words(x, 24, word, **middle),
            svg.words(x, SCORE, f"{look['scores'][s]:.2f}".replace("-", "−"), **middle),
            svg.words(x, POINTS, f"{look['points'][s]:.1f}", **middle),
            svg.words(x, MAP - 7, word, **middle, color=MUTED),
        ]
        for f, value in enumerate(look["values"][s]):
            left = x + bar * (1.3 * (f - (F - 1) / 2) - 0.5)
            drawn.append(_bar(left, float(BASE), bar, value * scale, s))
    pitch = (width - LEFT - 50) / F
    for f, name in enumerate(features):
        x = LEFT + pitch * (f + 0.5)
        ends = (np.cumsum([0.0, *(part[f] for part in look["parts"])]) * scale).tolist()
        pieces = enumerate(pairwise(ends))
        drawn += [_bar(x - bar / 2, MIX - a, bar, b - a, s) for s, (a, b) in pieces]
        drawn.append(svg.words(x, MIX - ends[-1] - 4, f"{look['mixture'][f]:.1f}", **middle))
        drawn.append(svg.words(x, MIX + 14, name, **middle, color=MUTED))
    drawn.append(svg.words(width, MIX - 20, look["query"], anchor="end", color=WARM))
    for t, row in enumerate(look["rows"]):
        top = MAP + ROW * t
        drawn.append(svg.words(LEFT - 6, top + 16, row, anchor="end"))
        for s, weight in enumerate(look["weights"][t]):
            drawn.append(
                f'<rect class="attn-cell" x="{LEFT + each * s:.1f}" y="{top}" width="{each:.1f}" '
                f'height="{ROW}" fill="{ACCENT}" fill-opacity="{0.6 * weight:.2f}" '
                f'style="--w:{weight:.2f}" stroke="{LINE}"/>'
            )
            drawn.append(svg.words(LEFT + each * (s + 0.5), top + 16, f"{weight:.2f}", **middle))
    return "".join(drawn)


def _bar(x: float, base: float, width: float, height: float, s: int) -> str:
    """A piece of the value of word s."""
    tint = TINTS[s % len(TINTS)]
    return (
        f'<rect class="attn-bar attn-piece" style="--w:{tint}" fill-opacity="{tint}" '
        f'x="{x:.1f}" y="{base - height:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" fill="{ACCENT}"/>'
    )

"""Scores: four functions side by side, and what the size of the keys does to the weights."""

import math

import torch

from course_lib.attention.scores import (
    additive_scores,
    dot_scores,
    general_scores,
    scaled_dot_scores,
)
from course_lib.attention.softmax import softmax
from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import plain


def score_functions_figure(query, keys, W, W_a, U_a, v_a) -> Figure:
    """Weights of the same keys by dot, scaled, general and additive scores; move the query.

    query (2,), keys (S, 2), W (2, 2) for general; W_a, U_a (a, 2) and v_a (a,) for additive.
    Raises ValueError for vectors that do not lie in the plane.
    """
    shown = {
        name: plain(values, name, ndim)
        for name, values, ndim in [
            ("query", query, 1),
            ("keys", keys, 2),
            ("W", W, 2),
            ("W_a", W_a, 2),
            ("U_a", U_a, 2),
            ("v_a", v_a, 1),
        ]
    }
    if len(shown["query"]) != 2 or len(shown["keys"][0]) != 2:
        raise ValueError(
            "the figure is a plane: query and keys must have 2 numbers, "
            f"got {len(shown['query'])} and {len(shown['keys'][0])}."
        )
    q, k, general, w, u, v = (torch.tensor(x, dtype=torch.float64) for x in shown.values())
    scores = {
        "dot": dot_scores(q[None], k),
        "scaled": scaled_dot_scores(q[None], k),
        "general": general_scores(q[None], k, general),
        "additive": additive_scores(q[None] @ w.T, k @ u.T, v),
    }
    weights = {name: softmax(row[0]).tolist() for name, row in scores.items()}
    names = [f"key {i + 1}" for i in range(len(k))]
    lines = [
        f"{name}: {' '.join(f'{weight:.3f}' for weight in row)}" for name, row in weights.items()
    ]
    label = f"Four score functions over {len(k)} keys"
    height = 265 + 22 * len(k)
    panels = [
        svg.bars(names, row, x=330 * (i % 2), y=(height // 2) * (i // 2), width=310, title=name)
        for i, (name, row) in enumerate(weights.items())
    ]
    numbers = [abs(x) for point in [shown["query"], *shown["keys"]] for x in point]
    x, y = shown.pop("query")
    return Figure(
        "scores",
        label=label,
        height=height,
        data={**shown, "reach": max(2, math.ceil(max(numbers) + 0.5))},
        state={"x": x, "y": y},
        still=svg.picture(height, label, "; ".join(lines), *panels),
        text="\n".join([label, f"query ({x:g}, {y:g})", *lines]),
        below=(136, 200),
    )


def scaling_figure(scores: dict) -> Figure:
    """How spread the weights are by the size of the keys, with and without the 1/√d_k.

    scores: {d_k: unscaled scores (rows, keys)}, in rising order. Shows the mean over the rows of
    the heaviest weight, of the second heaviest, and so on.
    """
    spread = {"unscaled": [], "scaled": []}
    for d_k, rows in scores.items():
        for kind, scale in [("unscaled", 1.0), ("scaled", d_k**-0.5)]:
            spread[kind].append(softmax(torch.as_tensor(rows).double() * scale))
    held = {
        kind: {
            "weights": [
                plain(w.sort(-1, descending=True).values.mean(0), "weights", 1) for w in maps
            ],
            "entropies": [round(-torch.special.xlogy(w, w).sum(-1).mean().item(), 4) for w in maps],
        }
        for kind, maps in spread.items()
    }
    sizes = list(scores)
    middle = len(sizes) // 2
    plain_at, scaled_at = (held[kind]["weights"] for kind in ("unscaled", "scaled"))
    label = f"Weights of {len(plain_at[0])} random keys by the size of a key"
    lines = [
        f"d_k = {d_k}: heaviest weight {one[0]:.2f} unscaled, {two[0]:.2f} scaled"
        for d_k, one, two in zip(sizes, plain_at, scaled_at, strict=True)
    ]
    height = 56 + 22 * len(plain_at[0])
    places = [f"{i + 1}." for i in range(len(plain_at[0]))]
    sides = zip(("unscaled", "scaled"), (plain_at, scaled_at), (0, 330), strict=True)
    return Figure(
        "scaling",
        label=label,
        height=height,
        data={"sizes": sizes, **held},
        state={"at": middle},
        still=svg.picture(
            height,
            label,
            "; ".join(lines),
            *(
                svg.bars(
                    places,
                    rows[middle],
                    x=x,
                    width=310,
                    row=22,
                    most=1.0,
                    digits=2,
                    title=f"{kind}, d_k = {sizes[middle]}",
                )
                for kind, rows, x in sides
            ),
        ),
        text="\n".join([label, *lines]),
        below=(100, 162),
    )

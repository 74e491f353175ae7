"""Scores: four functions side by side, and what the size of the keys does to the weights."""

import math

import torch

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import plain
from course_lib.gate.scores import additive_scores, dot_scores, general_scores, scaled_dot_scores
from course_lib.gate.softmax import softmax


def score_functions_figure(query, keys, W, W_a, U_a, v_a) -> Figure:
    """Weights of the same keys by dot, scaled, general and additive scores; move the query.

    query (2,), keys (S, 2), W (2, 2) for general; W_a, U_a (a, 2) and v_a (a,) for additive.
    Raises ValueError for vectors that do not lie in the plane.
    """
    given = {"query": query, "keys": keys, "W": W, "W_a": W_a, "U_a": U_a, "v_a": v_a}
    vectors = ("query", "v_a")
    shown = {name: plain(x, name, 1 if name in vectors else 2) for name, x in given.items()}
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
    x, y = shown["query"]
    lines = [f"query ({x:g}, {y:g})"]
    lines += [
        f"{name}: {' '.join(f'{weight:.3f}' for weight in row)}" for name, row in weights.items()
    ]
    label = f"Four score functions over {len(k)} keys"
    height = 265 + 22 * len(k)
    panels = [
        svg.bars(names, row, x=330 * (i % 2), y=(height // 2) * (i // 2), width=310, title=name)
        for i, (name, row) in enumerate(weights.items())
    ]
    numbers = [abs(number) for point in [shown.pop("query"), *shown["keys"]] for number in point]
    return Figure(
        "scores",
        label,
        lines,
        height=height,
        data={**shown, "reach": max(2, math.ceil(max(numbers) + 0.5))},
        state={"x": x, "y": y},
        drawn="".join(panels),
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
    look = {"width": 310, "row": 22, "most": 1.0, "digits": 2}
    titles = [f"{kind}, d_k = {sizes[middle]}" for kind in held]
    return Figure(
        "scaling",
        label,
        lines,
        height=height,
        data={"sizes": sizes, **held},
        state={"at": middle},
        drawn=(
            svg.bars(places, plain_at[middle], title=titles[0], **look)
            + svg.bars(places, scaled_at[middle], x=330, title=titles[1], **look)
        ),
        below=(100, 162),
    )

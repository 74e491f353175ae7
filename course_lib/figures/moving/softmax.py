"""Softmax: scores that can be dragged, at a temperature."""

import math

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, check_labels, plain
from course_lib.gate.softmax import softmax


def softmax_figure(words, scores, temperature: float = 1.0) -> Figure:
    """Scores (n,) above a temperature; drag a score, or press its arrow keys.

    Raises ValueError when words and scores do not fit, or for a temperature outside 0.01 … 100.
    """
    if not 0.01 <= temperature <= 100:
        raise ValueError(f"temperature must lie between 0.01 and 100, got {temperature}.")
    scores = as_array(scores, "scores", 1)
    words = check_labels("words", words, len(scores), scores.shape)
    shown = plain(scores, "scores", 1, 1)
    weights = softmax(scores / temperature)
    lines = [
        f"{word}: score {score:.1f}, weight {weight:.3f}"
        for word, score, weight in zip(words, shown, weights, strict=True)
    ]
    label = f"Softmax of {len(words)} scores at temperature {temperature:g}"
    height = 34 + 36 * len(words)
    return Figure(
        "softmax",
        label,
        lines,
        height=height,
        data={
            "words": words,
            "lowest": min(-4.0, math.floor(min(shown))),
            "highest": max(4.0, math.ceil(max(shown))),
        },
        state={"scores": shown, "temperature": float(temperature)},
        drawn=(
            svg.bars(words, shown, width=300, row=34, title="score", digits=1)
            + svg.bars(words, weights.tolist(), x=330, width=310, row=34, title="weight", most=1.0)
        ),
        below=(100, 162),
    )

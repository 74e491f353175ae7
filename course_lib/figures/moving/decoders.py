"""Attention between two recurrent networks: one additive coordinate, and the two orders."""

import numpy as np

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, check_labels, plain
from course_lib.gate.softmax import softmax


def additive_coordinate_figure(words, keys, u, v=2.0, *, moved=0) -> Figure:
    """One coordinate, tanh(a + uᵀ h_j), for words in the plane; move what the state adds, a.

    keys (S, 2), u (2,). The weights are the softmax of v times the answers; the tanh can be left
    out. `moved` is the index of the word that the reader can drag.
    Raises ValueError for keys that do not lie in the plane, for u = 0, and for labels that do not
    fit.
    """
    held, u = as_array(keys, "keys", 2), as_array(u, "u", 1)
    if held.shape[1] != 2 or len(u) != 2:
        raise ValueError(
            f"the figure is a plane: keys and u must have 2 numbers, got {held.shape[1]} and "
            f"{len(u)}."
        )
    if not u.any():
        raise ValueError("u must not be zero: the question would be the same for every word.")
    words = check_labels("words", words, len(held), held.shape)
    answers = np.tanh(held @ u)
    weights = softmax(v * answers)
    label = f"One coordinate of additive attention over {len(words)} words"
    lines = ["the state adds 0"]
    lines += [
        f"{word}: answer {answer:.2f}, weight {weight:.2f}".replace("-", "−")
        for word, answer, weight in zip(words, answers, weights, strict=True)
    ]
    height = 272 + 24 * len(words)
    return Figure(
        "coordinate",
        label,
        lines,
        height=height,
        data={
            "words": words,
            "keys": plain(held, "keys", 2),
            "u": plain(u, "u", 1),
            "v": float(v),
            "moved": moved,
            "reach": max(2, int(np.ceil(np.abs(held).max() + 0.5))),
        },
        state={"a": 0.0, "x": float(held[moved, 0]), "y": float(held[moved, 1]), "bend": True},
        drawn=(
            svg.bars(words, answers.tolist(), width=310, digits=2, title="answer: tanh")
            + svg.bars(words, weights.tolist(), x=330, width=310, digits=2, title="weight")
        ),
        below=(172, 236),
    )


def decoder_orders_figure(source, target, weights) -> Figure:
    """Bahdanau's and Luong's decoder, event by event: look, then step; or step, then look.

    weights (T, S): the same rows for both, so that nothing but the order differs.
    Raises ValueError for labels that do not fit the weights.
    """
    A = as_array(weights, "weights", 2)
    target = check_labels("target words", target, len(A), A.shape)
    source = check_labels("source words", source, A.shape[1], A.shape)
    label = f"Two decoders write “{' '.join(target)}”"
    lines = [
        "Bahdanau, word 2: the state of step 1 looks, then the step is made with the context",
        "Luong, word 2: the step is made, then its new state looks",
    ]
    height = 262
    return Figure(
        "orders",
        label,
        lines,
        height=height,
        data={"source": source, "target": target, "weights": plain(A, "weights", 2)},
        state={"event": 0},
        drawn=(
            svg.words(0, 20, lines[0])
            + svg.words(0, 44, lines[1])
            + svg.heat(A.tolist(), target, source, y=60, width=400, height=height - 70)
        ),
        below=(120, 200),
    )

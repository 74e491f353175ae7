"""Online softmax: a row of scores read once, block by block."""

import math

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, plain
from course_lib.gate.softmax import online_softmax


def online_softmax_figure(scores, block_sizes=(2, 1, 3)) -> Figure:
    """Scores (n,) in blocks: the running maximum m, the running sum l, and what mends it.

    l′ = l · e^(m − m′) + Σ e^(s − m′) over the block. The numbers are those that `online_softmax`
    returns. Milakov & Gimelshein (2018).
    """
    scores = as_array(scores, "scores", 1)
    runs = []
    found = [online_softmax(scores, block_size=size, return_running=True) for size in block_sizes]
    weights = found[-1][0]  # whatever the size
    for _, maxima, sums in found:
        before = [-math.inf, *maxima.tolist()[:-1]]
        factors = [math.exp(old - new) for old, new in zip(before, maxima.tolist(), strict=True)]
        kept = [old * f for old, f in zip([0.0, *sums.tolist()[:-1]], factors, strict=True)]
        added = [new - k for new, k in zip(sums.tolist(), kept, strict=True)]
        rows = {"maxima": maxima, "sums": sums, "factors": factors, "added": added}
        runs.append({name: plain(values, name, 1) for name, values in rows.items()})
    label = f"Online softmax of {len(scores)} scores"
    lines = [f"scores: {' '.join(f'{score:.1f}' for score in scores)}"]
    for size, run in zip(block_sizes, runs, strict=True):
        pairs = zip(run["maxima"], run["sums"], strict=True)
        lines.append(
            f"blocks of {size}: {'; '.join(f'm {top:.1f} l {sum_:.3f}' for top, sum_ in pairs)}"
        )
    names = [f"score {i + 1}" for i in range(len(scores))]
    return Figure(
        "online",
        label,
        lines,
        height=300,
        data={
            "scores": plain(scores, "scores", 1, 2),
            "weights": plain(weights, "weights", 1),
            "sizes": list(block_sizes),
            "runs": runs,
        },
        state={"size": 0, "step": 0},
        drawn=(
            svg.bars(names, scores.tolist(), width=300, title="scores", digits=1)
            + svg.bars(names, weights.tolist(), x=330, width=310, title="weights")
        ),
        below=(100, 165),
    )

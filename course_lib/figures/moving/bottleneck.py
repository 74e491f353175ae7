"""The bottleneck filling: what can still be read off a state of fixed size, word by word."""

import numpy as np

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, check_labels, plain

ROW = 19  # pixels of a word's row


def bottleneck_figure(words, readable, chance, *, size) -> Figure:
    """A sentence grows word by word, and for each word of it a bar says how much the state holds.

    Args:
        words: the n words of an example, the labels of the rows.
        readable: {name of the network: shares (n, n)}. Row t is measured on the state after word
            t + 1; its column i is the share of sentences in which word i + 1 can be read off that
            state. What lies right of the diagonal, words not yet read, is not looked at.
        chance: (n,), the share that guesses the most frequent word of each place.
        size: how many numbers the state has.

    Raises:
        ValueError: when the sizes do not fit, or a share lies outside 0 … 1.
    """
    chance = as_array(chance, "chance", 1)
    n = len(chance)
    words = check_labels("words", words, n, chance.shape)
    if not readable:
        raise ValueError("readable is empty; give the shares (n, n) of at least one network.")
    shares = {}
    for name, values in readable.items():
        table = np.tril(as_array(values, name, 2))
        if table.shape != (n, n):
            raise ValueError(f"{name} has the shape {table.shape}; {n} words need ({n}, {n}).")
        shares[name] = table
    for name, table in {"chance": chance, **shares}.items():
        if not ((table >= 0) & (table <= 1)).all():
            raise ValueError(f"{name} must be shares between 0 and 1.")
    names, last = list(shares), list(shares)[-1]
    label = f"What a state of {size} numbers holds of a sentence of {n} words"
    lines = []
    for name, table in shares.items():
        held = (f"{word} {share:.2f}" for word, share in zip(words, table[-1], strict=True))
        lines.append(f"{name}, after {n} words: {', '.join(held)}")
    height = 34 + ROW * n
    return Figure(
        "bottleneck",
        label,
        lines,
        height=height,
        data={
            "words": words,
            "names": names,
            "shares": [plain(shares[name], name, 2, 2) for name in names],
            "chance": plain(chance, "chance", 1, 2),
            "size": int(size),
        },
        state={"step": 0, "network": 0},
        drawn=svg.bars(words, shares[last][-1].tolist(), row=ROW, title=last, most=1.0, digits=2),
        below=(150, 285),
    )

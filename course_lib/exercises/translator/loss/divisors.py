"""What becomes of the sum of the words' losses, where that is right and the loss is not."""

from collections.abc import Iterator
from typing import Any

import numpy as np

SUM = "The sum of the words' losses is right, and you {0}. Divide it by the number of words."
SMOOTHED = (
    "A share of your loss is the mean surprise of all V words, as with `label_smoothing`, and the "
    "rest is right. The true word alone is asked for: leave that share out."
)


def divided(
    share: float, words: int, batch: int, places: int, vocabulary: int, room: float = 1e-7
) -> Iterator[tuple[str, str]]:
    """(key, sentence) of what a sum is divided by that is `share` times the mean over `words`."""
    told = {
        "return it as it is": 1,
        "divide it by the number of sentences": batch,
        "divide it by the T places of one sentence": places,
        "divide it by all B·T places": batch * places,
        "divide it by the number of words times that of the vocabulary": words * vocabulary,
        "multiply its mean by the number of sentences": words / batch,
    }
    divisor = words / share
    for what, number in told.items():
        if number != words and np.isclose(divisor, number, rtol=room, atol=0):
            yield what, SUM.format(what)
    whole = round(divisor)
    if whole not in (0, words) and np.isclose(divisor, whole, rtol=room, atol=0):
        yield "whole", SUM.format("divide it by another number")


def of_losses(pair: Any) -> Iterator[tuple[str, str]]:
    """(key, sentence) of what relates a wrong loss to the right one."""
    if pair.arrays is None or any(one.shape != () for one in pair.arrays):
        return
    want, have = map(float, pair.arrays)
    if not np.isfinite((want, have)).all() or 0 in (want, have):
        return
    logits, labels = pair.given["logits"].astype(np.float64), pair.given["labels"]
    counted = labels != pair.given["pad_id"]
    room = 1e-7 if pair.given["logits"].dtype == np.float64 else 1e-4
    yield from divided(have / want, int(counted.sum()), *logits.shape, room)
    surprise = np.logaddexp.reduce(logits, axis=-1) - logits.mean(-1)
    gap = surprise[counted].mean() - want
    share = (have - want) / gap if abs(gap) > 1e-3 else 0.0
    if 0.001 < share < 0.999:
        yield f"smoothed {share:.3g}", SMOOTHED

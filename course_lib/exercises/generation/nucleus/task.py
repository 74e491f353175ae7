"""The reference, the cases and the hints of `top_p`."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import single


def top_p(probabilities, p):
    """Rank the words, add up from the top, and stop when p is reached. Whether a word is kept
    depends on the sum *before* it: while that is below p the word is needed, so the one that
    crosses is in. Keep the order of the ranking to send what is left back to its places, and divide
    by its sum.

    Cost: A sort of each row, O(V log V)."""
    order = probabilities.argsort(dim=-1, descending=True, stable=True)  # ties to the left
    ranked = probabilities.gather(-1, order)
    before = ranked.cumsum(-1) - ranked  # the sum of all that are likelier
    kept = torch.zeros_like(probabilities).scatter(-1, order, ranked * (before < p))
    return kept / kept.sum(-1, keepdim=True)


def apart(s: Sampler, batch: int | None = None, low: float = 0.1, high: float = 0.95) -> Inputs:
    """p keeps away from every sum, so that rounding cannot decide which word crosses it; where it
    can, it needs more words of one row than of another."""
    rows, words = s.dims(2, low=3)
    probabilities = s.weights(batch or rows, words)
    sums = np.sort(probabilities, axis=-1)[:, ::-1].cumsum(-1)
    candidates = s.rng.uniform(low, high, 50)
    room = np.abs(sums[..., None] - candidates).min((0, 1))
    before = (sums[..., None] < candidates).sum(1)  # words before the one that crosses
    best = np.lexsort((room, np.ptp(before, axis=0) > 0))[-1]
    return Inputs((probabilities, round(float(candidates[best]), 6)))


def sixteenths(s: Sampler) -> np.ndarray:
    """Rows of sixteenths, none of them zero: their sums are exact, and many are equal."""
    rows, words = s.dims(2, low=4)
    counts = 1 + s.rng.multinomial(16 - words, np.ones(words) / words, size=rows)
    return (counts / 16).astype(s.dtype)


case = Cases()
case.example((single([[0.4, 0.1, 0.3, 0.2]]), 0.6), dtype="float32")
case("one row", lambda s: apart(s, batch=1))
case("several rows, each with its own set", apart)


@case("equal words: ties to the left")
def ties(s):
    rows, words = s.dims(2, low=4)
    words = 4 if words < 6 else 8
    return np.full((rows, words), 1 / words, s.dtype), s.turn(0.4, 0.55, 0.7)


case(
    "128 equal words, still to the left",
    lambda s: (np.full((s.size, 128), 1 / 128, s.dtype), s.turn(0.4, 0.55, 0.7, 0.03, 0.9)),
)


@case("a sum that is exactly p")
def exactly_p(s):
    probabilities = sixteenths(s)
    sums = np.sort(probabilities[0])[::-1].cumsum()
    return probabilities, float(sums[s.rng.integers(len(sums) - 1)])


@case("a sum that is just below p")
def just_below_p(s):
    """Half of each row is one word; p is 0.0004 above."""
    _, words = s.dims(2, low=4)
    rest = 0.5 * s.weights(1, words - 1)
    return np.concatenate([np.full((1, 1), 0.5), rest], -1).astype(s.dtype), 0.5004


@case.hidden("p = 1 keeps every word")
def all_kept(s):
    """In one trial of three with a word that is impossible."""
    probabilities = sixteenths(s)
    return np.insert(probabilities, [1] * (s.size == 2), 0, axis=-1), 1.0


case.hidden("a small p keeps one word", lambda s: apart(s, low=0.01, high=0.05))
case.hidden("a large p", lambda s: apart(s, low=0.8, high=0.98))

HINTS = (
    "Sort a row by hand, the likeliest word first, and write the running sum below it. Which "
    "words do you need to reach p?",
    "`torch.sort(…, descending=True, stable=True)` gives the ranking and where each word came "
    "from; `cumsum` gives the running sum. A word is kept if the sum *before* it is below p.",
    "`ranked, order = probabilities.sort(dim=-1, descending=True, stable=True)`; kept: "
    "`ranked.cumsum(-1) - ranked < p`. Put `ranked * kept` back into zeros with `.scatter(-1, "
    "order, …)` and divide each row by its sum.",
)

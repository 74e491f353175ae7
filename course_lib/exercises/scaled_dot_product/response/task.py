"""The reference, the cases and the hints of `response`."""

import math

import torch

from course_lib.checker.tasks import Cases, Sampler
from course_lib.exercises.common import single

WITHIN = 0.02  # the curve bends a little on the way from the score to the score and 0.01


def response(query, key, divisor):
    """Do what training does: change a score by very little and look at what its weight does. Each
    query's largest score is raised by 0.01, the softmax is computed again, and the change of the
    weight, divided by 0.01, is the slope that a gradient would find. A query that has decided for
    one key answers with nothing, so the mean says how many queries can still be taught.

    Cost: Two softmaxes over T·S scores; no gradient is needed to measure one."""
    scores = query @ key.transpose(-2, -1) / divisor  # (T, S)
    best = scores.argmax(-1, keepdim=True)
    nudged = scores.scatter_add(-1, best, torch.full_like(scores, 0.01))
    before = torch.softmax(scores, dim=-1).gather(-1, best)
    after = torch.softmax(nudged, dim=-1).gather(-1, best)
    return ((after - before) / 0.01).mean().item()


def draw(s: Sampler, d: int = 5, root: float = 0.5, n_queries: int | None = None) -> tuple:
    """Random queries and keys of width d, and the divisor d to the power of `root`."""
    lengths = s.dims(2, low=3)
    n_queries = n_queries or lengths[0]
    return s.floats(n_queries, d), s.floats(lengths[1], d), float(d**root)


case = Cases(dtypes=("float64",), within=WITHIN, atol=1e-4)
NINE = single([[math.log(9)]]), single([[1], [0]])
case.example((*NINE, 2), (*NINE, 1), dtype="float32")
case("a few numbers in each vector", draw)
case("the same, not divided", lambda s: draw(s, root=0.0))
case("64 numbers, divided by their root", lambda s: draw(s, 64))
case.hidden("a single query", lambda s: draw(s, n_queries=1))
case.hidden("64 numbers, not divided", lambda s: draw(s, 64, root=0.0))


@case.hidden("one query whose scores are in the thousands")
def thousands(s):
    """It has decided for one key, and adds nothing."""
    query, key, divisor = draw(s)
    query[0] *= 1e4
    return query, key, divisor


WITHOUT = {
    "queries: all zeros": "Of equal scores none is the largest: which of them moves is not said, "
    "and a gradient moves each of them by its share.",
}

HINTS = (
    "Two softmaxes: one of the scores as they are, one of scores in which each row's largest is "
    "0.01 higher. Compare the weight at that place.",
    "`best = scores.argmax(-1, keepdim=True)` names the places; `weights.gather(-1, best)` reads "
    "there, and `F.one_hot(best.squeeze(-1), scores.shape[-1])` has a 1 there.",
    "`nudged = scores + 0.01 * one_hot`; then the mean of (after − before) / 0.01, as a number: "
    "`.item()`.",
)

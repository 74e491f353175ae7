"""Totals that a loop does not set back: each holds all that came before it."""

from collections.abc import Iterator

import numpy as np

from course_lib.checker.compare.pair import Pair, Relation, near, nth

RUNNING = (
    "Along the {0} yours are running totals of what is right: each holds all those before it. "
    "Perhaps a total is not set back to 0 where a round of the loop begins, or `cumsum` stands "
    "there."
)


def of_totals(pair: Pair) -> Iterator[Relation]:
    """(key, sentence) of each axis along which the right numbers were added up on the way."""
    if pair.arrays is None:
        return
    want, have = pair.arrays
    if want.shape != have.shape or want.dtype.kind != "f" or have.dtype.kind != "f":
        return
    for k in range(want.ndim):
        more = want.shape[k] > 1 and np.take(want, range(1, want.shape[k]), k).any(k).all()
        if more and near(want.cumsum(k), have):
            yield f"running {k}", RUNNING.format(nth(k, want.ndim))

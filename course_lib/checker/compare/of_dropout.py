"""Numbers that are 0 or too large by one factor, as a dropout makes them."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from course_lib.checker.compare.enough import FEWEST
from course_lib.checker.run.inputs import Array, Observation

DROPPED = (
    "Each number {0} is the right one times {1:.4g}, or 0, as a dropout makes them. Leave it out; "
    "where one is allowed, `F.dropout` needs `training=self.training`."
)


def dropped(trials: Sequence[Any], seen: Sequence[Observation], wrong: Sequence[int]) -> str | None:
    """The sentence for one factor above 1 in a part of all results, where some number is 0 that
    should not be."""
    parts = trials[0].task.returns
    asked = [i for i, one in enumerate(trials) if i in wrong or not one.expected.error]
    asked = [i for i in asked if trials[i].inputs.examiner is None]
    for k, name in enumerate(parts or ("",)):
        pairs = [_pair(trials[i].expected, seen[i], k if parts else None) for i in asked]
        if None in pairs:
            continue
        factors = [factor for pair in pairs if pair for factor in _factors(*pair)]
        kept = [one for one in factors if one]
        if len(kept) < FEWEST or len(kept) == len(factors):
            continue
        if min(kept) > 1.01 and max(kept) - min(kept) < 1e-3 * max(kept):
            return DROPPED.format(f"of `{name}`" if name else "of yours", kept[0])
    return None


def _pair(
    want: Observation, have: Observation, k: int | None
) -> tuple[np.ndarray, np.ndarray] | None:
    """One part of what is right and of what came, as arrays of one shape."""
    if want.error or have.error:
        return None
    both = [want.value, have.value]
    if k is not None:
        if not all(isinstance(one, tuple) and len(one) > k for one in both):
            return None
        both = [one[k] for one in both]
    if not all(isinstance(one, Array) and one.data.dtype.kind == "f" for one in both):
        return None
    right, came = (one.data for one in both)
    fits = right.shape == came.shape and np.isfinite(came).all()
    return (right.astype(float), came.astype(float)) if fits else None


def _factors(want: np.ndarray, have: np.ndarray) -> Iterator[float]:
    """Of each number that is not 0; of another in the place of a 0, one that is below all."""
    there = want != 0
    with np.errstate(all="ignore"):  # of the smallest numbers there are
        factors = have[there] / want[there]
    yield from factors.tolist()
    yield from (-1.0 for one in have[~there].tolist() if one)

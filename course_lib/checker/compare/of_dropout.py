"""Numbers that are 0 or too large by one factor, as a dropout makes them."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from course_lib.checker.compare.enough import FEWEST
from course_lib.checker.compare.pair import near
from course_lib.checker.run.inputs import Array, Observation

DROPPED = (
    "Each number {0} is the right one times {1:.4g}, or 0, as a dropout makes them. Leave it out; "
    "where one is allowed, `F.dropout` needs `training=self.training`."
)


def dropped(trials: Sequence[Any], seen: Sequence[Observation], wrong: Sequence[int]) -> str | None:
    """The sentence for one factor above 1 in a part of all wrong results, where some number is 0
    that should not be."""
    parts = trials[0].task.returns
    wrong = [i for i in wrong if trials[i].inputs.examiner is None]
    for k, name in enumerate(parts or ("",)):
        pairs = [_pair(trials[i].expected, seen[i], k if parts else None) for i in wrong]
        factors = [factor for pair in pairs for factor in _factors(pair)]
        kept = [one for one in factors if one]
        if None in pairs or len(kept) < FEWEST or len(kept) == len(factors):
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
    return (right, came) if right.shape == came.shape else None


def _factors(pair: tuple[np.ndarray, np.ndarray] | None) -> Iterator[float]:
    if pair is None or not np.isfinite(pair[1]).all() or near(*pair):
        return
    want, have = (one.astype(float) for one in pair)
    yield from np.where(want != 0, have / np.where(want != 0, want, 1), have + 2)[
        (want != 0) | (have != 0)
    ].tolist()

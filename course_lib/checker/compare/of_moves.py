"""Right numbers at wrong places along an axis: backwards, one place on, one for all."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.checker.compare.pair import Relation, near, nth

ENDS = (("first", 0), ("last", -1))


def of_moves(want: np.ndarray, have: np.ndarray) -> Iterator[Relation]:
    """Reversed or shifted along an axis; one member for all."""
    for k in range(want.ndim):
        if want.shape != have.shape or want.shape[k] < 2:
            continue
        place = nth(k, want.ndim)
        ones = {f"what belongs to the {end}": want.take([i], k) for end, i in ENDS}
        if want.dtype.kind == "f":
            ones["the mean of what is right there"] = want.mean(k, keepdims=True)
        alike = [
            (which, near(np.broadcast_to(one, want.shape).astype(have.dtype), have))
            for which, one in ones.items()
        ]
        if which := next((which for which, is_so in alike if is_so), None):
            yield (
                f"{which} for all {k}",
                f"Along the {place} all of your result is alike: {which}. Each needs its own.",
            )
        elif _varied(have) and near(np.flip(want, k), have):
            yield f"flipped {k}", f"Along the {place} your result runs backwards."
        elif want.shape[k] > 2:
            for shift, words in ((1, "too late"), (-1, "too early")):
                kept = (slice(None),) * k + (np.s_[1:] if shift > 0 else np.s_[:-1],)
                moved = np.roll(want, shift, k)[kept]
                if _varied(moved) and near(moved, have[kept]):
                    yield (
                        f"shift {k} {shift}",
                        f"Along the {place} everything stands one place {words}: off by one.",
                    )


def _varied(x: Any) -> bool:
    return x.size > 2 and bool((x != x.flat[0]).any())

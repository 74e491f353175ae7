"""The slopes of a wrong bias, where each head's is one number times the distance."""

from collections.abc import Iterator
from typing import Any

import numpy as np

OTHER = (
    "Each head takes off one number times the distance, as is needed, and these numbers, the "
    "slopes, are others than 2^(-8h/H) with h = 1, …, H{0}."
)


def slopes(pair: Any) -> Iterator[tuple[str, str]]:
    """(key, sentence) where the slopes alone are wrong."""
    if pair.arrays is None or pair.arrays[0].shape != pair.arrays[1].shape:
        return
    (want, have), (heads, queries, keys) = pair.arrays, pair.trial.inputs.args
    back = np.arange(queries)[:, None] + keys - queries - np.arange(keys)
    back = back.clip(min=0).astype(float)
    if not (back.any() and np.isfinite(have).all()):
        return
    own, right = (-(x * back).sum((-1, -2)) / (back * back).sum() for x in (have, want))
    if own.any() and np.allclose(have, -own[:, None, None] * back, rtol=1e-4, atol=1e-6):
        few = slice(None) if heads <= 4 else slice(4)
        more = "" if heads <= 4 else ", …"
        told = f": for {heads} heads yours are {_listed(own[few])}{more}, and right are "
        yield "slopes", OTHER.format("" if pair.hidden else f"{told}{_listed(right[few])}{more}")


def _listed(numbers: np.ndarray) -> str:
    return ", ".join(f"{n:.3g}" for n in numbers)

"""Random inputs for a case, from a seed: ragged sizes and non-integer floats."""

from typing import Any

import numpy as np


class Sampler:
    """Draws what one trial needs. The same (seed, size, dtype) draws the same inputs.

    `size` grows from 1; `dtype` ("float64" or "float32") is the dtype of every floating array.
    """

    def __init__(self, seed: int, size: int, dtype: str) -> None:
        self.rng = np.random.default_rng(seed)
        self.size = size
        self.dtype = np.dtype(dtype)

    def dims(self, count: int, low: int = 2) -> tuple[int, ...]:
        """`count` different lengths ≥ `low`: no two axes can be mistaken for each other."""
        return tuple(int(n) for n in low + self.rng.permutation(count + self.size)[:count])

    def floats(self, *shape: int, scale: float = 1.0) -> np.ndarray:
        """Normal floats with standard deviation `scale`."""
        return (scale * self.rng.standard_normal(shape)).astype(self.dtype)

    def weights(self, *shape: int) -> np.ndarray:
        """Positive floats whose last axis sums to one."""
        draw = self.rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        return draw.astype(self.dtype)

    def turn(self, *choices: Any) -> Any:
        """Each choice in turn over the sizes 1, 2, 4 and the dtypes: six trials see up to six."""
        return choices[(self.size // 2 * 2 + (self.dtype.itemsize == 4)) % len(choices)]

    def integers(self, low: int, high: int, *shape: int) -> np.ndarray:
        """int64 in [low, high)."""
        return self.rng.integers(low, high, size=shape, dtype=np.int64)

    def mask(self, *shape: int, keep: float = 0.6) -> np.ndarray:
        """A boolean mask, True = may attend, with at least one True and one False in each row
        (one True where a row has a single place)."""
        mask = self.rng.random(shape) < keep
        order = np.argsort(self.rng.random(shape), axis=-1)
        if shape[-1] > 1:
            np.put_along_axis(mask, order[..., :1], False, axis=-1)
        np.put_along_axis(mask, order[..., -1:], True, axis=-1)
        return mask

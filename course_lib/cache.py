"""The keys and values of the words already read, so that each new word costs one row."""

import torch
from torch import Tensor


class KeyValueCache:
    """Keys and values of past positions, kept in buffers that grow in place.

    A new position is written behind the last one; when the buffer is full, a new one of twice
    the length replaces it. Appending n positions one by one therefore copies O(n), not O(n²).
    Positions that carry gradients are joined by copying instead, as autograd must keep each
    earlier view. Shapes (..., length, d), as `MultiHeadAttention` makes them.
    """

    def __init__(self) -> None:
        self.length = 0
        self._keys: Tensor | None = None
        self._values: Tensor | None = None

    def __len__(self) -> int:
        return self.length

    @property
    def keys(self) -> Tensor | None:
        """All keys so far, (..., length, d_k), or None."""
        return None if self._keys is None else self._keys[..., : self.length, :]

    @property
    def values(self) -> Tensor | None:
        """All values so far, (..., length, d_v), or None."""
        return None if self._values is None else self._values[..., : self.length, :]

    def append(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Write new positions behind the last one and return all keys and values.

        Raises ValueError when they do not continue what is in the cache.
        """
        for name, old, new in (("keys", self.keys, keys), ("values", self.values, values)):
            if old is not None and _kind(old) != _kind(new):
                raise ValueError(
                    f"the cache holds {name} of shape {tuple(old.shape)}, {old.dtype} on "
                    f"{old.device}; new ones, {tuple(new.shape)}, {new.dtype} on {new.device}, may "
                    "differ in length only. Start a new KeyValueCache."
                )
        self._keys = self._grow(self._keys, keys)
        self._values = self._grow(self._values, values)
        self.length += keys.shape[-2]
        return self.keys, self.values

    def _grow(self, buffer: Tensor | None, new: Tensor) -> Tensor:
        end = self.length + new.shape[-2]
        tracked = new.requires_grad or (buffer is not None and buffer.requires_grad)
        if tracked and torch.is_grad_enabled():
            return new if buffer is None else torch.cat([buffer[..., : self.length, :], new], -2)
        if buffer is None or buffer.shape[-2] < end:
            larger = new.new_empty(*new.shape[:-2], max(end, 2 * self.length), new.shape[-1])
            if buffer is not None:
                larger[..., : self.length, :] = buffer[..., : self.length, :]
            buffer = larger
        buffer[..., self.length : end, :] = new
        return buffer


def _kind(x: Tensor) -> tuple:
    """All that new positions must share with the old ones."""
    return x.shape[:-2], x.shape[-1], x.dtype, x.device

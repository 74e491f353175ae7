"""The keys and values of the tokens already read, so that each new token costs one row."""

from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from course_lib.gate.masks import window_mask
from course_lib.validation.arguments import flag, integer
from course_lib.validation.tensors import check_floating


class KeyValueCache:
    """Keys and values of past positions, (..., length, d), as `MultiHeadAttention` makes them.

    Without a window everything is kept. With one, the first `sinks` positions and the last
    `window` are kept, and what lies between is forgotten: its size no longer grows. The next
    token then sees those and itself, as `window_mask(..., window, is_causal=True, sinks=sinks)`
    lets it see them in the whole text.

    `len(cache)` counts every position that was ever appended, kept or not: it is the position of
    the next token, so rotary angles go on where they were.

    Without a window and without gradients, a new position is written behind the last one in a
    buffer of twice the length: n positions one by one copy O(n), not O(n²). Wherever autograd may
    look back at the old keys, they are joined by copying instead. A text goes on in the dtype in
    which it began: a cache that autocast filled is moved with `.to` before it is used without.

    Args:
        window: how many of the last positions are kept; None keeps all.
        sinks: how many of the first positions are kept besides.

    Attributes:
        kept: how many positions are still there.
        fixed: True for the projected memory of cross-attention (`project_memory`), to which
            nothing is appended.

    Xiao et al. (2024), "Efficient streaming language models with attention sinks",
    https://arxiv.org/abs/2309.17453. There, positions are counted inside the cache; here they are
    those of the text.
    """

    def __init__(self, window: int | None = None, sinks: int = 0) -> None:
        window = None if window is None else integer("window", window, 1)
        sinks = integer("sinks", sinks, 0)
        if sinks and window is None:
            raise ValueError(f"without a window every position is kept anyway: got sinks {sinks}.")
        self.window, self.sinks, self.fixed = window, sinks, False
        self._seen = self.kept = 0  # positions ever appended, and those that are still there
        self._buffers: list[Tensor] = []  # the keys and the values, with room for more

    def __len__(self) -> int:
        return self._seen

    def held(self) -> list[Tensor]:
        """The keys and the values that are kept; nothing at first."""
        return [x[..., : self.kept, :] for x in self._buffers]

    @property
    def keys(self) -> Tensor | None:
        """The keys that are kept, (..., kept, d_k), or None."""
        return self.held()[0] if self._buffers else None

    @property
    def values(self) -> Tensor | None:
        """The values that are kept, (..., kept, d_v), or None."""
        return self.held()[1] if self._buffers else None

    @property
    def nbytes(self) -> int:
        """Bytes of the keys and values that are kept."""
        return sum(x.numel() * x.element_size() for x in self.held())

    def append(self, keys: Tensor, values: Tensor, *, copy: bool = True) -> tuple[Tensor, Tensor]:
        """Add new positions behind the last one.

        Args:
            keys, values: (..., T, d_k) and (..., T, d_v).
            copy: False may keep them as they are, from a caller who writes into them no more.

        Returns:
            The keys and values the new positions may attend to, all that were kept and then the
            new ones. With a window the cache forgets only afterwards, so that each of several new
            positions finds its own window. They are read, and never written into: the cache looks
            at the same numbers.

        Raises:
            ValueError: when keys and values differ in more than d, do not continue what is in the
                cache, or when the cache is fixed.
            TypeError: for what is no tensor of floats.
        """
        if self.fixed:
            raise ValueError("this cache holds a fixed memory: nothing can be appended to it.")
        copy = flag("copy", copy)
        check_floating(keys=keys, values=values)
        if keys.ndim < 2 or keys.shape[:-1] != values.shape[:-1]:
            raise ValueError(
                "each key needs one value, (..., T, d_k) and (..., T, d_v), but their shapes "
                f"differ: got keys {tuple(keys.shape)} and values {tuple(values.shape)}."
            )
        new_ones = {"keys": keys, "values": values}
        for old, (name, new) in zip(self.held(), new_ones.items(), strict=False):
            if _kind(old) != _kind(new):
                raise ValueError(
                    f"the cache holds {name} of shape {tuple(old.shape)}, {old.dtype} on "
                    f"{old.device}; new ones, {tuple(new.shape)}, {new.dtype} on {new.device}, may "
                    "differ in length only. Start a new KeyValueCache, or move this one with .to()."
                )
        buffers = zip(self._buffers or (None, None), (keys, values), strict=True)
        self._buffers = [self._extend(buffer, new, copy) for buffer, new in buffers]
        self._seen += keys.shape[-2]
        self.kept += keys.shape[-2]
        found = self.held()
        if self.window is not None and self.kept > self.sinks + self.window:
            self._buffers = [self._roll(x, self.window) for x in found]
            self.kept = self.sinks + self.window
        return found[0], found[1]

    def extend(
        self, keys: Tensor, values: Tensor, mask: Tensor | None, n_queries: int, *, is_causal: bool
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Append what a module has just made, without a copy: the keys and the values that its
        queries may attend to, and the mask, joined with the window."""
        keys, values = self.append(keys, values, copy=False)
        n_keys = keys.shape[-2]
        return keys, values, self.within_window(mask, n_queries, n_keys, is_causal=is_causal)

    def within_window(
        self, mask: Tensor | None, n_queries: int, n_keys: int, *, is_causal: bool
    ) -> Tensor | None:
        """The mask, joined with the window that the last `n_queries` positions have.

        n_keys: as many as `append` returned, all that was kept and the new ones.
        """
        if self.window is None or n_queries == 1:  # a single new position sees all that is kept
            return mask
        options = {"is_causal": is_causal, "sinks": self.sinks, "device": self._buffers[0].device}
        near = window_mask(n_queries, n_keys, self.window, **options)
        return near if mask is None else mask & near

    def kept_columns(self, mask: Tensor | None, n_new: int) -> Tensor | None:
        """Of a mask over every position that was read and `n_new` more, those that are kept."""
        seen = self._seen + n_new
        if mask is None or self.kept == self._seen or mask.shape[-1] != seen:
            return mask
        recent = mask[..., seen - n_new - (self.kept - self.sinks) :]
        return torch.cat([mask[..., : self.sinks], recent], -1) if self.sinks else recent

    def reorder(self, index: Int[Tensor, " B"]) -> None:
        """Keep the rows `index` of the batch, in that order: beam search continues some twice.

        Raises:
            ValueError: when there is no batch, index is not (B,), or one of its rows is not there.
        """
        if not isinstance(index, Tensor) or index.dtype not in (torch.int64, torch.int32):
            found = index.dtype if isinstance(index, Tensor) else type(index).__name__
            raise TypeError(f"index must be a tensor of integers, torch.int64, got {found}.")
        if self._buffers:
            shape = self.held()[0].shape
            inside = not index.numel() or (index.min() >= 0 and index.max() < shape[0])
            if len(shape) < 3 or index.ndim != 1 or not inside:
                raise ValueError(
                    f"index must be (B,) rows of a batch of {shape[0]}, got {index.tolist()} for "
                    f"keys of shape {tuple(shape)}."
                )
            self._buffers = [x.index_select(0, index.to(x.device)) for x in self.held()]

    def crop(self, length: int) -> None:
        """Forget every position from `length` on, as when drafted tokens are refused.

        Raises:
            ValueError: when `length` is negative or above `len(cache)`, when the cache is fixed,
                and when a window has already forgotten positions that would be needed again.
        """
        length = integer("length", length)
        if not 0 <= length <= self._seen:
            raise ValueError(f"length must lie between 0 and {self._seen}, got {length}.")
        if length < self._seen and (self.fixed or self.kept < self._seen):
            raise ValueError(
                "a fixed memory cannot be cropped, nor a cache whose window has already "
                "forgotten positions: the earlier tokens would need them again."
            )
        if length < self._seen:
            self._seen = self.kept = length
            # Sliced to its length, a buffer has no room: what was returned before stays as it is.
            # A copy, where that gives most of the buffer back.
            small = 2 * length < self._buffers[0].shape[-2]
            self._buffers = [x.clone() if small else x for x in self.held()]

    def to(self, *device_or_dtype: Any) -> "KeyValueCache":
        """Move what is kept, in place, as a module moves: `Tensor.to`."""
        self._buffers = [x.to(*device_or_dtype) for x in self.held()]
        return self

    def __bool__(self) -> bool:
        return True  # an empty cache is one, too: `if cache` asks whether there is any

    def __repr__(self) -> str:
        kept = f"{self._seen} positions, {self.kept} kept, {self.nbytes:,} bytes"
        return f"KeyValueCache(window={self.window}, sinks={self.sinks}): {kept}"

    def __copy__(self) -> "KeyValueCache":
        twin = KeyValueCache(self.window, self.sinks)
        twin.__dict__ |= self.__dict__
        # Sliced to its length, a buffer has no room that both would write into.
        twin._buffers = self.held()
        return twin

    def __deepcopy__(self, memo: dict) -> "KeyValueCache":
        twin = self.__copy__()
        twin._buffers = [x.clone() for x in self.held()]
        return twin

    def _extend(self, buffer: Tensor | None, new: Tensor, copy: bool) -> Tensor:
        """The buffer with `new` behind what is kept."""
        if buffer is None:
            return new.clone() if copy else new
        grows = torch.is_grad_enabled() or torch.compiler.is_compiling()  # writes into nothing
        if grows or self.window is not None:
            return torch.cat([buffer[..., : self.kept, :], new], -2)
        end = self.kept + new.shape[-2]
        if buffer.shape[-2] < end or buffer.is_inference() != torch.is_inference_mode_enabled():
            larger = new.new_empty(*new.shape[:-2], max(end, 2 * self.kept), new.shape[-1])
            larger[..., : self.kept, :] = buffer[..., : self.kept, :]
            buffer = larger
        buffer[..., self.kept : end, :] = new
        return buffer

    def _roll(self, x: Tensor, window: int) -> Tensor:
        """Its sinks and its last `window` positions."""
        recent = x[..., -window:, :]
        return torch.cat([x[..., : self.sinks, :], recent], -2) if self.sinks else recent.clone()


def _kind(x: Tensor) -> tuple:
    """All that new positions must share with the old ones."""
    return x.shape[:-2], x.shape[-1], x.dtype, x.device

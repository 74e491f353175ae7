"""What a Transformer carries from one token to the next."""

import copy
from dataclasses import dataclass, replace

from jaxtyping import Bool, Int
from torch import Tensor

from course_lib.modules.cache import KeyValueCache


@dataclass
class TransformerState:
    """The caches of the layers and, in an encoder–decoder, the projected memory.

    A step appends to the caches in place, so a second try begins with a copy made before the
    first: `copy.copy(state)` shares what has been read and nothing that comes. The searches of
    `course_lib.generation` make one.

    caches: one for each layer.
    memory: keys and values of the source for each layer, or None.
    memory_mask: (B, 1, S), True at the source's real positions, or None.
    mask: (B, 1, length), True at the tokens read that are no padding, or None: all are real.
    """

    caches: list[KeyValueCache]
    memory: list[KeyValueCache] | None = None
    memory_mask: Bool[Tensor, "B 1 S"] | None = None
    mask: Bool[Tensor, "B 1 S"] | None = None

    @property
    def length(self) -> int:
        """How many tokens have been read."""
        return len(self.caches[0])

    def crop(self, length: int) -> None:
        """Forget every token from `length` on: `KeyValueCache.crop` in every layer."""
        for cache in self.caches:
            cache.crop(length)
        if self.mask is not None:
            self.mask = self.mask[..., :length]

    def reorder(self, index: Int[Tensor, " N"]) -> "TransformerState":
        """The state of the rows `index` of the batch; rows may repeat. This one stays as it is."""
        state = copy.copy(self)
        for cache in [*state.caches, *(state.memory or [])]:
            cache.reorder(index)
        for name in ("memory_mask", "mask"):
            if (mask := getattr(state, name)) is not None:
                setattr(state, name, mask.index_select(0, index.to(mask.device)))
        return state

    def __copy__(self) -> "TransformerState":
        caches = [copy.copy(cache) for cache in self.caches]
        memory = None if self.memory is None else [copy.copy(cache) for cache in self.memory]
        return replace(self, caches=caches, memory=memory)

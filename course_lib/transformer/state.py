"""What a Transformer carries from one token to the next."""

from dataclasses import dataclass

from jaxtyping import Bool, Int
from torch import Tensor

from course_lib.attention.cache import KeyValueCache


@dataclass
class TransformerState:
    """The caches of the layers and, in an encoder–decoder, the projected memory.

    caches: one for each layer; a step appends to them in place.
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
        """The state of the rows `index` of the batch; rows may repeat. Changes this one."""
        for cache in [*self.caches, *(self.memory or [])]:
            cache.reorder(index)
        for name in ("memory_mask", "mask"):
            if (mask := getattr(self, name)) is not None:
                setattr(self, name, mask.index_select(0, index.to(mask.device)))
        return self

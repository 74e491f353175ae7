"""Layers in sequence."""

from typing import Any

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.modules.cache import KeyValueCache
from course_lib.transformer.config import TransformerConfig, configure
from course_lib.transformer.layers import Layer, make_norm
from course_lib.transformer.positions import position_bias


class Stack(nn.Module):
    """Layers in sequence and a last normalisation: an encoder, or with `cross` a decoder.

    Args:
        config, settings: as in `LanguageModel`. The positions "rotary", "alibi" and "t5" act in the
            self-attention of every layer, the others in an `Embedding`; `causal` says which half of
            T5's buckets there is, while the mask itself is `is_causal` of forward.
        cross: whether each layer has cross-attention.
    """

    layers: Any  # nn.ModuleList does not say that each is a Layer

    def __init__(
        self, config: TransformerConfig | None = None, *, cross: bool = False, **settings: Any
    ) -> None:
        super().__init__()
        config = configure(config, settings)
        self.bias = position_bias(config.positions, config.num_heads, causal=config.causal)
        self.rotary = config.positions == "rotary"
        each = (config.for_layer(i) for i in range(config.num_layers))
        self.layers = nn.ModuleList(Layer(one, cross=cross) for one in each)
        self.norm = make_norm(config)

    def forward(
        self,
        x: Float[Tensor, "B T d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        is_causal: bool = False,
        memory: Float[Tensor, "B S d_model"] | list[KeyValueCache] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        caches: list[KeyValueCache] | None = None,
        positions: Int[Tensor, "*B T"] | int | None = None,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T d_model"], list, list]:
        """Returns (x, self-attention weights by layer, cross-attention weights by layer).

        mask: of every position ever read and the new ones; a layer takes what its window keeps.
        memory: of an encoder, or its keys and values for each layer, projected before.
        caches: one for each layer, as `new_caches` makes them.
        positions: those of x, where they are rotary.
        """
        own, cross = [], []
        for i, layer in enumerate(self.layers):
            cache = None if caches is None else caches[i]
            x, own_weights, cross_weights = layer(
                x,
                mask if cache is None else cache.kept_columns(mask, x.shape[1]),
                score_bias=self._score_bias(x, cache),
                is_causal=is_causal,
                memory=memory[i] if isinstance(memory, list) else memory,
                memory_mask=memory_mask,
                cache=cache,
                positions=positions if self.rotary else None,
                need_weights=need_weights,
            )
            own.append(own_weights)
            cross.append(cross_weights)
        return self.norm(x), own, cross

    def read_before(self, caches: list[KeyValueCache] | None) -> int:
        """How many positions the caches have read.

        Raises:
            ValueError: for not one cache for each layer, each its own.
        """
        if caches is None:
            return 0
        shared = len({id(cache) for cache in caches}) < len(caches)
        if len(caches) != len(self.layers) or shared:
            raise ValueError(
                f"caches must be one for each of {len(self.layers)} layers, as new_caches() makes "
                f"them, got {len(caches)}{', the same twice' if shared else ''}."
            )
        read = [len(cache) for cache in caches]
        if any(length != read[0] for length in read):
            raise ValueError(f"caches must have read equally many positions, got {read}.")
        return read[0]

    def new_caches(self) -> list[KeyValueCache]:
        """An empty cache for each layer."""
        return [layer.new_cache() for layer in self.layers]

    def project_memory(self, memory: Float[Tensor, "B S d_model"]) -> list[KeyValueCache]:
        """The memory's keys and values for each layer's cross-attention, computed once."""
        return [layer.cross_attention.project_memory(memory) for layer in self.layers]

    def _score_bias(self, x: Tensor, cache: KeyValueCache | None) -> Tensor | None:
        if self.bias is None:
            return None
        kept = 0 if cache is None else cache.kept
        return self.bias(x.shape[1], kept + x.shape[1], x)

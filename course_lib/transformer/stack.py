"""Layers in sequence."""

from typing import Any

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.transformer.layers import NORMS, Layer
from course_lib.transformer.positions import check_positions, position_bias


class Stack(nn.Module):
    """Layers in sequence and a last normalisation: an encoder, or with `cross` a decoder.

    Args:
        num_layers: how many layers.
        d_model, num_heads, d_hidden, dropout, cross: of each layer.
        positions: "rotary", "alibi" and "t5" act in the self-attention of every layer; whatever
            else a model may be given acts in its embedding.
        causal: which half of T5's buckets exists; the mask itself is `is_causal` of forward.
        rotary_base, sinks: as in `Layer`.
        window: of every layer, or one for each, None where a layer sees all.
        settings: any other of `Layer`.
    """

    layers: Any  # nn.ModuleList does not say that each is a Layer

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        d_hidden: int,
        dropout: float = 0.0,
        cross: bool = False,
        *,
        positions: str = "none",
        causal: bool = False,
        rotary_base: float = 10000.0,
        window: int | list[int | None] | None = None,
        sinks: int = 0,
        **settings: Any,
    ) -> None:
        super().__init__()
        check_positions(positions)
        windows = window if isinstance(window, list) else [window] * num_layers
        if len(windows) != num_layers:
            raise ValueError(f"got {len(windows)} windows for {num_layers} layers.")
        if sinks and all(w is None for w in windows):
            raise ValueError("sinks belong to a window: without one every key is seen anyway.")
        self.bias = position_bias(positions, num_heads, causal=causal)
        if self.bias is not None and sinks:
            raise ValueError("sinks stand nowhere near their distance: no ALiBi or T5 with them.")
        self.layers = nn.ModuleList(
            Layer(
                d_model,
                num_heads,
                d_hidden,
                dropout,
                cross,
                rotary_base=rotary_base if positions == "rotary" else None,
                window=w,
                sinks=sinks if w is not None else 0,
                **settings,
            )
            for w in windows
        )
        self.norm = NORMS[settings.get("norm", "layer")](d_model)

    def forward(
        self,
        x: Float[Tensor, "B T d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        is_causal: bool = False,
        memory: Float[Tensor, "B S d_model"] | list[KeyValueCache] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        caches: list[KeyValueCache] | None = None,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T d_model"], list, list]:
        """Returns (x, self-attention weights by layer, cross-attention weights by layer).

        memory: of an encoder, or its keys and values for each layer, projected before.
        caches: one for each layer, as `new_caches` makes them.
        """
        own, cross = [], []
        for i, layer in enumerate(self.layers):
            cache = None if caches is None else caches[i]
            x, own_weights, cross_weights = layer(
                x,
                mask,
                score_bias=self._score_bias(x, cache),
                is_causal=is_causal,
                memory=memory[i] if isinstance(memory, list) else memory,
                memory_mask=memory_mask,
                cache=cache,
                need_weights=need_weights,
            )
            own.append(own_weights)
            cross.append(cross_weights)
        return self.norm(x), own, cross

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

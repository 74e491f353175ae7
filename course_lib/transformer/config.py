"""All settings of a Transformer in one place."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class TransformerConfig:
    """The settings of a stack of layers. The defaults are the block of 2017, normalised first.

    Attributes:
        d_model, num_heads, num_layers, d_hidden: sizes; d_hidden is inside the feed-forward.
        dropout: share of each sublayer's output set to zero while training.
        positions: "sinusoidal", "learned", "rotary", "alibi", "t5" or "none".
        max_length: rows of the table when positions are learned.
        rotary_base: of rotary positions.
        num_kv_heads: KV heads; fewer make a smaller cache.
        norm: "layer" (LayerNorm), or "rms" (RMSNorm: no mean is subtracted, nothing added).
        feed_forward: "relu", or "gated": W_2 (silu(W_1 x) ⊙ W_3 x), three matrices.
        bias: whether attention and feed-forward add learned vectors.
        qk_norm, gate: as in `MultiHeadAttention`.
        window: how many earlier positions a layer sees; one for all layers or a list; None: all.
        sinks: how many first positions a layer with a window sees besides.
        causal: False lets each token see those after it.

    Zhang and Sennrich (2019), "Root mean square layer normalization",
    https://arxiv.org/abs/1910.07467; Shazeer (2020), "GLU variants improve Transformer",
    https://arxiv.org/abs/2002.05202
    """

    d_model: int = 128
    num_heads: int = 4
    num_layers: int = 2
    d_hidden: int = 256
    dropout: float = 0.0
    positions: str = "sinusoidal"
    max_length: int = 512
    rotary_base: float = 10000.0
    num_kv_heads: int | None = None
    norm: Literal["layer", "rms"] = "layer"
    feed_forward: Literal["relu", "gated"] = "relu"
    bias: bool = True
    qk_norm: bool = False
    gate: bool = False
    window: int | list[int | None] | None = None
    sinks: int = 0
    causal: bool = True

    def layer_settings(self) -> dict:
        """What a `Layer` takes beside its sizes, its window and its positions."""
        names = ("num_kv_heads", "norm", "feed_forward", "bias", "qk_norm", "gate")
        return {name: getattr(self, name) for name in names}


# The block of most open models since 2023, with the two settings that came in 2025.
TODAY = TransformerConfig(
    positions="rotary", norm="rms", feed_forward="gated", bias=False, qk_norm=True, gate=True
)

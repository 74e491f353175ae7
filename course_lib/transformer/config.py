"""All settings of a Transformer in one place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from course_lib.validation.arguments import flag, integer, number


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
        head_dim: features of one head; None: d_model / num_heads.
        norm: "layer" (LayerNorm), or "rms" (RMSNorm: no mean is subtracted, nothing added).
        norm_eps: what is added to the mean square before its root; None: what PyTorch's
            LayerNorm (1e-5) and RMSNorm (the smallest step of the dtype) add.
        tied: whether the output matrix of a model is its embedding; False gives it one of its own.
        scale_embedding: whether token vectors are multiplied by √d_model, as in the paper of
            2017. Llama's are not.
        feed_forward: "relu"; "gelu", as in BERT and Whisper; or "gated": W_2 (silu(W_1 x) ⊙ W_3 x),
            three matrices.
        bias: whether attention and feed-forward add learned vectors.
        qk_norm, gate: as in `MultiHeadAttention`.
        window: how many earlier positions a layer sees; one for all layers, or a list or tuple with
            one for each; None: all.
        sinks: how many first positions a layer with a window sees besides.
        causal: False lets each token see those after it.

    Raises:
        ValueError: for a name that is not listed here, a list of another length than the layers,
            and sinks that no window, ALiBi or T5 has.

    Hendrycks & Gimpel (2016), "Gaussian error linear units (GELUs)",
    https://arxiv.org/abs/1606.08415; Zhang & Sennrich (2019), "Root mean square layer
    normalization", https://arxiv.org/abs/1910.07467; Shazeer (2020), "GLU variants improve
    Transformer", https://arxiv.org/abs/2002.05202.
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
    head_dim: int | None = None
    norm: Literal["layer", "rms"] = "layer"
    norm_eps: float | None = None
    tied: bool = True
    scale_embedding: bool = True
    feed_forward: Literal["relu", "gelu", "gated"] = "relu"
    bias: bool = True
    qk_norm: bool = False
    gate: bool = False
    window: int | Sequence[int | None] | None = None
    sinks: int = 0
    causal: bool = True

    def __post_init__(self) -> None:
        for name, known in NAMES.items():
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{name} is one of {', '.join(known)}, got {getattr(self, name)!r}."
                )
        # Its own, and Python's: a caller may change the list, and a config is saved.
        own: dict[str, Any] = {name: integer(name, getattr(self, name), 1) for name in SIZES}
        own |= {name: flag(name, getattr(self, name)) for name in SWITCHES}
        own["sinks"] = integer("sinks", self.sinks, 0)
        own["dropout"] = number("dropout", self.dropout, least=0, below=1)
        own["rotary_base"] = number("rotary_base", self.rotary_base, above=0)
        for name in ("num_kv_heads", "head_dim"):
            if (size := getattr(self, name)) is not None:
                own[name] = integer(name, size, 1)
        if self.norm_eps is not None:
            own["norm_eps"] = number("norm_eps", self.norm_eps, least=0)
        several = isinstance(self.window, Sequence) and not isinstance(self.window, str)
        given: tuple[Any, ...] = tuple(self.windows) if several else (self.window,)
        windows = tuple(None if w is None else integer("window", w, 1) for w in given)
        own["window"] = windows if several else windows[0]
        for name, value in own.items():
            object.__setattr__(self, name, value)
        if len(self.windows) != self.num_layers:
            raise ValueError(f"got {len(self.windows)} windows for {self.num_layers} layers.")
        if self.sinks and all(w is None for w in self.windows):
            raise ValueError("sinks belong to a window: without one every key is seen anyway.")
        if self.sinks and self.positions in ("alibi", "t5"):
            raise ValueError("sinks stand nowhere near their distance: no ALiBi or T5 with them.")

    @property
    def windows(self) -> tuple[int | None, ...]:
        """The window of each layer."""
        if isinstance(self.window, Sequence):
            return tuple(self.window)
        return (self.window,) * self.num_layers

    def for_layer(self, i: int) -> "TransformerConfig":
        """The settings of one layer: a single window, and sinks where it has one."""
        w = self.windows[i]
        return replace(self, num_layers=1, window=w, sinks=0 if w is None else self.sinks)


SWITCHES = ("tied", "scale_embedding", "bias", "qk_norm", "gate", "causal")
SIZES = ("d_model", "num_heads", "num_layers", "d_hidden", "max_length")
NAMES = {
    "positions": ("sinusoidal", "learned", "rotary", "alibi", "t5", "none"),
    "norm": ("layer", "rms"),
    "feed_forward": ("relu", "gelu", "gated"),
}


def configure(config: TransformerConfig | None, settings: dict[str, Any]) -> TransformerConfig:
    """The config, or the default one, with single settings in place of its own."""
    return replace(config or TransformerConfig(), **settings)


# The block of most open models since 2023, with the two settings that came in 2025.
TODAY = TransformerConfig(
    positions="rotary", norm="rms", feed_forward="gated", bias=False, qk_norm=True, gate=True
)

"""The sizes of a model of ours, so that the calculator of released models can take it."""

from typing import Any

from torch import nn

from course_lib.estimates.config import ModelConfig
from course_lib.estimates.counts import parameter_count


def config_of(model: nn.Module) -> ModelConfig:
    """The sizes of a `LanguageModel`, or of the decoder of an `EncoderDecoder`.

    `parameter_count(config_of(model))` is the number of all its parameters: what is in no matrix of
    a `ModelConfig` (norms, biases, tables of positions, and an `EncoderDecoder`'s encoder,
    cross-attention and second embedding) is counted on the model, as `other_weights`. The cache is
    that of `model.new_caches()`, where a layer with a window keeps its sinks besides.

    Raises:
        ValueError: for another model, and for windows of several sizes, of which a `ModelConfig`
            knows one.
    """
    config: Any = getattr(model, "config", None)
    names = ("num_layers", "num_heads", "d_hidden", "windows")
    if not all(hasattr(config, name) for name in names):
        raise ValueError(
            "config_of reads the TransformerConfig of a LanguageModel or an EncoderDecoder, and "
            f"{type(model).__name__} has none: write a ModelConfig by hand."
        )
    windows = {w + config.sinks for w in config.windows if w is not None}
    if len(windows) > 1:
        raise ValueError(f"a ModelConfig has one size of window, and this model {config.windows}.")
    embedding: Any = getattr(model, "embedding", None) or model.target_embedding
    sizes = {
        "layers": config.num_layers,
        "d_model": config.d_model,
        "heads": config.num_heads,
        "d_ff": config.d_hidden,
        "vocabulary": embedding.tokens.num_embeddings,
        "kv_heads": config.num_kv_heads,
        "gated": config.feed_forward == "gated",
        "head_dim": config.head_dim,
        "tied": config.tied,
        "attention_gate": config.gate,
        "window": max(windows, default=None),
        "local_layers": sum(w is not None for w in config.windows),
    }
    counted = sum(parameter.numel() for parameter in model.parameters())
    others = counted - parameter_count(ModelConfig(**sizes))
    return ModelConfig(**sizes, other_weights=others)

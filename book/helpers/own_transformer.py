"""The Transformer that the page *A Transformer translates* writes, as one of the library."""

from torch import nn

from course_lib.transformer import EncoderDecoder

NAMES = {
    "encoder.": "encoder.layers.",
    "decoder.": "decoder.layers.",
    "memory_norm": "encoder.norm",
    "last_norm": "decoder.norm",
    "feed_forward.2.": "feed_forward.3.",
    "source.tokens": "source_embedding.tokens",
    "target.tokens": "target_embedding.tokens",
}


def library_name(name: str) -> str:
    """What the library calls a parameter of the page's `Transformer`."""
    for ours, its in NAMES.items():
        name = name.replace(ours, its, 1)
    return name


def as_library_model(model: nn.Module) -> EncoderDecoder:
    """An `EncoderDecoder` with the weights of the page's `Transformer` and its default sizes."""
    sizes = model.source.tokens.num_embeddings, model.target.tokens.num_embeddings
    twin = EncoderDecoder(*sizes, d_model=64, num_heads=4, num_layers=2, d_hidden=128, dropout=0.0)
    twin.load_state_dict({library_name(k): v for k, v in model.state_dict().items()})
    return twin

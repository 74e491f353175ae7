"""From states to logits: by the embedding's own rows, or by a matrix apart."""

from jaxtyping import Float
from torch import Tensor, nn

from course_lib.transformer.config import TransformerConfig
from course_lib.transformer.layers import Embedding


def make_output(vocab_size: int, config: TransformerConfig) -> nn.Linear | None:
    """The output matrix W (V, d_model) of a model that is not tied; None where it is."""
    return None if config.tied else nn.Linear(config.d_model, vocab_size, bias=False)


def logits_of(
    x: Float[Tensor, "B T d_model"], embedding: Embedding, output: nn.Linear | None
) -> Float[Tensor, "B T V"]:
    """How well each token's row of the output matrix, or else of the embedding, fits x."""
    return x @ embedding.tokens.weight.T if output is None else output(x)

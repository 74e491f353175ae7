"""A decoder without cross-attention: it says what comes next."""

from dataclasses import replace
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib import generation
from course_lib.attention.cache import KeyValueCache
from course_lib.transformer.config import TransformerConfig
from course_lib.transformer.layers import Embedding
from course_lib.transformer.positions import check_positions, in_embedding
from course_lib.transformer.stack import Stack
from course_lib.transformer.state import TransformerState


class LanguageModel(nn.Module):
    """Logits of the next token at every position.

    logits = E · Decoder(tokens), with E the embedding (tied).

    Args:
        vocab_size: how many tokens there are.
        config: its settings; the defaults of `TransformerConfig` if there is none.
        settings: single ones of them, in place of the config's. With `causal=False` each token
            sees those after it, and the loss falls without any learning.
    """

    def __init__(
        self, vocab_size: int, config: TransformerConfig | None = None, **settings: Any
    ) -> None:
        super().__init__()
        self.config = config = replace(config or TransformerConfig(), **settings)
        check_positions(config.positions)
        added = in_embedding(config.positions)
        self.embedding = Embedding(vocab_size, config.d_model, added, max_length=config.max_length)
        self.stack = Stack(
            config.num_layers,
            config.d_model,
            config.num_heads,
            config.d_hidden,
            config.dropout,
            positions=config.positions,
            causal=config.causal,
            rotary_base=config.rotary_base,
            window=config.window,
            sinks=config.sinks,
            **config.layer_settings(),
        )
        self.causal = config.causal

    def forward(
        self,
        tokens: Int[Tensor, "B T"],
        *,
        caches: list[KeyValueCache] | None = None,
        start: int | None = None,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T V"], list]:
        """Logits, and the attention weights (B, H, T, S) of each layer (None unasked).

        With `caches` (`new_caches`), `tokens` holds only the new ones. Their positions go on from
        what the caches have seen, unless `start` says otherwise.
        """
        if start is None:
            start = 0 if caches is None else len(caches[0])
        x, own, _ = self.stack(
            self.embedding(tokens, start),
            is_causal=self.causal,
            caches=caches,
            need_weights=need_weights,
        )
        return x @ self.embedding.tokens.weight.T, own

    def new_caches(self) -> list[KeyValueCache]:
        """An empty cache for each layer, with the window of the layer."""
        return self.stack.new_caches()

    def start(self) -> TransformerState:
        """The state before the first token."""
        return TransformerState(self.new_caches())

    def read(
        self, tokens: Int[Tensor, "B T"], state: TransformerState
    ) -> tuple[Float[Tensor, "B T V"], TransformerState]:
        """Read several tokens at once: the logits after each of them, and the state."""
        return self(tokens, caches=state.caches)[0], state

    def prefill(self, prompt: Int[Tensor, "B T"]) -> tuple[Float[Tensor, "B V"], TransformerState]:
        """Read a whole prompt at once: the logits of the next token, and the state."""
        logits, state = self.read(prompt, self.start())
        return logits[:, -1], state

    def step(
        self, tokens: Int[Tensor, " B"], state: TransformerState
    ) -> tuple[Float[Tensor, "B V"], TransformerState, None]:
        """One token in, the logits of the next one out: see `course_lib.generation`."""
        logits, state = self.read(tokens[:, None], state)
        return logits[:, 0], state, None

    generate = generation.generate  # a function of the model, the prompt and num_tokens

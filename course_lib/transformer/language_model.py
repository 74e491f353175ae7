"""A decoder without cross-attention: it says what comes next."""

from functools import partial
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.formulas.masks import token_positions
from course_lib.generation import generate
from course_lib.generation.decoder import check_left_padding
from course_lib.modules.cache import KeyValueCache
from course_lib.transformer.config import TransformerConfig, configure
from course_lib.transformer.layers import Embedding
from course_lib.transformer.output import logits_of, make_output
from course_lib.transformer.stack import Stack
from course_lib.transformer.state import TransformerState


class LanguageModel(nn.Module):
    """Logits of the next token at every position.

    logits = E · Decoder(tokens), with E the embedding (tied), or W · Decoder(tokens), with W a
    matrix of its own.

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
        self.config = config = configure(config, settings)
        self.embedding = Embedding(vocab_size, config)
        self.stack = Stack(config)
        self.output = make_output(vocab_size, config)
        self.causal = config.causal

    def forward(
        self,
        tokens: Int[Tensor, "B T"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        positions: Int[Tensor, "*B T"] | int | None = None,
        caches: list[KeyValueCache] | None = None,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T V"], list]:
        """Logits, and the attention weights (B, H, T, S) of each layer (None unasked).

        Args:
            tokens: (B, T); with `caches`, the new ones alone.
            mask: True = may attend, beside the causal mask: (B, 1, S) hides padding, (T, S) or
                (B, T, S) keeps several texts of one row apart. S counts every position that the
                caches have read, and the new ones.
            positions: integers (T,) or (B, T), or the first of T in a row. They go on from what the
                caches have seen, unless they are given, as they must be for texts that do not begin
                at the first place of their row. ALiBi and T5 count distances within the row, which
                are the same wherever a text begins.
            caches: one for each layer, as `new_caches` makes them.
        """
        read = self.stack.read_before(caches)
        positions = read if positions is None else positions
        x, own, _ = self.stack(
            self.embedding(tokens, positions),
            mask,
            is_causal=self.causal,
            caches=caches,
            positions=positions,
            need_weights=need_weights,
        )
        return logits_of(x, self.embedding, self.output), own

    @property
    def vocab_size(self) -> int:
        """How many tokens there are."""
        return self.embedding.tokens.num_embeddings

    def new_caches(self) -> list[KeyValueCache]:
        """An empty cache for each layer, with the window of the layer."""
        return self.stack.new_caches()

    def start(self) -> TransformerState:
        """The state before the first token."""
        return TransformerState(self.new_caches())

    def read(
        self,
        tokens: Int[Tensor, "B T"],
        state: TransformerState,
        mask: Bool[Tensor, "B 1 T"] | None = None,
    ) -> tuple[Float[Tensor, "B T V"], TransformerState]:
        """Read several tokens at once: the logits after each of them, and the state.

        mask: True at those that are no padding, which stands on the left of each text. The state
        remembers it, and every text counts its positions from its first token.
        """
        if mask is None and state.mask is None:
            return self(tokens, caches=state.caches)[0], state
        if self.config.sinks:
            raise ValueError(
                "sinks are the first positions of a row, where padding would stand: continue "
                "texts of different lengths one by one."
            )
        if mask is not None:
            check_left_padding(mask, tokens)
        B, T = tokens.shape
        real = partial(torch.ones, dtype=torch.bool, device=tokens.device)
        past = real(B, 1, state.length) if state.mask is None else state.mask
        state.mask = torch.cat([past, real(B, 1, T) if mask is None else mask], -1)
        positions = token_positions(state.mask)[:, -T:]
        logits, _ = self(tokens, mask=state.mask, positions=positions, caches=state.caches)
        return logits, state

    def prefill(
        self, prompt: Int[Tensor, "B T"], mask: Bool[Tensor, "B 1 T"] | None = None
    ) -> tuple[Float[Tensor, "B V"], TransformerState]:
        """Read a whole prompt at once: the logits of the next token, and the state.

        mask: as in `read`, for prompts of different lengths.
        """
        logits, state = self.read(prompt, self.start(), mask)
        return logits[:, -1], state

    def step(
        self, tokens: Int[Tensor, " B"], state: TransformerState
    ) -> tuple[Float[Tensor, "B V"], TransformerState, None]:
        """One token in, the logits of the next one out: see `course_lib.generation`."""
        logits, state = self.read(tokens[:, None], state)
        return logits[:, 0], state, None

    generate = generate  # a function of the model, the prompt and num_tokens

"""The Transformer of the paper: a source sentence in, a target sentence out."""

from dataclasses import replace
from typing import Any

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.modules.cache import KeyValueCache
from course_lib.token_table import sentence_mask
from course_lib.transformer.config import TransformerConfig, configure
from course_lib.transformer.layers import Embedding
from course_lib.transformer.output import logits_of, make_output
from course_lib.transformer.stack import Stack
from course_lib.transformer.state import TransformerState
from course_lib.validation.arguments import integer


class EncoderDecoder(nn.Module):
    """Source tokens and the target so far in, logits of each next target token out.

    logits = E · Decoder(target, Encoder(source)), with E the target embedding (tied), or a matrix
    of its own.

    Args:
        source_vocab, target_vocab: sizes of the two vocabularies.
        config: the settings of both stacks; those of `TransformerConfig`, with a dropout of 0.1, if
            there is none.
        settings: single ones of them, in place of the config's. `causal` is of the decoder: False
            lets each target word see those after it, and what goes wrong then is a lesson.
    """

    def __init__(
        self,
        source_vocab: int,
        target_vocab: int,
        config: TransformerConfig | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        config = configure(config or TransformerConfig(dropout=0.1), settings)
        self.config = config
        integer("source_vocab", source_vocab, 1)
        integer("target_vocab", target_vocab, 1)
        self.source_embedding = Embedding(source_vocab, config)
        self.target_embedding = Embedding(target_vocab, config)
        self.encoder = Stack(replace(config, causal=False))
        self.decoder = Stack(config, cross=True)
        self.output = make_output(target_vocab, config)
        self.causal = config.causal

    def encode(
        self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]
    ) -> tuple[Float[Tensor, "B S d_model"], Bool[Tensor, "B 1 S"]]:
        """The memory, and the mask of its real positions."""
        mask = sentence_mask(source, lengths)  # (B, 1, S)
        memory, _, _ = self.encoder(self.source_embedding(source), mask)
        return memory, mask

    def decode(
        self,
        target: Int[Tensor, "B T"],
        memory: Float[Tensor, "B S d_model"] | list[KeyValueCache],
        memory_mask: Bool[Tensor, "B 1 S"],
        *,
        caches: list[KeyValueCache] | None = None,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T V"], list]:
        """Logits, and the cross-attention weights (B, H, T, S) of each layer (None unasked).

        With `caches`, `target` holds only the new tokens. Their positions go on from what the
        caches have seen.
        """
        start = self.decoder.read_before(caches)
        x, _, cross = self.decoder(
            self.target_embedding(target, start),
            is_causal=self.causal,
            memory=memory,
            memory_mask=memory_mask,
            caches=caches,
            need_weights=need_weights,
        )
        return logits_of(x, self.target_embedding, self.output), cross

    def forward(
        self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"], target: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T V"]:
        return self.decode(target, *self.encode(source, lengths))[0]

    def start(self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]) -> TransformerState:
        """The state before the first target token: the source read and projected once."""
        memory, mask = self.encode(source, lengths)
        return TransformerState(
            self.decoder.new_caches(), self.decoder.project_memory(memory), mask
        )

    def step(
        self, tokens: Int[Tensor, " B"], state: TransformerState
    ) -> tuple[Float[Tensor, "B V"], TransformerState, Float[Tensor, "B S"]]:
        """One token in, the logits of the next one out: see `course_lib.generation`.

        The weights are those of the last layer's cross-attention, the mean over its heads.
        """
        assert state.memory is not None and state.memory_mask is not None  # `start` set both
        logits, cross = self.decode(
            tokens[:, None], state.memory, state.memory_mask, caches=state.caches, need_weights=True
        )
        return logits[:, 0], state, cross[-1].mean(1)[:, 0]

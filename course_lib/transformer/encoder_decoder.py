"""The Transformer of the paper: a source sentence in, a target sentence out."""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import padding_mask
from course_lib.transformer.layers import Embedding
from course_lib.transformer.positions import check_positions, in_embedding
from course_lib.transformer.stack import Stack
from course_lib.transformer.state import TransformerState


class EncoderDecoder(nn.Module):
    """Source tokens and the target so far in, logits of each next target token out.

    logits = E · Decoder(target, Encoder(source)), with E the target embedding (tied).

    Args:
        source_vocab, target_vocab: sizes of the two vocabularies.
        d_model, num_heads, num_layers, d_hidden, dropout: of both stacks.
        positions: "sinusoidal", "learned", "rotary", "alibi", "t5" or "none", in both stacks.
        max_length: rows of the tables when positions are learned.
        causal: False lets each target word see those after it: what goes wrong then is a lesson.
    """

    def __init__(
        self,
        source_vocab: int,
        target_vocab: int,
        *,
        d_model: int = 128,
        num_heads: int = 4,
        num_layers: int = 2,
        d_hidden: int = 256,
        dropout: float = 0.1,
        positions: str = "sinusoidal",
        max_length: int = 512,
        causal: bool = True,
    ) -> None:
        super().__init__()
        check_positions(positions)
        added = in_embedding(positions)
        self.source_embedding = Embedding(source_vocab, d_model, added, max_length=max_length)
        self.target_embedding = Embedding(target_vocab, d_model, added, max_length=max_length)
        shape = (num_layers, d_model, num_heads, d_hidden, dropout)
        self.encoder = Stack(*shape, positions=positions)
        self.decoder = Stack(*shape, cross=True, positions=positions, causal=causal)
        self.causal = causal

    def encode(
        self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]
    ) -> tuple[Float[Tensor, "B S d_model"], Bool[Tensor, "B 1 S"]]:
        """The memory, and the mask of its real positions."""
        mask = padding_mask(lengths.to(source.device), source.shape[1])  # (B, 1, S)
        memory, _, _ = self.encoder(self.source_embedding(source), mask)
        return memory, mask

    def decode(
        self,
        target: Int[Tensor, "B T"],
        memory: Float[Tensor, "B S d_model"] | list[KeyValueCache],
        memory_mask: Bool[Tensor, "B 1 S"],
        *,
        caches: list[KeyValueCache] | None = None,
        start: int | None = None,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T V"], list]:
        """Logits, and the cross-attention weights (B, H, T, S) of each layer (None unasked).

        With `caches`, `target` holds only the new tokens. Their positions go on from what the
        caches have seen, unless `start` says otherwise.
        """
        if start is None:
            start = 0 if caches is None else len(caches[0])
        x, _, cross = self.decoder(
            self.target_embedding(target, start),
            is_causal=self.causal,
            memory=memory,
            memory_mask=memory_mask,
            caches=caches,
            need_weights=need_weights,
        )
        return x @ self.target_embedding.tokens.weight.T, cross

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

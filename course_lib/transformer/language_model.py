"""A decoder without cross-attention: it says what comes next."""

from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib import generation
from course_lib.cache import KeyValueCache
from course_lib.transformer.layers import Embedding
from course_lib.transformer.positions import check_positions, in_embedding
from course_lib.transformer.stack import Stack
from course_lib.transformer.state import TransformerState


class LanguageModel(nn.Module):
    """Logits of the next token at every position.

    logits = E · Decoder(tokens), with E the embedding (tied).

    Args:
        vocab_size: how many tokens there are.
        d_model, num_heads, num_layers, d_hidden, dropout: of the layers.
        positions: "sinusoidal", "learned", "rotary", "alibi", "t5" or "none".
        max_length: rows of the table when positions are learned.
        rotary_base: of rotary positions.
        num_kv_heads: heads of keys and values; fewer make a smaller cache.
        qk_norm, gate: as in `MultiHeadAttention`.
        window: how many earlier positions a layer sees, all layers alike or a list; None: all.
        sinks: how many first positions a layer with a window sees besides.
        causal: False lets each token see those after it, and the loss falls without any learning.
    """

    def __init__(
        self,
        vocab_size: int,
        *,
        d_model: int = 128,
        num_heads: int = 4,
        num_layers: int = 2,
        d_hidden: int = 256,
        dropout: float = 0.0,
        positions: str = "sinusoidal",
        max_length: int = 512,
        rotary_base: float = 10000.0,
        num_kv_heads: int | None = None,
        qk_norm: bool = False,
        gate: bool = False,
        window: int | list[int | None] | None = None,
        sinks: int = 0,
        causal: bool = True,
    ) -> None:
        super().__init__()
        check_positions(positions)
        added = in_embedding(positions)
        self.embedding = Embedding(vocab_size, d_model, added, max_length=max_length)
        self.stack = Stack(
            num_layers,
            d_model,
            num_heads,
            d_hidden,
            dropout,
            positions=positions,
            causal=causal,
            num_kv_heads=num_kv_heads,
            rotary_base=rotary_base,
            qk_norm=qk_norm,
            gate=gate,
            window=window,
            sinks=sinks,
        )
        self.causal = causal

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

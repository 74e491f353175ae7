"""A small Transformer: encoder, decoder, encoder–decoder and language model.

    x = x + Attention(LayerNorm(x));  x = x + FeedForward(LayerNorm(x))

Layer normalisation stands before each sublayer and once more at the end (the pre-norm form), which
trains without a warm-up schedule. The layout is Vaswani et al. (2017); pre-norm is Xiong et al.
(2020).
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.masks import padding_mask
from course_lib.multihead import KeyValueCache, MultiHeadAttention
from course_lib.positions import sinusoidal_positions


class Embedding(nn.Module):
    """Token embedding times √d_model, plus sinusoidal positions unless `positions=False`."""

    def __init__(self, vocab_size: int, d_model: int, positions: bool = True) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.tokens.weight, std=d_model**-0.5)
        self.scale = d_model**0.5
        self.positions = positions

    def forward(self, tokens: Int[Tensor, "B T"], start: int = 0) -> Float[Tensor, "B T d_model"]:
        x = self.tokens(tokens) * self.scale  # (B, T, d_model)
        if self.positions:
            x = x + sinusoidal_positions(tokens.shape[1], x.shape[-1], start=start).to(x)
        return x


class FeedForward(nn.Sequential):
    """FFN(x) = W_2 relu(W_1 x + b_1) + b_2, at each position alone."""

    def __init__(self, d_model: int, d_hidden: int, dropout: float = 0.0) -> None:
        super().__init__(
            nn.Linear(d_model, d_hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(d_hidden, d_model),
        )


class Layer(nn.Module):
    """Self-attention, then (in a decoder) cross-attention over `memory`, then feed-forward."""

    def __init__(
        self, d_model: int, num_heads: int, d_hidden: int, dropout: float, cross: bool
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.self_norm = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads) if cross else None
        self.cross_norm = nn.LayerNorm(d_model) if cross else None
        self.feed_forward = FeedForward(d_model, d_hidden, dropout)
        self.feed_norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "B T d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        is_causal: bool = False,
        memory: Float[Tensor, "B S d_model"] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        cache: KeyValueCache | None = None,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T d_model"], Tensor | None, Tensor | None]:
        """Returns (x, self-attention weights or None, cross-attention weights or None)."""
        context, own_weights = self.self_attention(
            self.self_norm(x),
            mask=mask,
            is_causal=is_causal,
            cache=cache,
            need_weights=need_weights,
        )
        x = x + self.dropout(context)
        cross_weights = None
        if self.cross_attention is not None:
            context, cross_weights = self.cross_attention(
                self.cross_norm(x), memory, mask=memory_mask, need_weights=need_weights
            )
            x = x + self.dropout(context)
        return x + self.dropout(self.feed_forward(self.feed_norm(x))), own_weights, cross_weights


class Stack(nn.Module):
    """Layers in sequence and a last normalisation: an encoder, or with `cross` a decoder."""

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        d_hidden: int,
        dropout: float = 0.0,
        cross: bool = False,
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            Layer(d_model, num_heads, d_hidden, dropout, cross) for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(d_model)

    def forward(
        self,
        x: Float[Tensor, "B T d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        caches: list[KeyValueCache] | None = None,
        **settings,
    ) -> tuple[Float[Tensor, "B T d_model"], list, list]:
        """Returns (x, self-attention weights by layer, cross-attention weights by layer)."""
        own, cross = [], []
        for i, layer in enumerate(self.layers):
            cache = caches[i] if caches is not None else None
            x, own_weights, cross_weights = layer(x, mask, cache=cache, **settings)
            own.append(own_weights)
            cross.append(cross_weights)
        return self.norm(x), own, cross


class EncoderDecoder(nn.Module):
    """Source tokens and the target so far in, logits of each next target token out.

    logits = E · Decoder(target, Encoder(source)), with E the target embedding (tied).
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
    ) -> None:
        super().__init__()
        shape = (num_layers, d_model, num_heads, d_hidden, dropout)
        self.source_embedding = Embedding(source_vocab, d_model)
        self.target_embedding = Embedding(target_vocab, d_model)
        self.encoder = Stack(*shape)
        self.decoder = Stack(*shape, cross=True)

    def encode(
        self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]
    ) -> tuple[Float[Tensor, "B S d_model"], Bool[Tensor, "B 1 S"]]:
        """The memory, and the mask of its real positions."""
        mask = padding_mask(lengths, source.shape[1])  # (B, 1, S)
        memory, _, _ = self.encoder(self.source_embedding(source), mask)
        return memory, mask

    def decode(
        self,
        target: Int[Tensor, "B T"],
        memory: Float[Tensor, "B S d_model"],
        memory_mask: Bool[Tensor, "B 1 S"],
        *,
        caches: list[KeyValueCache] | None = None,
        start: int = 0,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T V"], list]:
        """Logits, and the cross-attention weights (B, H, T, S) of each layer (None unasked).

        With `caches`, `target` holds only the new tokens and `start` says how many came before.
        """
        x, _, cross = self.decoder(
            self.target_embedding(target, start),
            is_causal=True,
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


class LanguageModel(nn.Module):
    """A decoder without cross-attention: logits of the next token at every position."""

    def __init__(
        self,
        vocab_size: int,
        *,
        d_model: int = 128,
        num_heads: int = 4,
        num_layers: int = 2,
        d_hidden: int = 256,
        dropout: float = 0.0,
        positions: bool = True,
    ) -> None:
        super().__init__()
        self.embedding = Embedding(vocab_size, d_model, positions)
        self.stack = Stack(num_layers, d_model, num_heads, d_hidden, dropout)

    def forward(
        self,
        tokens: Int[Tensor, "B T"],
        *,
        caches: list[KeyValueCache] | None = None,
        start: int = 0,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T V"], list]:
        """Logits, and the attention weights (B, H, T, start + T) of each layer (None unasked)."""
        x, own, _ = self.stack(
            self.embedding(tokens, start),
            is_causal=True,
            caches=caches,
            need_weights=need_weights,
        )
        return x @ self.embedding.tokens.weight.T, own

    @torch.no_grad()
    def generate(
        self, prompt: Int[Tensor, "B T"], num_tokens: int, *, use_cache: bool = True
    ) -> Int[Tensor, "B length"]:
        """The prompt followed by `num_tokens` most likely tokens, one after another.

        With the cache each step computes one position; without, the whole prefix again.
        """
        tokens = prompt
        caches = [KeyValueCache() for _ in self.stack.layers] if use_cache else None
        for _ in range(num_tokens):
            start = 0 if caches is None or tokens is prompt else tokens.shape[1] - 1
            logits, _ = self(tokens[:, start:], caches=caches, start=start)
            tokens = torch.cat([tokens, logits[:, -1:].argmax(-1)], dim=1)
        return tokens

"""One block of a Transformer, and what goes into the first one.

    x = x + Attention(LayerNorm(x));  x = x + FeedForward(LayerNorm(x))

Layer normalisation stands before each sublayer and once more at the end (the pre-norm form), which
trains without a warm-up schedule. The layout is Vaswani et al. (2017), "Attention is all you
need", https://arxiv.org/abs/1706.03762; pre-norm is Xiong et al. (2020), "On layer normalization
in the Transformer architecture", https://arxiv.org/abs/2002.04745.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.formulas.positions import sinusoids
from course_lib.gate.positions import sinusoidal_positions
from course_lib.modules.cache import KeyValueCache
from course_lib.modules.multi_head import MultiHeadAttention
from course_lib.token_table import TokenTable
from course_lib.transformer.config import TransformerConfig, configure
from course_lib.validation.arguments import flag, integer, number
from course_lib.validation.positions import check_positions
from course_lib.validation.tensors import may_look


class Embedding(nn.Module):
    """Token embedding times √d_model, plus a vector for the position.

    Args:
        vocab_size: how many tokens there are.
        config, settings: as in `LanguageModel`; of them d_model, scale_embedding, max_length, and
            positions: "sinusoidal" and "learned" add a vector, the others act elsewhere.
    """

    def __init__(
        self, vocab_size: int, config: TransformerConfig | None = None, **settings: Any
    ) -> None:
        super().__init__()
        config = configure(config, settings)
        d_model, self.positions = config.d_model, config.positions
        self.tokens = TokenTable(integer("vocab_size", vocab_size, 1), d_model)
        nn.init.normal_(self.tokens.weight, std=d_model**-0.5)
        self.scale = d_model**0.5 if config.scale_embedding else 1.0
        learned = self.positions == "learned"
        self.table = nn.Embedding(config.max_length, d_model) if learned else None

    def forward(
        self, tokens: Int[Tensor, "B T"], positions: Int[Tensor, "*B T"] | int = 0
    ) -> Float[Tensor, "B T d_model"]:
        """The vectors of the tokens at `positions`, (T,) or (B, T), or the first of T in a row.

        Raises:
            IndexError: for a token outside the vocabulary or a position outside a learned table.
            TypeError, ValueError: for tokens that are not integers (B, T), and for positions that
                are not as said above.
        """
        x = self.tokens(tokens)  # (B, T, d_model)
        if tokens.ndim != 2:
            raise ValueError(f"tokens must be (B, T), got shape {tuple(tokens.shape)}.")
        positions = check_positions(positions, tokens.shape)
        if self.scale != 1.0:
            x = x * self.scale
        if self.positions not in ("sinusoidal", "learned"):
            return x
        T = x.shape[1]
        if not isinstance(positions, Tensor):
            if self.table is None:
                rows = sinusoidal_positions(T, x.shape[-1], start=positions, device=x.device)
                return x + rows.to(x.dtype)
            self._check_table(positions, positions + T)
            positions = torch.arange(positions, positions + T, device=x.device)
        elif self.table is None:
            return x + sinusoids(positions.to(x.device), x.shape[-1]).to(x.dtype)
        elif positions.device.type == "cpu" and may_look(positions):
            positions = positions.long()  # the smallest of an unsigned kind cannot be told
            first, last = positions.aminmax() if positions.numel() else (0, -1)
            self._check_table(int(first), int(last) + 1)
        return x + self.table(positions.to(x.device).long())

    def _check_table(self, first: int, length: int) -> None:
        if first < 0:
            raise IndexError(f"positions must not be negative, got {first}: the table begins at 0.")
        if self.table is not None and length > self.table.num_embeddings:
            raise IndexError(
                f"a text of {length} positions is longer than the table of learned positions, "
                f"max_length = {self.table.num_embeddings}. Shorten the text, or build the model "
                "with a larger max_length."
            )


class FeedForward(nn.Sequential):
    """FFN(x) = W_2 relu(W_1 x + b_1) + b_2, at each position alone; gelu(a) = a Φ(a) for relu."""

    def __init__(
        self,
        d_model: int,
        d_hidden: int,
        dropout: float = 0.0,
        bias: bool = True,
        activation: Callable[[], nn.Module] = nn.ReLU,
    ) -> None:
        d_model, d_hidden, dropout, bias = _checked(d_model, d_hidden, dropout, bias)
        super().__init__(
            nn.Linear(d_model, d_hidden, bias=bias),
            activation(),
            nn.Dropout(dropout),
            nn.Linear(d_hidden, d_model, bias=bias),
        )


class GatedFeedForward(nn.Module):
    """GFF(x) = W_2 (silu(W_1 x) ⊙ W_3 x), at each position alone; silu(a) = a σ(a)."""

    def __init__(
        self, d_model: int, d_hidden: int, dropout: float = 0.0, bias: bool = False
    ) -> None:
        super().__init__()
        d_model, d_hidden, dropout, bias = _checked(d_model, d_hidden, dropout, bias)
        self.W_1 = nn.Linear(d_model, d_hidden, bias=bias)
        self.W_2 = nn.Linear(d_hidden, d_model, bias=bias)
        self.W_3 = nn.Linear(d_model, d_hidden, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Float[Tensor, "... d_model"]) -> Float[Tensor, "... d_model"]:
        return self.W_2(self.dropout(F.silu(self.W_1(x)) * self.W_3(x)))


def _checked(d_model: int, d_hidden: int, dropout: float, bias: bool) -> tuple[Any, ...]:
    sizes = integer("d_model", d_model, 1), integer("d_hidden", d_hidden, 1)
    return *sizes, number("dropout", dropout, least=0, below=1), flag("bias", bias)


FEED_FORWARD = {
    "relu": FeedForward,
    "gelu": partial(FeedForward, activation=nn.GELU),
    "gated": GatedFeedForward,
}


def make_norm(config: TransformerConfig) -> nn.Module:
    """The normalisation that the config names, of d_model features."""
    if config.norm == "rms":
        return nn.RMSNorm(config.d_model, eps=config.norm_eps)
    return nn.LayerNorm(config.d_model, eps=1e-5 if config.norm_eps is None else config.norm_eps)


class Layer(nn.Module):
    """Self-attention, then (in a decoder) cross-attention over `memory`, then feed-forward.

        x = x + SelfAttention(Norm(x))
        x = x + CrossAttention(Norm(x), memory)      with cross=True
        x = x + FeedForward(Norm(x))

    Args:
        config, settings: as in `LanguageModel`; the window is a single one. Positions act here when
            they are rotary; what number of layers there is, and the rest, is for a `Stack`.
        cross: whether there is cross-attention. It has as many KV heads as heads, no positions, no
            gate and no window.
    """

    def __init__(
        self, config: TransformerConfig | None = None, *, cross: bool = False, **settings: Any
    ) -> None:
        super().__init__()
        config, cross = configure(config, settings), flag("cross", cross)
        window = config.window
        if not (window is None or isinstance(window, int)):
            raise ValueError(f"one layer has one window, got {window}.")
        d_model, num_heads, bias = config.d_model, config.num_heads, config.bias
        self.self_attention = MultiHeadAttention(
            d_model,
            num_heads,
            num_kv_heads=config.num_kv_heads,
            head_dim=config.head_dim,
            bias=bias,
            rotary_base=config.rotary_base if config.positions == "rotary" else None,
            qk_norm=config.qk_norm,
            norm_eps=config.norm_eps,
            gate=config.gate,
        )
        self.self_norm = make_norm(config)
        plain = {"head_dim": config.head_dim, "bias": bias}
        self.cross_attention = MultiHeadAttention(d_model, num_heads, **plain) if cross else None
        self.cross_norm = make_norm(config) if cross else None
        make_feed_forward = FEED_FORWARD[config.feed_forward]
        self.feed_forward = make_feed_forward(d_model, config.d_hidden, config.dropout, bias)
        self.feed_norm = make_norm(config)
        self.dropout = nn.Dropout(config.dropout)
        self.window, self.sinks = window, config.sinks

    def forward(
        self,
        x: Float[Tensor, "B T d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        score_bias: Float[Tensor, "..."] | None = None,
        is_causal: bool = False,
        memory: Float[Tensor, "B S d_model"] | KeyValueCache | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        cache: KeyValueCache | None = None,
        positions: Int[Tensor, "*B T"] | int | None = None,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T d_model"], Tensor | None, Tensor | None]:
        """Returns (x, self-attention weights or None, cross-attention weights or None).

        mask, score_bias, is_causal, cache, positions: of the self-attention.
        memory: what the cross-attention looks at, (B, S, d_model), or its keys and values,
            projected before (`cross_attention.project_memory`).

        Raises:
            ValueError: for a cross-attention without a memory, and a memory without one.
        """
        if (memory is None) == (self.cross_attention is not None):
            needs = "has none" if self.cross_attention is None else "needs one: it looks at nothing"
            raise ValueError(f"memory is what cross-attention looks at, and this layer {needs}.")
        cache = self.new_cache() if cache is None else cache  # the cache sees to the window
        if (cache.window, cache.sinks) != (self.window, self.sinks):
            raise ValueError(f"this layer needs a cache like {self.new_cache()}, got {cache}.")
        context, own_weights = self.self_attention(
            self.self_norm(x),
            mask=mask,
            score_bias=score_bias,
            is_causal=is_causal,
            cache=cache,
            need_weights=need_weights,
            **({} if positions is None else {"positions": positions}),
        )
        x = x + self.dropout(context)
        cross_weights = None
        if self.cross_attention is not None and self.cross_norm is not None:
            projected = isinstance(memory, KeyValueCache)
            context, cross_weights = self.cross_attention(
                self.cross_norm(x),
                None if projected else memory,
                mask=memory_mask,
                cache=memory if projected else None,
                need_weights=need_weights,
            )
            x = x + self.dropout(context)
        return x + self.dropout(self.feed_forward(self.feed_norm(x))), own_weights, cross_weights

    def new_cache(self) -> KeyValueCache:
        """An empty cache that keeps what this layer's window can see."""
        return KeyValueCache(self.window, self.sinks)

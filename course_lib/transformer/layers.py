"""One block of a Transformer, and what goes into the first one.

    x = x + Attention(LayerNorm(x));  x = x + FeedForward(LayerNorm(x))

Layer normalisation stands before each sublayer and once more at the end (the pre-norm form), which
trains without a warm-up schedule. The layout is Vaswani et al. (2017), "Attention is all you
need", https://arxiv.org/abs/1706.03762; pre-norm is Xiong et al. (2020), "On layer normalization
in the Transformer architecture", https://arxiv.org/abs/2002.04745
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.attention.positions import sinusoidal_positions


class Embedding(nn.Module):
    """Token embedding times √d_model, plus a vector for the position.

    Args:
        vocab_size: how many tokens there are.
        d_model: size of the vectors.
        positions: "sinusoidal" or "learned" adds a vector, "none" does not; True and False mean
            "sinusoidal" and "none".
        max_length: rows of a learned table. Beyond it there is no position: IndexError.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        positions: str | bool = "sinusoidal",
        *,
        max_length: int = 512,
    ) -> None:
        super().__init__()
        if isinstance(positions, bool):
            positions = "sinusoidal" if positions else "none"
        if positions not in ("sinusoidal", "learned", "none"):
            raise ValueError(f'positions must be "sinusoidal", "learned" or "none": {positions!r}.')
        self.tokens = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.tokens.weight, std=d_model**-0.5)
        self.scale = d_model**0.5
        self.positions = positions
        self.table = nn.Embedding(max_length, d_model) if positions == "learned" else None

    def forward(self, tokens: Int[Tensor, "B T"], start: int = 0) -> Float[Tensor, "B T d_model"]:
        x = self.tokens(tokens) * self.scale  # (B, T, d_model)
        T, d_model = x.shape[1:]
        if self.positions == "sinusoidal":
            x = x + sinusoidal_positions(T, d_model, start=start, device=x.device).to(x.dtype)
        if self.table is not None:
            x = x + self.table(torch.arange(start, start + T, device=x.device))
        return x


class FeedForward(nn.Sequential):
    """FFN(x) = W_2 relu(W_1 x + b_1) + b_2, at each position alone."""

    def __init__(
        self, d_model: int, d_hidden: int, dropout: float = 0.0, bias: bool = True
    ) -> None:
        super().__init__(
            nn.Linear(d_model, d_hidden, bias=bias),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(d_hidden, d_model, bias=bias),
        )


class GatedFeedForward(nn.Module):
    """GFF(x) = W_2 (silu(W_1 x) ⊙ W_3 x), at each position alone; silu(a) = a σ(a)."""

    def __init__(
        self, d_model: int, d_hidden: int, dropout: float = 0.0, bias: bool = False
    ) -> None:
        super().__init__()
        self.W_1 = nn.Linear(d_model, d_hidden, bias=bias)
        self.W_2 = nn.Linear(d_hidden, d_model, bias=bias)
        self.W_3 = nn.Linear(d_model, d_hidden, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Float[Tensor, "... d_model"]) -> Float[Tensor, "... d_model"]:
        return self.W_2(self.dropout(F.silu(self.W_1(x)) * self.W_3(x)))


NORMS = {"layer": nn.LayerNorm, "rms": nn.RMSNorm}
FEED_FORWARD = {"relu": FeedForward, "gated": GatedFeedForward}


class Layer(nn.Module):
    """Self-attention, then (in a decoder) cross-attention over `memory`, then feed-forward.

        x = x + SelfAttention(Norm(x))
        x = x + CrossAttention(Norm(x), memory)      with cross=True
        x = x + FeedForward(Norm(x))

    Args:
        d_model, num_heads: of both attentions.
        d_hidden: width inside the feed-forward network.
        dropout: share of each sublayer's output set to zero while training.
        cross: whether there is cross-attention.
        num_kv_heads, rotary_base, qk_norm, gate: of the self-attention, as in
            `MultiHeadAttention`.
        norm, feed_forward, bias: as in `TransformerConfig`.
        window: the self-attention sees keys at most that many places away; None sees all.
        sinks: how many of the first keys it sees besides.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_hidden: int,
        dropout: float = 0.0,
        cross: bool = False,
        *,
        num_kv_heads: int | None = None,
        rotary_base: float | None = None,
        qk_norm: bool = False,
        gate: bool = False,
        norm: str = "layer",
        feed_forward: str = "relu",
        bias: bool = True,
        window: int | None = None,
        sinks: int = 0,
    ) -> None:
        super().__init__()
        if norm not in NORMS or feed_forward not in FEED_FORWARD:
            raise ValueError(
                f"norm is one of {', '.join(NORMS)} and feed_forward one of "
                f"{', '.join(FEED_FORWARD)}, got {norm!r} and {feed_forward!r}."
            )
        make_norm = NORMS[norm]
        self.self_attention = MultiHeadAttention(
            d_model,
            num_heads,
            num_kv_heads=num_kv_heads,
            bias=bias,
            rotary_base=rotary_base,
            qk_norm=qk_norm,
            gate=gate,
        )
        self.self_norm = make_norm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, bias=bias) if cross else None
        self.cross_norm = make_norm(d_model) if cross else None
        self.feed_forward = FEED_FORWARD[feed_forward](d_model, d_hidden, dropout, bias)
        self.feed_norm = make_norm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.window, self.sinks = window, sinks

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
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T d_model"], Tensor | None, Tensor | None]:
        """Returns (x, self-attention weights or None, cross-attention weights or None).

        mask, score_bias, is_causal, cache: of the self-attention.
        memory: what the cross-attention looks at, (B, S, d_model), or its keys and values,
            projected before (`cross_attention.project_memory`).
        """
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

"""Latent attention: one small vector per token from which every head makes its keys and values."""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import pad

from course_lib.gate.attention import scaled_dot_product_attention
from course_lib.gate.positions import rotary_embedding
from course_lib.modules.cache import KeyValueCache
from course_lib.validation.arguments import flag, integer, number
from course_lib.validation.layers import check_head_inputs, check_heads, matrix_of
from course_lib.validation.positions import query_key_positions


class LatentAttention(nn.Module):
    """Multi-head attention whose cache holds one latent vector per token, shared by all heads.

        c = W_c y,   k_i = W_k,i c,   v_i = W_v,i c,   head_i = attention(W_q,i x, k_i, v_i)

    The *absorbed* form never makes the keys and values. Since q_iᵀ (W_k,i c) = (W_k,iᵀ q_i)ᵀ c,
    each head takes W_k,i into its query and W_v,i behind its sum, and looks at the latents:

        head_i = W_v,i · attention(W_k,iᵀ W_q,i x, c, c)

    It gives the same numbers, and reads S · latent_dim numbers where the plain form makes
    2 · S · embed_dim: the one is for writing token by token, the other for training.

    A rotation would stand between W_k,i and the query and could not be absorbed, so positions go
    into a small key of their own, one for all heads, beside the latent:

        q_i = [W_q,i x; rotate(W_qr,i x)],   k_i = [W_k,i c; rotate(W_kr y)]

    Args:
        embed_dim, num_heads: as in `MultiHeadAttention`.
        latent_dim: size of c.
        rotary_dim: size of the rotated key; 0, the default, has no positions.
        rotary_base: of its angles.

    DeepSeek-AI (2024), "DeepSeek-V2: a strong, economical, and efficient mixture-of-experts
    language model", https://arxiv.org/abs/2405.04434, section 2.1; here with whole queries.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        *,
        latent_dim: int,
        rotary_dim: int = 0,
        rotary_base: float = 10000.0,
    ) -> None:
        super().__init__()
        embed_dim, num_heads, *_ = check_heads(embed_dim, num_heads, num_heads)
        latent_dim = integer("latent_dim", latent_dim, 1)
        rotary_base = number("rotary_base", rotary_base, above=0)
        rotary_dim = integer("rotary_dim", rotary_dim, 0)
        if rotary_dim % 2:
            raise ValueError(f"rotary_dim must be even, got {rotary_dim}.")
        self.num_heads, self.head_dim = num_heads, embed_dim // num_heads
        self.rotary_dim, self.rotary_base = rotary_dim, rotary_base
        self.W_q = nn.Linear(embed_dim, embed_dim, bias=False)
        self.W_c = nn.Linear(embed_dim, latent_dim, bias=False)
        self.W_k = nn.Linear(latent_dim, embed_dim, bias=False)
        self.W_v = nn.Linear(latent_dim, embed_dim, bias=False)
        self.W_o = nn.Linear(embed_dim, embed_dim, bias=False)
        self.W_qr = nn.Linear(embed_dim, num_heads * rotary_dim, bias=False) if rotary_dim else None
        self.W_kr = nn.Linear(embed_dim, rotary_dim, bias=False) if rotary_dim else None

    def forward(
        self,
        query: Float[Tensor, "B T d_model"],
        key: Float[Tensor, "B S d_model"] | None = None,
        value: None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        score_bias: Float[Tensor, "..."] | None = None,
        is_causal: bool = False,
        need_weights: bool = False,
        cache: KeyValueCache | None = None,
        positions: Int[Tensor, "*B T"] | int | None = None,
        absorbed: bool = False,
    ) -> tuple[Float[Tensor, "B T d_model"], Float[Tensor, "B H T _"] | None]:
        """Attend from each query to all keys, in every head.

        Arguments and results as in `MultiHeadAttention.forward`, but keys and values come from
        one latent, so there is no value. The cache keeps the latents as its keys and the rotated
        keys, if any, as its values. absorbed: which of the two equal forms is computed.
        """
        if value is not None:
            raise ValueError("keys and values come from one latent: leave value out.")
        key, absorbed = query if key is None else key, flag("absorbed", absorbed)
        cache = KeyValueCache() if cache is None else cache
        read = {"query": (query, self.W_q), "key": (key, self.W_c)}
        mask = check_head_inputs(self, self.num_heads, mask, score_bias, cache.kept, **read)

        T, rotary = query.shape[1], self.W_kr is not None
        q_at, k_at = query_key_positions(positions, len(cache), query, key, rotary)
        q = self._split_heads(self.W_q(query))  # (B, H, T, d)
        c = self.W_c(key)  # (B, S, latent)
        k_r = c[..., :0]  # (B, S, 0), or (B, S, rotary_dim)
        if self.W_kr is not None:
            k_r = rotary_embedding(self.W_kr(key), k_at, base=self.rotary_base)
        c, k_r, mask = cache.extend(c, k_r, mask, T, is_causal=is_causal)
        if absorbed:  # (H, d, latent) takes the queries to the latents, one for every head
            q = torch.einsum("bhtd,hdc->bhtc", q, self._by_head("W_k"))
            k = v = c[:, None]  # (B, 1, S, latent)
        else:
            k, v = self._split_heads(self.W_k(c)), self._split_heads(self.W_v(c))  # (B, H, S, d)
        width = v.shape[-1]
        if self.W_qr is not None:
            q_r = self._split_heads(self.W_qr(query))
            if isinstance(q_at, Tensor) and q_at.ndim == 2:
                q_at = q_at[:, None]  # (B, 1, T): the same in every head
            q_r = rotary_embedding(q_r, q_at, base=self.rotary_base)
            q = torch.cat([q, q_r], dim=-1)
            k_r = k_r[:, None].expand(-1, k.shape[1], -1, -1)
            k = torch.cat([k, k_r], dim=-1)
            # Fused kernels want values as wide as keys: what the rotated part adds is cut off.
            v = k if absorbed else pad(v, (0, self.rotary_dim))
        options = {"score_bias": score_bias, "is_causal": is_causal, "need_weights": need_weights}
        scale = 1 / math.sqrt(self.head_dim + self.rotary_dim)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, scale=scale, **options)
        heads = heads[..., :width]
        if absorbed:
            heads = torch.einsum("bhtc,hdc->bhtd", heads, self._by_head("W_v"))
        return self.W_o(heads.transpose(1, 2).flatten(2)), weights

    def _by_head(self, name: str) -> Tensor:
        """The matrix (H · d, latent) of a layer as (H, d, latent)."""
        return matrix_of(self, name).unflatten(0, (self.num_heads, -1))

    def _split_heads(self, x: Tensor) -> Tensor:
        """(B, length, heads · d) → (B, heads, length, d), a view."""
        return x.unflatten(2, (self.num_heads, -1)).transpose(1, 2)

"""Multi-head attention: several small attentions side by side."""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.gate.attention import scaled_dot_product_attention
from course_lib.modules.cache import KeyValueCache
from course_lib.modules.from_torch import copy_weights, sizes_of
from course_lib.modules.rotary_state import RotaryModule
from course_lib.validation.arguments import flag, integer, number
from course_lib.validation.layers import (
    check_head_inputs,
    check_heads,
    check_memory,
    check_sequences,
)
from course_lib.validation.positions import query_key_positions


class MultiHeadAttention(RotaryModule):
    """Split the features over H heads, attend in each, join what they found.

        head_i = attention(W_q,i x, W_k,i y, W_v,i y),   output = W_o [head_1; …; head_H]

    Args:
        embed_dim: features of the queries and of the output; H must divide it, unless head_dim
            is given.
        num_heads: how many heads, H.
        num_kv_heads: heads of keys and values, each serving H / num_kv_heads heads of queries.
            H of them (the default) is multi-head, 1 is multi-query, between is grouped-query.
        head_dim: features of one head, d; embed_dim / H if there is none. Queries and what the
            heads found then have H · d features, which W_o maps back to embed_dim.
        kdim, vdim: last dimensions of key and value; default to embed_dim.
        bias: whether the linear maps add one.
        dropout: share of the weights set to zero while training.
        rotary_base: turn queries and keys by their positions (`rotary_embedding`); None does not.
            Positions go on from the cache, and the last query has that of the last key.
            The buffer `rotary_frequencies` holds the angles: assign others
            (`course_lib.transformer.stretched`) to read longer texts with a trained model.
        qk_norm: bring the queries and keys of each head to one size (RMSNorm), so that no score
            can grow without bound.
        norm_eps: what that RMSNorm adds to the mean square; None is PyTorch's default.
        gate: multiply what the heads found by σ(W_g x) before W_o, so that a head may say nothing.

    `torch.export` traces it; `torch.fx.symbolic_trace` cannot: it has no shapes to check.

    Raises:
        ValueError: when H does not divide embed_dim and there is no head_dim, or num_kv_heads does
            not divide H.

    Vaswani et al. (2017), "Attention is all you need", https://arxiv.org/abs/1706.03762, section
    3.2.2; Shazeer (2019), "Fast Transformer decoding: one write-head is all you need",
    https://arxiv.org/abs/1911.02150; Ainslie et al. (2023), "GQA: training generalized multi-query
    Transformer models from multi-head checkpoints", https://arxiv.org/abs/2305.13245; Dehghani et
    al. (2023), "Scaling vision Transformers to 22 billion parameters",
    https://arxiv.org/abs/2302.05442 (normalized queries and keys); Qiu et al. (2025), "Gated
    attention for large language models", https://arxiv.org/abs/2505.06708.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        *,
        num_kv_heads: int | None = None,
        head_dim: int | None = None,
        kdim: int | None = None,
        vdim: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
        rotary_base: float | None = None,
        qk_norm: bool = False,
        norm_eps: float | None = None,
        gate: bool = False,
    ) -> None:
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        rotary = rotary_base is not None
        embed_dim, num_heads, num_kv_heads, dropout, d = check_heads(
            embed_dim, num_heads, num_kv_heads, dropout, head_dim=head_dim, rotary=rotary
        )
        kdim = embed_dim if kdim is None else integer("kdim", kdim, 1)
        vdim = embed_dim if vdim is None else integer("vdim", vdim, 1)
        bias, qk_norm, gate = flag("bias", bias), flag("qk_norm", qk_norm), flag("gate", gate)
        if rotary_base is not None:
            rotary_base = number("rotary_base", rotary_base, above=0)
        if norm_eps is not None:
            norm_eps = number("norm_eps", norm_eps, least=0)
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.dropout = dropout
        self.keep_frequencies(d, rotary_base)
        self.W_q = nn.Linear(embed_dim, num_heads * d, bias=bias)
        self.W_k = nn.Linear(kdim, num_kv_heads * d, bias=bias)
        self.W_v = nn.Linear(vdim, num_kv_heads * d, bias=bias)
        self.W_o = nn.Linear(num_heads * d, embed_dim, bias=bias)
        self.W_g = nn.Linear(embed_dim, num_heads * d, bias=bias) if gate else None
        self.q_norm = nn.RMSNorm(d, eps=norm_eps) if qk_norm else nn.Identity()
        self.k_norm = nn.RMSNorm(d, eps=norm_eps) if qk_norm else nn.Identity()
        for linear in (m for m in self.modules() if isinstance(m, nn.Linear)):
            nn.init.xavier_uniform_(linear.weight)
            if bias:
                nn.init.zeros_(linear.bias)

    def forward(
        self,
        query: Float[Tensor, "B T d_model"],
        key: Float[Tensor, "B S k"] | None = None,
        value: Float[Tensor, "B S v"] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        score_bias: Float[Tensor, "..."] | None = None,
        is_causal: bool = False,
        need_weights: bool = False,
        cache: KeyValueCache | None = None,
        positions: Int[Tensor, "*B T"] | int | None = None,
    ) -> tuple[Float[Tensor, "B T d_model"], Float[Tensor, "B H T _"] | None]:
        """Attend from each query to all keys, in every head.

        Args:
            query: (B, T, embed_dim).
            key: (B, S, kdim); defaults to query (self-attention).
            value: (B, S, vdim); defaults to key.
            mask: True = may attend; (T, S), (B, T, S) for every head, or (B, H, T, S). A hidden
                value must be finite, as 0 · NaN is NaN.
            score_bias: floats added to the scores; (T, S), (H, T, S) or (B, H, T, S).
            is_causal: hide the future. Aligned bottom-right, the last query seeing every key, as
                it must be with a cache; torch's own `is_causal` is aligned top-left.
            need_weights: return the weights, those that dropout has left while training.
            cache: the new keys and values are appended to it, S counts all that it keeps, and
                rotary positions go on from `len(cache)`. Its window holds for several new
                positions as for one. A fixed one (`project_memory`) takes the place of the key.
            positions: integers (T,) or (B, T), or the first of T in a row, by which the queries and
                as many new keys are turned: for several texts in one row, or texts padded on the
                left. A mask must keep them apart. Only with rotary_base.

        Returns:
            The output (B, T, embed_dim), and the weights (B, H, T, S) or None.

        Raises:
            ValueError: when shapes or devices do not fit.
            TypeError: for a mask that is not boolean.
        """
        cache = KeyValueCache() if cache is None else cache
        key, value, mask = self._checked(query, key, value, mask, score_bias, cache, positions)

        q = self.q_norm(self._split_heads(self.W_q(query)))  # (B, H, T, d)
        if cache.fixed:
            k, v = cache.held()
        else:
            rotary = self.rotary_frequencies is not None
            at = query_key_positions(positions, len(cache), query, key, rotary)
            k, v = self._keys_values(key, value)  # (B, H_kv, S, d)
            q, k = self._rotate(q, k, *at)
            k, v, mask = cache.extend(k, v, mask, q.shape[2], is_causal=is_causal)
        options = {"score_bias": score_bias, "is_causal": is_causal, "need_weights": need_weights}
        dropout_p = self.dropout if self.training else 0.0
        heads, weights = scaled_dot_product_attention(q, k, v, mask, dropout_p=dropout_p, **options)
        joined = heads.transpose(1, 2).flatten(2)  # (B, H, T, d) → (B, T, H · d)
        if self.W_g is not None:
            joined = joined * self.W_g(query).sigmoid()
        return self.W_o(joined), weights

    def _keys_values(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        k = self.k_norm(self._split_heads(self.W_k(key)))
        return k, self._split_heads(self.W_v(value))

    def _split_heads(self, x: Tensor) -> Tensor:
        """(B, length, heads · d) → (B, heads, length, d), a view."""
        return x.unflatten(2, (-1, self.head_dim)).transpose(1, 2)

    def project_memory(
        self, key: Float[Tensor, "B S k"], value: Float[Tensor, "B S v"] | None = None
    ) -> KeyValueCache:
        """The keys and values of a memory that many queries will attend to, projected once.

        `attention(query, cache=attention.project_memory(memory))` equals `attention(query,
        memory)`; a decoder that writes word by word keeps the cache and passes it at every step.

        Raises:
            ValueError: with rotary positions: a query would not know its own.
        """
        if self.rotary_frequencies is not None:
            raise ValueError("with rotary positions a memory cannot be projected ahead.")
        value = key if value is None else value
        check_sequences(self, key=(key, self.W_k), value=(value, self.W_v))
        memory = KeyValueCache()
        memory.append(*self._keys_values(key, value), copy=False)
        memory.fixed = True
        return memory

    def _checked(
        self, query: Tensor, key: Tensor | None, value: Tensor | None, mask: Tensor | None,
        score_bias: Tensor | None, cache: KeyValueCache, positions: Tensor | int | None,
    ) -> tuple[Tensor, Tensor, Tensor | None]:  # fmt: skip
        """The key and the value, and a mask with an axis for the heads."""
        check_memory(cache, key, value, positions)
        key = query if key is None else key
        value = key if value is None else value
        read = {"query": (query, self.W_q)}
        if not cache.fixed:
            read |= {"key": (key, self.W_k), "value": (value, self.W_v)}
        kept = cache.kept
        mask = check_head_inputs(self, self.num_heads, mask, score_bias, kept, **read)
        return key, value, mask

    @classmethod
    def from_torch(cls, module: nn.MultiheadAttention) -> "MultiHeadAttention":
        """A copy of an `nn.MultiheadAttention`: weights, dtype, device, mode, what is frozen.

        Ours is batch first whatever `batch_first` says.

        Raises:
            ValueError: for a module with add_bias_kv or add_zero_attn, which ours has not.
        """
        return copy_weights(module, cls(**sizes_of(module)).to(module.out_proj.weight))

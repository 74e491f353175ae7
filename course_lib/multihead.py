"""Multi-head attention: several small attentions side by side."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention import scaled_dot_product_attention
from course_lib.cache import KeyValueCache
from course_lib.checks import check_attention_inputs, check_last_dim, check_mask


class MultiHeadAttention(nn.Module):
    """Split the features over H heads, attend in each, join what they found.

        head_i = attention(W_q,i x, W_k,i y, W_v,i y),   output = W_o [head_1; …; head_H]

    num_kv_heads: heads of keys and values, each serving H / num_kv_heads heads of queries.
        H of them (the default) is multi-head, 1 is multi-query, between is grouped-query.
    kdim, vdim: last dimensions of key and value; default to embed_dim.
    dropout: share of the weights set to zero while training.
    Raises ValueError when H does not divide embed_dim or num_kv_heads does not divide H.
    Vaswani et al. (2017), section 3.2.2; Shazeer (2019); Ainslie et al. (2023).
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        *,
        num_kv_heads: int | None = None,
        kdim: int | None = None,
        vdim: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        if min(embed_dim, num_heads, num_kv_heads) < 1:
            raise ValueError(
                "embed_dim, num_heads and num_kv_heads must be at least 1, "
                f"got {embed_dim}, {num_heads} and {num_kv_heads}."
            )
        if embed_dim % num_heads:
            raise ValueError(f"num_heads = {num_heads} must divide embed_dim = {embed_dim}.")
        if num_heads % num_kv_heads:
            raise ValueError(f"num_kv_heads = {num_kv_heads} must divide num_heads = {num_heads}.")
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout must lie in [0, 1), got {dropout}.")
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.head_dim = embed_dim // num_heads
        self.dropout = dropout
        kv_dim = num_kv_heads * self.head_dim
        self.W_q = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.W_k = nn.Linear(embed_dim if kdim is None else kdim, kv_dim, bias=bias)
        self.W_v = nn.Linear(embed_dim if vdim is None else vdim, kv_dim, bias=bias)
        self.W_o = nn.Linear(embed_dim, embed_dim, bias=bias)
        for linear in (self.W_q, self.W_k, self.W_v, self.W_o):
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
        is_causal: bool = False,
        need_weights: bool = False,
        cache: KeyValueCache | None = None,
    ) -> tuple[Float[Tensor, "B T d_model"], Float[Tensor, "B H T _"] | None]:
        """Attend from each query to all keys, in every head.

        key defaults to query (self-attention), value to key.
        mask: True = may attend; (T, S), (B, T, S) for every head, or (B, H, T, S).
        cache: the new keys and values are appended to it, and S counts all that it holds.
        Returns output (B, T, embed_dim), and weights (B, H, T, S) or None.
        Raises ValueError when shapes or devices do not fit, TypeError for a mask not boolean.
        """
        key = query if key is None else key
        value = key if value is None else value
        check_attention_inputs(query, key, value)
        for name, x, linear in (
            ("query", query, self.W_q),
            ("key", key, self.W_k),
            ("value", value, self.W_v),
        ):
            check_last_dim(name, x, linear.in_features, "this MultiHeadAttention")
            if x.ndim != 3:
                raise ValueError(f"{name} must be (B, length, d), got shape {tuple(x.shape)}.")
        (B, T, _), S = query.shape, key.shape[1] + (0 if cache is None else len(cache))
        if mask is not None:
            if isinstance(mask, Tensor) and mask.ndim == 3:
                mask = mask[:, None]  # (B, 1, T, S): the same for every head
            check_mask(mask, (B, self.num_heads, T, S), query.device)

        q = self._split_heads(self.W_q(query))  # (B, H, T, d)
        k = self._split_heads(self.W_k(key))  # (B, H_kv, S, d)
        v = self._split_heads(self.W_v(value))  # (B, H_kv, S, d)
        if cache is not None:
            k, v = cache.append(k, v)
        dropout_p = self.dropout if self.training else 0.0
        heads, weights = scaled_dot_product_attention(
            q, k, v, mask, is_causal=is_causal, dropout_p=dropout_p, need_weights=need_weights
        )  # (B, H, T, d)
        return self.W_o(heads.transpose(1, 2).flatten(2)), weights  # (B, T, d_model)

    def _split_heads(self, x: Tensor) -> Tensor:
        """(B, length, heads · d) → (B, heads, length, d), a view."""
        return x.view(*x.shape[:2], x.shape[2] // self.head_dim, self.head_dim).transpose(1, 2)

    @classmethod
    def from_torch(cls, module: nn.MultiheadAttention) -> "MultiHeadAttention":
        """A copy of an `nn.MultiheadAttention`, with its weights, dtype, device and mode.

        Ours is batch first whatever `batch_first` says.
        Raises ValueError for a module with add_bias_kv or add_zero_attn, which ours has not.
        """
        if module.bias_k is not None or module.bias_v is not None or module.add_zero_attn:
            raise ValueError("add_bias_kv and add_zero_attn have no counterpart here.")
        ours = cls(
            module.embed_dim,
            module.num_heads,
            kdim=module.kdim,
            vdim=module.vdim,
            bias=module.in_proj_bias is not None,
            dropout=module.dropout,
        )
        packed = module.in_proj_weight is not None  # torch keeps three matrices if sizes differ
        weights = (
            module.in_proj_weight.chunk(3)
            if packed
            else (module.q_proj_weight, module.k_proj_weight, module.v_proj_weight)
        )
        state = dict(zip(("W_q.weight", "W_k.weight", "W_v.weight"), weights, strict=True))
        state["W_o.weight"] = module.out_proj.weight
        if module.in_proj_bias is not None:
            names = ("W_q.bias", "W_k.bias", "W_v.bias")
            state |= dict(zip(names, module.in_proj_bias.chunk(3), strict=True))
            state["W_o.bias"] = module.out_proj.bias
        ours.to(module.out_proj.weight).load_state_dict(state)
        return ours.train(module.training)

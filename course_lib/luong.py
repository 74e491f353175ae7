"""Luong's attention: three scores, and three ideas of where to look."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention import as_asked, as_sequence, attention_weights
from course_lib.kernels import additive_attention, fused_attention
from course_lib.scores import additive_scores, dot_scores

SCORES = ("dot", "general", "concat")
SCOPES = ("global", "local-m", "local-p")


class LuongAttention(nn.Module):
    """Attention of a decoder state h_t over the encoder's states h_s.

        dot      h_tᵀ h_s             global    every word
        general  h_tᵀ W_a h_s         local-m   the words within D of p_t = t
        concat   v_aᵀ tanh(W_a[h_t; h_s])
                                      local-p   the words within D of a predicted p_t

    local-p predicts p_t = S · sigmoid(v_pᵀ tanh(W_p h_t)), S being each sentence's own length,
    and multiplies the weights by exp(−(s − p_t)² / 2σ²) with σ = D/2. They no longer sum to one.
    Luong, Pham & Manning (2015), sections 3.1 and 3.2.
    """

    def __init__(
        self,
        query_dim: int,
        key_dim: int,
        *,
        score: str = "dot",
        scope: str = "global",
        window: int = 10,
    ) -> None:
        super().__init__()
        if score not in SCORES:
            raise ValueError(f"score must be one of {', '.join(SCORES)}, got {score!r}.")
        if scope not in SCOPES:
            raise ValueError(f"scope must be one of {', '.join(SCOPES)}, got {scope!r}.")
        if score == "dot" and query_dim != key_dim:
            raise ValueError(
                f"the dot score needs query_dim = key_dim, got {query_dim} and {key_dim}. "
                "Use score='general' to join different sizes."
            )
        if window < 1:
            raise ValueError(f"window must be at least 1, got {window}.")
        self.query_dim, self.key_dim = query_dim, key_dim
        self.score, self.scope, self.window = score, scope, window
        if score == "general":
            self.W_a = nn.Linear(key_dim, query_dim, bias=False)
        if score == "concat":
            self.W_a = nn.Linear(query_dim + key_dim, query_dim, bias=False)
            self.v_a = nn.Linear(query_dim, 1, bias=False)
        if scope == "local-p":
            self.W_p = nn.Linear(query_dim, query_dim, bias=False)
            self.v_p = nn.Linear(query_dim, 1, bias=False)

    def forward(
        self,
        query: Float[Tensor, "B d"] | Float[Tensor, "B T d"],
        keys: Float[Tensor, "B S d_k"],
        values: Float[Tensor, "B S d_v"] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        *,
        need_weights: bool = True,
        first_position: int = 0,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend from each query to the keys in its scope.

        query: (B, d) for one decoder step or (B, T, d).  values: default to the keys.
        mask: broadcastable to (B, T, S), or (B, S) for one step; True = may attend.
        first_position: the index t of the first query, for local-m when decoding step by step.
        Returns context (B, d_v) or (B, T, d_v), and weights (B, S) or (B, T, S), or None.
        Raises ValueError when shapes or devices do not fit, TypeError for a mask not boolean.
        """
        dims = self.query_dim, self.key_dim
        query, values, mask, one_step = as_sequence(query, keys, values, mask, dims)
        if self.scope == "global" and not need_weights:
            return as_asked(self._fast(query, keys, values, mask), None, one_step)
        gaussian = None
        if self.scope != "global":
            positions = self.positions(query, keys.shape[1], mask, first_position)  # (B or 1, T)
            distance = torch.arange(keys.shape[1], device=keys.device) - positions[..., None]
            near = distance.abs() <= self.window  # (B or 1, T, S)
            mask = near if mask is None else mask & near
            if self.scope == "local-p":
                gaussian = torch.exp(-(distance**2) / (2 * (self.window / 2) ** 2))
        weights = attention_weights(self._scores(query, keys), mask)  # (B, T, S)
        if gaussian is not None:
            weights = weights * gaussian.to(weights.dtype)
        return as_asked(weights @ values, weights if need_weights else None, one_step)

    def positions(
        self, query: Tensor, n_keys: int, mask: Tensor | None = None, first_position: int = 0
    ) -> Tensor:
        """The centre p_t of each query's window, (B, T); for local-m the same (1, T) for all."""
        if self.scope == "local-m":
            return first_position + torch.arange(query.shape[1], device=query.device)[None]
        height = self.v_p(torch.tanh(self.W_p(query)))[..., 0]  # (B, T)
        height = height.to(torch.promote_types(height.dtype, torch.float32))
        return _lengths(mask, n_keys) * torch.sigmoid(height)

    def _scores(self, query: Tensor, keys: Tensor) -> Tensor:
        if self.score == "concat":
            return additive_scores(*self._concat_parts(query, keys))
        return dot_scores(query, keys if self.score == "dot" else self.W_a(keys))

    def _fast(self, query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
        """The context alone, by the kernels that never hold the weights."""
        if self.score == "concat":
            return additive_attention(*self._concat_parts(query, keys), values, mask)
        keys = keys if self.score == "dot" else self.W_a(keys)
        return fused_attention(query, keys, values, mask, scale=1.0)

    def _concat_parts(self, query: Tensor, keys: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """W_a [h_t; h_s] = W_left h_t + W_right h_s: no joined vector per pair is needed."""
        left, right = self.W_a.weight.split([self.query_dim, self.key_dim], dim=1)
        return query @ left.mT, keys @ right.mT, self.v_a.weight[0]


def _lengths(mask: Tensor | None, n_keys: int) -> Tensor | int:
    """One more than the last place a query may attend to: the sentence without its padding."""
    if mask is None:
        return n_keys
    places = torch.arange(1, mask.shape[-1] + 1, device=mask.device)
    lengths = (mask * places).amax(-1)
    return lengths if mask.shape[-1] == n_keys else lengths * n_keys

"""Luong's attention: three scores, and three ideas of where to look."""

import torch
from torch import Tensor, nn

from course_lib.formulas.precision import weighted_sum
from course_lib.formulas.softmax import masked_softmax
from course_lib.gate.attention import scaled_dot_product_attention
from course_lib.gate.scores import additive_scores, dot_scores
from course_lib.kernels import additive
from course_lib.modules.decoder import DecoderAttention, as_asked
from course_lib.validation.arguments import flag, integer, one_of
from course_lib.validation.layers import matrix_of

SCORES = ("dot", "general", "concat")
SCOPES = ("global", "local-m", "local-p")


class LuongAttention(DecoderAttention):
    """Attention of a decoder state h_t over the encoder's states h_s.

        dot      h_tᵀ h_s             global    every word
        general  h_tᵀ W_a h_s         local-m   the words within D of p_t = t
        concat   v_aᵀ tanh(W_a[h_t; h_s])
                                      local-p   the words within D of a predicted p_t

    local-p predicts p_t = S · sigmoid(v_pᵀ tanh(W_p h_t)), S being each sentence's own length, and
    multiplies the weights by exp(−(s − p_t)² / 2σ²) with σ = D/2. They no longer sum to one. Both
    local scopes count from the first word that the mask lets a query see, so that padding may stand
    on either side.

    Luong, Pham & Manning (2015), "Effective approaches to attention-based neural machine
    translation", https://arxiv.org/abs/1508.04025, sections 3.1 and 3.2.
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
        super().__init__(query_dim, key_dim)
        one_of("score", score, SCORES)
        one_of("scope", scope, SCOPES)
        query_dim, key_dim = self.query_dim, self.key_dim
        if score == "dot" and query_dim != key_dim:
            raise ValueError(
                f"the dot score needs query_dim = key_dim, got {query_dim} and {key_dim}. "
                "Use score='general' to join different sizes."
            )
        self.score, self.scope, self.window = score, scope, integer("window", window, 1)
        if score == "general":
            self.W_a = nn.Linear(key_dim, query_dim, bias=False)
        if score == "concat":
            self.W_a = nn.Linear(query_dim + key_dim, query_dim, bias=False)
            self.v_a = nn.Linear(query_dim, 1, bias=False)
        if scope == "local-p":
            self.W_p = nn.Linear(query_dim, query_dim, bias=False)
            self.v_p = nn.Linear(query_dim, 1, bias=False)

    def forward(
        self, query: Tensor, keys: Tensor, values: Tensor | None = None,
        mask: Tensor | None = None, *, need_weights: bool = True, first_position: int = 0,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """As `DecoderAttention.forward`; local-m begins at first_position, a step's own place."""
        first_position = integer("first_position", first_position, 0)
        need_weights = flag("need_weights", need_weights)
        steps, keys, values, mask = self._checked(query, keys, values, mask)
        q, k, v_a = self._projected(steps, keys)
        if self.scope == "global" and not need_weights:
            if v_a is None:
                options = {"scale": 1.0, "need_weights": False}
                context, _ = scaled_dot_product_attention(q, k, values, mask, **options)
            else:
                context = additive.additive_context(q, k, v_a, values, mask)
            if context is not None:
                return as_asked(query, context, None)
        gaussian = None
        if self.scope != "global":
            centers = self.window_centers(steps, keys.shape[1], mask, first_position)  # (B, T)
            distance = torch.arange(keys.shape[1], device=keys.device) - centers[..., None]
            near = distance.abs() <= self.window  # (B or 1, T, S)
            mask = near if mask is None else mask & near
            if self.scope == "local-p":
                gaussian = torch.exp(-(distance**2) / (2 * (self.window / 2) ** 2))
        scores = dot_scores(q, k) if v_a is None else additive_scores(q, k, v_a)
        weights = masked_softmax(scores, mask)  # (B, T, S)
        if gaussian is not None:
            weights = weights * gaussian
        context = weighted_sum(weights, values)
        return as_asked(query, context, weights.to(values.dtype) if need_weights else None)

    def window_centers(
        self, query: Tensor, n_keys: int, mask: Tensor | None = None, first_position: int = 0
    ) -> Tensor:
        """The centre p_t of each query's window: (B, T), or (1, T) where all have the same."""
        start, length = _extent(mask, n_keys)
        if self.scope == "local-m":
            return start + first_position + torch.arange(query.shape[1], device=query.device)[None]
        logit = self.v_p(torch.tanh(self.W_p(query)))[..., 0]  # (B, T)
        logit = logit.to(torch.promote_types(logit.dtype, torch.float32))
        return start + length * torch.sigmoid(logit)

    def _projected(self, query: Tensor, keys: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """The score is a dot product of the first two or, with v_a, additive."""
        if self.score != "concat":
            return query, keys if self.score == "dot" else self.W_a(keys), None
        # W_a [h_t; h_s] = W_left h_t + W_right h_s: no joined vector per pair is needed.
        left, right = matrix_of(self, "W_a").split([self.query_dim, self.key_dim], dim=1)
        return query @ left.mT, keys @ right.mT, matrix_of(self, "v_a")[0]


def _extent(mask: Tensor | None, n_keys: int) -> tuple[Tensor | int, Tensor | int]:
    """Where the sentence without its padding begins, and how long it is: (B or 1, T or 1)."""
    if mask is None:
        return 0, n_keys
    places = torch.arange(n_keys, device=mask.device)
    start = torch.where(mask, places, n_keys).amin(-1)
    stop = torch.where(mask, places + 1, 0).amax(-1)
    return start, (stop - start).clamp_min(0)

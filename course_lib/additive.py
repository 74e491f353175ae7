"""Additive attention: Bahdanau's alignment model."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention import as_asked, as_sequence, attend
from course_lib.kernels import additive_attention
from course_lib.scores import additive_scores


class AdditiveAttention(nn.Module):
    """Score each key with a small network, then take the weighted mean of the values.

        score(s, h) = v_aᵀ tanh(W_a s + U_a h),   weights = softmax(score),   context = Σ_j w_j h_j

    s is the decoder state *before* the step, h_j the encoder's annotation of word j. The paper
    also writes W_a [s; h] with one joined matrix: W_a and U_a are its left and right part, and
    apart they let U_a h be computed once for a whole translation (`key_proj`).
    Bahdanau, Cho & Bengio (2015), section 3.1 and appendix A.1.2.
    """

    def __init__(self, query_dim: int, key_dim: int, attention_dim: int) -> None:
        super().__init__()
        self.W_a = nn.Linear(query_dim, attention_dim, bias=False)
        self.U_a = nn.Linear(key_dim, attention_dim, bias=False)
        self.v_a = nn.Linear(attention_dim, 1, bias=False)

    def forward(
        self,
        query: Float[Tensor, "B d"] | Float[Tensor, "B T d"],
        keys: Float[Tensor, "B S d_k"],
        values: Float[Tensor, "B S d_v"] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        *,
        need_weights: bool = True,
        key_proj: Float[Tensor, "B S a"] | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend from each query to all keys.

        query: (B, d) for one decoder step or (B, T, d).  values: default to the keys.
        mask: broadcastable to (B, T, S), or (B, S) for one step; True = may attend.
        key_proj: `self.U_a(keys)`, when the caller kept it from an earlier step.
        Returns context (B, d_v) or (B, T, d_v), and weights (B, S) or (B, T, S), or None when
        need_weights is False, which runs the kernel that never holds (T, S, a).
        Raises ValueError when shapes or devices do not fit, TypeError for a mask not boolean.
        """
        dims = self.W_a.in_features, self.U_a.in_features
        query, values, mask, one_step = as_sequence(query, keys, values, mask, dims)
        query_proj = self.W_a(query)  # (B, T, a)
        if key_proj is None:
            key_proj = self.U_a(keys)  # (B, S, a)
        wanted = (*keys.shape[:2], self.U_a.out_features)
        if key_proj.shape != wanted:
            raise ValueError(f"key_proj has shape {tuple(key_proj.shape)}, not {wanted}.")
        v_a = self.v_a.weight[0]  # (a,)
        if need_weights:
            scores = additive_scores(query_proj, key_proj, v_a)  # (B, T, S)
            return as_asked(*attend(scores, values, mask), one_step)
        context = additive_attention(query_proj, key_proj, v_a, values, mask)
        return as_asked(context, None, one_step)

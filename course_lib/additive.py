"""Additive attention: Bahdanau's alignment model."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib import fast
from course_lib.checks import restore_rank, to_3d
from course_lib.scores import additive_scores
from course_lib.softmax import attention_weights


class AdditiveAttention(nn.Module):
    """Score each key with a small network, then take the weighted mean of the values.

        score(s, h) = v_aᵀ tanh(W_a s + U_a h),   α = softmax(score),   context = Σ_j α_j h_j

    s is the decoder state *before* the step, h_j the encoder's annotation of word j. The paper
    also writes W_a [s; h] with one joined matrix: W_a and U_a are its left and right part, and
    apart they let U_a h be computed once for a whole translation (`key_proj`).

    Paper: Bahdanau, Cho & Bengio (2015), `Neural machine translation by jointly learning to align
    and translate <https://arxiv.org/abs/1409.0473>`_, section 3.1 and appendix A.1.2.
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

        Args:
            query: (B, d) for one decoder step or (B, T, d).
            values: default to the keys.
            mask: broadcastable to (B, T, S), True = may attend. Two axes are (T, S) beside a query
                (B, T, d), and (B, S) beside one step; `padding_mask` gives (B, 1, S), which is
                never mistaken.
            need_weights: False runs the kernel that never holds (T, S, a).
            key_proj: `self.U_a(keys)`, when the caller kept it from an earlier step.

        Returns:
            context (B, d_v) or (B, T, d_v), and weights (B, S) or (B, T, S), or None.

        Raises:
            ValueError: when shapes or devices do not fit.
            TypeError: for a mask that is not boolean, and for integers.
        """
        dims = self.W_a.in_features, self.U_a.in_features
        query, values, mask, one_step = to_3d(query, keys, values, mask, dims)
        query_proj = self.W_a(query)  # (B, T, a)
        if key_proj is None:
            key_proj = self.U_a(keys)  # (B, S, a)
        elif key_proj.shape != (wanted := (*keys.shape[:2], self.U_a.out_features)):
            raise ValueError(f"key_proj has shape {tuple(key_proj.shape)}, not {wanted}.")
        v_a = self.v_a.weight[0]  # (a,)
        if not need_weights:
            context = fast.context("additive", query_proj, key_proj, v_a, values, mask)
            if context is not None:
                return restore_rank(context, None, one_step)
        weights = attention_weights(additive_scores(query_proj, key_proj, v_a), mask)  # (B, T, S)
        return restore_rank(weights @ values, weights if need_weights else None, one_step)

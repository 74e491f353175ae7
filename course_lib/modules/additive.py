"""Additive attention: Bahdanau's alignment model."""

from torch import Tensor, nn

from course_lib.formulas.precision import weighted_sum
from course_lib.formulas.softmax import masked_softmax
from course_lib.gate.scores import additive_scores
from course_lib.kernels import additive as kernel
from course_lib.modules.decoder import DecoderAttention, as_asked
from course_lib.validation.arguments import flag, integer
from course_lib.validation.layers import matrix_of
from course_lib.validation.tensors import check_floating, check_same_device


class AdditiveAttention(DecoderAttention):
    """Score each key with a small network, then take the weighted mean of the values.

        score(s, h) = v_aᵀ tanh(W_a s + U_a h),   α = softmax(score),   context = Σ_j α_j h_j

    s is the decoder state *before* the step, h_j the encoder's annotation of word j. The paper
    also writes W_a [s; h] with one joined matrix: W_a and U_a are its left and right part, and
    apart they let U_a h be computed once for a whole translation (`forward(..., key_proj=…)`).

    Bahdanau, Cho & Bengio (2015), "Neural machine translation by jointly learning to align and
    translate", https://arxiv.org/abs/1409.0473, section 3.1 and appendix A.1.2.
    """

    def __init__(self, query_dim: int, key_dim: int, attention_dim: int) -> None:
        super().__init__(query_dim, key_dim)
        attention_dim = integer("attention_dim", attention_dim, 1)
        self.W_a = nn.Linear(self.query_dim, attention_dim, bias=False)
        self.U_a = nn.Linear(self.key_dim, attention_dim, bias=False)
        self.v_a = nn.Linear(attention_dim, 1, bias=False)

    def forward(
        self, query: Tensor, keys: Tensor, values: Tensor | None = None,
        mask: Tensor | None = None, *, need_weights: bool = True, key_proj: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """As `DecoderAttention.forward`; key_proj: U_a h, (B, S, a), where the caller kept it."""
        need_weights = flag("need_weights", need_weights)
        steps, keys, values, mask = self._checked(query, keys, values, mask)
        query_proj, key_proj = self.W_a(steps), self._project(keys, key_proj)  # (B, T or S, a)
        v_a = matrix_of(self, "v_a")[0]  # (a,)
        if not need_weights:
            context = kernel.additive_context(query_proj, key_proj, v_a, values, mask)
            if context is not None:
                return as_asked(query, context, None)
        weights = masked_softmax(additive_scores(query_proj, key_proj, v_a), mask)  # (B, T, S)
        context = weighted_sum(weights, values)
        return as_asked(query, context, weights.to(values.dtype) if need_weights else None)

    def _project(self, keys: Tensor, key_proj: Tensor | None) -> Tensor:
        """U_a h, (B, S, a), unless the caller kept it."""
        if key_proj is None:
            return self.U_a(keys)
        check_floating(key_proj=key_proj)
        check_same_device(key_proj=key_proj, keys=keys)
        needed = (*keys.shape[:2], self.U_a.out_features)
        if key_proj.shape != needed:
            raise ValueError(f"key_proj has shape {tuple(key_proj.shape)}, not {needed}.")
        return key_proj

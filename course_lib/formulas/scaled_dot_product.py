"""Attention itself: a weighted mean of the values, the weights being a softmax of scores."""

import math

from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import dropout

from course_lib.formulas.masks import causal_mask
from course_lib.formulas.precision import product, weighted_sum, wide
from course_lib.formulas.softmax import masked_softmax


def attend(
    scores: Float[Tensor, "... T S"],
    values: Float[Tensor, "... S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
) -> tuple[Float[Tensor, "... T d_v"], Float[Tensor, "... T S"]]:
    """Turn scores into weights and take the weighted mean of the values.

        weights = softmax(scores),   context = weights · values

    Args:
        mask: broadcastable to the scores, True = may attend. A query that may attend to nothing
            gets zero weights and a zero context. A hidden value must be finite: 0 · NaN is NaN.

    Returns:
        (context, weights), NumPy arrays for NumPy arrays.
    """
    weights = masked_softmax(scores, mask)
    return weights @ values, weights


def scaled_dot_product_attention(
    query: Float[Tensor, "... T d"],
    key: Float[Tensor, "... S d"],
    value: Float[Tensor, "... S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
    score_bias: Float[Tensor, "..."] | None = None,
    *,
    is_causal: bool = False,
    scale: float | Tensor | None = None,
    dropout_p: float = 0.0,
) -> tuple[Float[Tensor, "... T d_v"], Float[Tensor, "... T S"]]:
    """The attention of the Transformer.

        output = softmax(Q Kᵀ / √d + bias) V

    Half precision is computed in float32. The caller has checked what fits; the public function
    (`course_lib.gate.attention`) says what each argument means.

    Vaswani et al. (2017), "Attention is all you need", https://arxiv.org/abs/1706.03762, equation
    1.
    """
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = product(wide(query) * scale, key.mT)  # (..., T, S)
    if score_bias is not None:
        scores = scores + score_bias.to(scores.dtype)
    if is_causal:
        causal = causal_mask(*scores.shape[-2:], device=query.device)
        mask = causal if mask is None else mask & causal
    weights = masked_softmax(scores, mask)  # (..., T, S)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p)
    return weighted_sum(weights, value), weights.to(value.dtype)

"""Attention itself: a weighted mean of the values, the weights being a softmax of scores."""

import torch
from jaxtyping import Bool, Float, Num
from torch import Tensor
from torch.nn.functional import dropout

from course_lib.arguments import number
from course_lib.attention.arrays import Array, check_scores_and_values
from course_lib.attention.masks import causal_mask
from course_lib.attention.precision import weighted_sum
from course_lib.attention.scores import scaled_dot
from course_lib.attention.softmax import attention_weights, masked_softmax
from course_lib.checks import check_attention_inputs, check_scale, flags


def attend(
    scores: Num[Array, "... T S"],
    values: Num[Array, "... S d_v"],
    mask: Bool[Array, "..."] | None = None,
) -> tuple[Float[Array, "... T d_v"], Float[Array, "... T S"]]:
    """Turn scores into weights and take the weighted mean of the values.

        weights = softmax(scores),   context = weights · values

    Args:
        mask: broadcastable to the scores, True = may attend. A query that may attend to nothing
            gets zero weights and a zero context. A hidden value must be finite: 0 · NaN is NaN.

    Returns:
        (context, weights), NumPy arrays for NumPy arrays.

    Raises:
        ValueError: when the lengths or the mask do not fit, and for scores without a softmax.
        TypeError: for a mask that is not boolean, and for arrays mixed with tensors.
    """
    check_scores_and_values(scores, values)
    weights = masked_softmax(scores, mask)
    return weights @ values, weights


def scaled_dot_product_attention(
    query: Float[Tensor, "... T d"],
    key: Float[Tensor, "... S d"],
    value: Float[Tensor, "... S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    score_bias: Float[Tensor, "..."] | None = None,
    is_causal: bool = False,
    scale: float | Tensor | None = None,
    dropout_p: float = 0.0,
    need_weights: bool = True,
) -> tuple[Float[Tensor, "... T d_v"], Float[Tensor, "... T S"] | None]:
    """The attention of the Transformer.

        output = softmax(Q Kᵀ / √d + bias) V

    Args:
        key, value: may have fewer heads than query, (B, H_kv, S, d) beside (B, H, T, d), if H_kv
            divides H: each then serves a group of H / H_kv heads (grouped-query attention).
        mask: broadcastable to (..., T, S), True = may attend; with `is_causal` both must agree.
            Fill padding with finite numbers: as in torch, NaN in a hidden key makes the gradient of
            the query NaN, and on a GPU, without weights, the output too.
        score_bias: finite floats added to the scores, broadcastable to (..., T, S), as
            `alibi_bias` makes them.
        is_causal: hide the future, aligned bottom-right as in `causal_mask`: the last query sees
            every key. Torch's own `is_causal` is aligned top-left, which differs when T ≠ S.
        scale: replaces 1/√d when given; a tensor may be learned.
        dropout_p: share of the weights set to zero, the others scaled up by 1 / (1 − p), also in
            evaluation: a function knows no mode. The weights come back as they were used.
        need_weights: False returns None for the weights and may run a fused kernel, but not while
            `torch.jit.trace` looks, which cannot return None.

    A hidden value must be finite: its weight is 0, and 0 · NaN is NaN.

    Returns:
        (output, weights or None).

    Raises:
        ValueError: when shapes or devices do not fit (batches are not broadcast), for a scale or
            bias that is not finite and a dropout_p outside [0, 1), and when there is no key, S = 0:
            a mask may hide every key, which gives zeros.
        TypeError: for a mask that is not boolean, and for integers.

    Vaswani et al. (2017), "Attention is all you need", https://arxiv.org/abs/1706.03762, equation
    1.
    """
    is_causal, need_weights = flags(is_causal=is_causal, need_weights=need_weights)
    if dropout_p != 0:
        dropout_p = number("dropout_p", dropout_p, least=0, below=1)
    check_scale(scale)
    settings = {"names": ("query", "key", "value"), "dot": True, "grouped": 4}
    shape = check_attention_inputs(query, key, value, mask, score_bias, **settings)
    traced = torch.jit.is_tracing()  # pyright: ignore[reportPrivateImportUsage]
    need_weights = need_weights or traced  # a trace cannot return None
    if not need_weights:
        from course_lib.kernels.fused import scaled_dot_context

        options = {"is_causal": is_causal, "scale": scale, "dropout_p": dropout_p}
        options["formula"] = scaled_dot_product_attention
        output = scaled_dot_context(query, key, value, mask, score_bias, **options)
        if output is not None:
            return output, None

    if is_causal:
        causal = causal_mask(*shape[-2:], device=query.device)
        mask = causal if mask is None else mask & causal
    scores = scaled_dot(query, key, scale)  # (..., T, S)
    if score_bias is not None:
        scores = scores + score_bias.to(scores.dtype)
    weights = attention_weights(scores, mask)  # (..., T, S)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p)
    return weighted_sum(weights, value), weights.to(value.dtype) if need_weights else None

"""Attention itself: a weighted mean of the values, the weights being a softmax of scores."""

import math

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import dropout

from course_lib.checks import (
    check_attention_inputs,
    check_bias,
    check_floating,
    check_last_dim,
    check_mask,
)
from course_lib.kernels import fused_attention
from course_lib.kernels.choose import plain_inference
from course_lib.masks import causal_mask
from course_lib.scores import scaled_dot_scores
from course_lib.softmax import Array, masked_softmax_unchecked, softmax_unchecked

HUGE = 4 << 20  # bytes from which NumPy asks for huge pages


def attend(
    scores: Float[Array, "... T S"],
    values: Float[Array, "... S d_v"],
    mask: Bool[Array, "..."] | None = None,
) -> tuple[Float[Array, "... T d_v"], Float[Array, "... T S"]]:
    """Turn scores into weights and take the weighted mean of the values.

        weights = softmax(scores),   context = weights · values

    mask: broadcastable to the scores, True = may attend. A query that may attend to nothing gets
        zero weights and a zero context.
    Returns (context, weights), NumPy arrays for NumPy arrays.
    Raises ValueError when the lengths or the mask do not fit, TypeError for a mask not boolean.
    """
    if isinstance(scores, np.ndarray) and isinstance(values, np.ndarray):
        arrays = [None if x is None else torch.as_tensor(x) for x in (scores, values, mask)]
        context, weights = attend(*arrays)
        return context.numpy(), weights.numpy()
    check_floating(scores=scores, values=values)
    if min(scores.ndim, values.ndim) < 2 or scores.shape[-1] != values.shape[-2]:
        raise ValueError(
            f"scores of shape {tuple(scores.shape)} need one value per key, (..., S, d_v), "
            f"got values of shape {tuple(values.shape)}."
        )
    if scores.shape[-1] == 0:
        raise ValueError(f"scores of shape {tuple(scores.shape)} have no keys to attend to.")
    if mask is not None:
        check_mask(mask, scores.shape, scores.device)
    weights = attention_weights(scores, mask)
    return weights @ values, weights


def attention_weights(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """The softmax of checked scores over their keys."""
    return softmax_unchecked(scores) if mask is None else masked_softmax_unchecked(scores, mask)


def scaled_dot_product_attention(
    query: Float[Tensor, "... T d"],
    key: Float[Tensor, "... S d"],
    value: Float[Tensor, "... S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    score_bias: Float[Tensor, "..."] | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    dropout_p: float = 0.0,
    need_weights: bool = True,
) -> tuple[Float[Tensor, "... T d_v"], Float[Tensor, "... T S"] | None]:
    """The attention of the Transformer.

        output = softmax(Q Kᵀ / √d + bias) V

    key, value: may have fewer heads than query, (..., H_kv, S, d), if H_kv divides H: each then
        serves a group of H / H_kv heads (grouped-query attention).
    score_bias: floats added to the scores, broadcastable to (..., T, S), as `alibi_bias` makes.
    mask: broadcastable to (..., T, S), True = may attend; with `is_causal` both must agree.
    scale: replaces 1/√d when given.  dropout_p: share of the weights set to zero.
    need_weights: False returns None for the weights and runs torch's fused kernel.
    Returns (output, weights or None).
    Raises ValueError when shapes or devices do not fit, TypeError for a mask not boolean.
    Vaswani et al. (2017), equation 1.
    """
    check_attention_inputs(query, key, value, grouped=True)
    check_last_dim("key", key, query.shape[-1], f"a query of shape {tuple(query.shape)}")
    if mask is not None:
        check_mask(mask, (*query.shape[:-1], key.shape[-2]), query.device)
    if score_bias is not None:
        check_bias(score_bias, (*query.shape[:-1], key.shape[-2]), query)
    options = {"is_causal": is_causal, "scale": scale, "dropout_p": dropout_p}
    if not need_weights:
        return fused_attention(query, key, value, mask, score_bias, **options), None
    if query.shape[:-2] != key.shape[:-2]:  # each head of keys and values serves its group
        groups = query.shape[-3] // key.shape[-3]
        key, value = key.repeat_interleave(groups, -3), value.repeat_interleave(groups, -3)
    return weighted_attention(query, key, value, mask, score_bias, **options)


def weighted_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    score_bias: Tensor | None = None,
    *,
    is_causal: bool,
    scale: float | None = None,
    dropout_p: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """`scaled_dot_product_attention` of checked inputs, with its weights."""
    if is_causal:
        causal = causal_mask(query.shape[-2], key.shape[-2], device=query.device)
        mask = causal if mask is None else mask & causal
    memory = _memory_for_scores(query, key) if mask is None and score_bias is None else None
    scores = scaled_dot_scores(query, key, scale, out=memory)  # (..., T, S)
    if score_bias is not None:
        scores = scores + score_bias.to(scores.dtype)
    if memory is None:
        weights = attention_weights(scores, mask)
    else:  # a second tensor of this size costs more than the softmax
        weights = torch.softmax(scores, -1, out=scores)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p)
    return weights @ value, weights


def _memory_for_scores(query: Tensor, key: Tensor) -> Tensor | None:
    """Memory (..., T, S) for the scores, where the weights may then take their place.

    None where they are needed for a gradient, in half precision, and wherever else `out=` is not
    wanted: see `plain_inference`.
    """
    if not plain_inference(query, key):
        return None
    shape = (*query.shape[:-1], key.shape[-2])
    size = math.prod(shape) * query.element_size()
    if size < HUGE:
        return torch.empty(shape, dtype=query.dtype)
    # Large memory comes from the system page by page, which takes as long as the product.
    # NumPy asks for pages of 2 MiB, torch for pages of 4 KiB.
    return torch.from_numpy(np.empty(size, np.uint8)).view(query.dtype).view(shape)


def as_sequence(
    query: Tensor, keys: Tensor, values: Tensor | None, mask: Tensor | None, dims: tuple[int, int]
) -> tuple[Tensor, Tensor, Tensor | None, bool]:
    """Check what a decoder's attention is given, and see one step (B, d) as a length of 1.

    dims: the last dimensions that query and keys must have.
    Returns query (B, T, d), values, mask that broadcasts to (B, T, S), and whether it was one step.
    """
    check_floating(query=query)
    if query.ndim not in (2, 3):
        raise ValueError(
            f"query must be (B, d) for one step or (B, T, d), got shape {tuple(query.shape)}."
        )
    one_step = query.ndim == 2
    if one_step:
        query = query[:, None]
        if isinstance(mask, Tensor) and mask.ndim == 2:
            mask = mask[:, None]  # (B, S) → (B, 1, S)
    values = keys if values is None else values
    check_attention_inputs(query, keys, values)
    check_last_dim("query", query, dims[0], "this attention")
    check_last_dim("keys", keys, dims[1], "this attention")
    if mask is not None:
        check_mask(mask, (*query.shape[:2], keys.shape[1]), query.device)
    return query, values, mask, one_step


def as_asked(
    context: Tensor, weights: Tensor | None, one_step: bool
) -> tuple[Tensor, Tensor | None]:
    """Give one step its result without the length of 1."""
    if not one_step:
        return context, weights
    return context[:, 0], None if weights is None else weights[:, 0]

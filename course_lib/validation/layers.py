"""Layers from outside, in the place of ours, and what is given to them and to their heads."""

from typing import Any

from torch import Tensor, nn

from course_lib.formulas.precision import autocasts
from course_lib.validation.arguments import integer, number
from course_lib.validation.tensors import (
    check_attention_inputs,
    check_floating,
    check_last_dim,
    check_mask_and_bias,
)


def matrix_of(owner: nn.Module, name: str) -> Tensor:
    """The weight of a layer that is read, and not only called: a quantized one's as it computes.

    Raises:
        TypeError: for a layer of a user's own that has none, such as one with low-rank matrices.
    """
    layer = getattr(owner, name)
    weight = getattr(layer, "weight", None)
    if weight is None:
        raise TypeError(
            f"{name} must be a layer with a weight, which {type(owner).__name__} reads here, got "
            f"{type(layer).__name__}. Add what it has learned to the weight of an nn.Linear."
        )
    return weight if isinstance(weight, Tensor) else weight().dequantize()


def check_sequences(module: nn.Module, **inputs: tuple[Tensor, nn.Linear]) -> None:
    """Refuse what is not (B, length, d) with the d of the layer that reads it: name=(x, layer)."""
    for name, (x, layer) in inputs.items():
        check_floating(**{name: x})
        if type(layer) is nn.Linear and x.dtype != layer.weight.dtype and not autocasts(x):
            raise TypeError(
                f"{name} has dtype {x.dtype}, and this {type(module).__name__} "
                f"{layer.weight.dtype}: convert either with .to()."
            )
        if (size := getattr(layer, "in_features", None)) is not None:  # as a user's own may not say
            check_last_dim(name, x, size, f"this {type(module).__name__}")
        if x.ndim != 3:
            raise ValueError(f"{name} must be (B, length, d), got shape {tuple(x.shape)}.")


def check_heads(
    embed_dim: int,
    num_heads: int,
    num_kv_heads: int,
    dropout: float = 0.0,
    *,
    head_dim: int | None = None,
    rotary: bool = False,
) -> tuple[int, int, int, float | int, int]:
    """The four and the size of a head, or an error for heads that do not share the features, or one
    another, without a rest.

    Args:
        head_dim: of a head, where it is not embed_dim / num_heads.
    """
    embed_dim, num_heads = integer("embed_dim", embed_dim, 1), integer("num_heads", num_heads, 1)
    num_kv_heads = integer("num_kv_heads", num_kv_heads, 1)
    dropout = number("dropout", dropout, least=0, below=1)
    if head_dim is None:
        if embed_dim % num_heads:
            raise ValueError(f"num_heads = {num_heads} must divide embed_dim = {embed_dim}.")
        head_dim = embed_dim // num_heads
    head_dim = integer("head_dim", head_dim, 1)
    if num_heads % num_kv_heads:
        raise ValueError(f"num_kv_heads = {num_kv_heads} must divide num_heads = {num_heads}.")
    if rotary and head_dim % 2:
        raise ValueError(f"rotary positions need heads of an even size, got {head_dim}.")
    return embed_dim, num_heads, num_kv_heads, dropout, head_dim


def check_head_inputs(
    module: nn.Module,
    num_heads: int,
    mask: Tensor | None,
    score_bias: Tensor | None,
    kept: int,
    **inputs: tuple[Tensor, nn.Linear],
) -> Tensor | None:
    """Do these fit, in every head? The mask, with an axis for the heads.

    Args:
        kept: how many keys a cache holds besides.
        inputs: query, key and value with the layers that read them, as in `check_sequences`; the
            query alone when a cache holds all keys.
    """
    check_sequences(module, **inputs)
    query, *key_value = (x for x, _ in inputs.values())
    if key_value:
        check_attention_inputs(query, key_value[0], key_value[-1], may_be_empty=kept > 0)
        kept += key_value[0].shape[1]
    if isinstance(mask, Tensor) and mask.ndim == 3:
        mask = mask[:, None]  # (B, 1, T, S): the same for every head
    shape = query.shape[0], num_heads, query.shape[1], kept
    check_mask_and_bias(mask, score_bias, shape, query.device)
    return mask


def check_memory(cache: Any, key: Any, value: Any, positions: Any) -> None:
    """Refuse a key, a value or positions beside a fixed memory, which takes their place."""
    if cache.fixed and not (key is None and value is None):
        raise ValueError("a fixed memory takes the place of the key and the value: leave both out.")
    if cache.fixed and positions is not None:
        raise ValueError("a fixed memory has no rotary positions: leave positions out.")

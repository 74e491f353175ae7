"""The masks, of lengths that have been checked."""

from typing import SupportsIndex

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from course_lib.formulas import masks as formulas
from course_lib.formulas.masks import Device
from course_lib.gate.documented import documented_by
from course_lib.validation.arguments import flag
from course_lib.validation.tensors import length, may_look


@documented_by(formulas.causal_mask)
def causal_mask(
    n_queries: SupportsIndex, n_keys: SupportsIndex | None = None, *, device: Device = None
) -> Bool[Tensor, "T S"]:
    """
    Raises:
        TypeError: for a length that is not an integer.
        ValueError: for a negative one.
    """
    return formulas.causal_mask(*_lengths(n_queries, n_keys), device=device)


@documented_by(formulas.window_mask)
def window_mask(
    n_queries: SupportsIndex,
    n_keys: SupportsIndex | None,
    window: SupportsIndex,
    *,
    is_causal: bool = False,
    sinks: SupportsIndex = 0,
    device: Device = None,
) -> Bool[Tensor, "T S"]:
    """
    Raises:
        TypeError: for a size that is not an integer.
        ValueError: for a negative one.
    """
    window, sinks = length("window", window), length("sinks", sinks)
    is_causal, (T, S) = flag("is_causal", is_causal), _lengths(n_queries, n_keys)
    return formulas.window_mask(T, S, window, is_causal=is_causal, sinks=sinks, device=device)


@documented_by(formulas.padding_mask)
def padding_mask(
    lengths: Tensor | list[int], max_length: SupportsIndex | None = None
) -> Bool[Tensor, "B 1 S"]:
    """
    Args:
        lengths: (B,) integers, a list or a tensor, whose device the mask follows.
        max_length: S; defaults to the longest length.

    Raises:
        TypeError: for lengths that are not integers.
        ValueError: for a length below 0 or above max_length, and for more than one row of lengths.
    """
    try:
        lengths = lengths if isinstance(lengths, Tensor) else torch.as_tensor(lengths)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"lengths must be integers, got {lengths!r}.") from None
    if lengths.ndim != 1 or lengths.numel() == 0:
        raise ValueError(f"lengths must have shape (B,) with B ≥ 1, got {tuple(lengths.shape)}.")
    if lengths.is_floating_point() or lengths.dtype == torch.bool:
        raise TypeError(f"lengths must be integers, got {lengths.dtype}.")
    lengths = lengths.long()  # the smallest of an unsigned kind cannot be told
    max_length = int(lengths.max()) if max_length is None else length("max_length", max_length)
    if may_look(lengths) and not 0 <= lengths.min() <= lengths.max() <= max_length:
        raise ValueError(
            f"lengths must lie between 0 and max_length = {max_length}, "
            f"got values from {lengths.min()} to {lengths.max()}."
        )
    return formulas.padding_mask(lengths, max_length)


@documented_by(formulas.relative_positions)
def relative_positions(
    n_queries: SupportsIndex, n_keys: SupportsIndex | None = None, *, device: Device = None
) -> Int[Tensor, "T S"]:
    """
    Raises:
        TypeError, ValueError: as `causal_mask`.
    """
    return formulas.relative_positions(*_lengths(n_queries, n_keys), device=device)


def _lengths(n_queries: SupportsIndex, n_keys: SupportsIndex | None) -> tuple[int, int]:
    n_queries = length("n_queries", n_queries)
    return n_queries, n_queries if n_keys is None else length("n_keys", n_keys)

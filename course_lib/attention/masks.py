"""Masks: boolean, True = may attend, rows are queries and columns are keys."""

from typing import Any, SupportsIndex, cast

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from course_lib.arguments import flag, integer
from course_lib.checks import may_look


def causal_mask(
    n_queries: SupportsIndex,
    n_keys: SupportsIndex | None = None,
    *,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "T S"]:
    """Let each query see itself and what came before, never the future.

        mask[t, s] = (s ≤ t + S − T)

    Aligned bottom-right: the last query sees every key, which is right when the first S − T keys
    come from a cache. With more queries than keys, the first T − S rows see nothing.

    Args:
        n_keys: defaults to n_queries.

    Raises:
        TypeError: for a length that is not an integer.
        ValueError: for a negative one.
    """
    return relative_positions(n_queries, n_keys, device=device) <= 0


def window_mask(
    n_queries: SupportsIndex,
    n_keys: SupportsIndex | None,
    window: SupportsIndex,
    *,
    is_causal: bool = False,
    sinks: SupportsIndex = 0,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "T S"]:
    """Let each query see the keys at most `window` places away, and the first `sinks` keys.

        mask[t, s] = (|s − (t + S − T)| ≤ window  or  s < sinks)  [and  s ≤ t + S − T]

    Aligned bottom-right, like `causal_mask`. A causal query therefore sees `window` earlier keys
    and its own; other libraries count its own among the `window`.

    Args:
        n_keys: defaults to n_queries when None.
        is_causal: hide the future, in square brackets.

    Raises:
        TypeError: for a size that is not an integer.
        ValueError: for a negative one.

    Beltagy et al. (2020), "Longformer: the long-document transformer",
    https://arxiv.org/abs/2004.05150; Xiao et al. (2024), "Efficient streaming language models
    with attention sinks", https://arxiv.org/abs/2309.17453.
    """
    window, sinks = _length("window", window), _length("sinks", sinks)
    is_causal = flag("is_causal", is_causal)
    distance = relative_positions(n_queries, n_keys, device=device)  # (T, S)
    near = distance.abs() <= window
    near[:, :sinks] = True
    return near & (distance <= 0) if is_causal else near


def padding_mask(
    lengths: Tensor | list[int], max_length: SupportsIndex | None = None
) -> Bool[Tensor, "B 1 S"]:
    """Hide the padding behind the end of each sentence.

        mask[b, 0, s] = (s < lengths[b])

    The middle dimension broadcasts over the queries. True marks the real words;
    `nn.MultiheadAttention`'s key_padding_mask is the opposite, so pass it `~mask[:, 0]`.

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
    max_length = int(lengths.max()) if max_length is None else _length("max_length", max_length)
    if may_look(lengths) and not 0 <= lengths.min() <= lengths.max() <= max_length:
        raise ValueError(
            f"lengths must lie between 0 and max_length = {max_length}, "
            f"got values from {lengths.min()} to {lengths.max()}."
        )
    places = torch.arange(max_length, device=lengths.device)  # (S,)
    return (places < lengths[:, None])[:, None]  # (B, 1, S)


def token_positions(mask: Bool[Tensor, "B 1 S"]) -> Int[Tensor, "B S"]:
    """The position of each token in its own text, counted from its first real one.

    mask: True at the real tokens, as `padding_mask` has it, padding on either side. Padding before
    a text has position 0.
    """
    return (mask[:, 0].cumsum(-1) - 1).clamp_min(0)


def relative_positions(
    n_queries: SupportsIndex,
    n_keys: SupportsIndex | None = None,
    *,
    device: torch.device | str | None = None,
) -> Int[Tensor, "T S"]:
    """How far key s lies to the right of query t, aligned bottom-right: s − (t + S − T)."""
    n_queries = _length("n_queries", n_queries)
    n_keys = n_queries if n_keys is None else _length("n_keys", n_keys)
    queries = torch.arange(n_keys - n_queries, n_keys, device=device)  # (T,)
    return torch.arange(n_keys, device=device) - queries[:, None]  # (T, S)


def _length(name: str, value: Any) -> int:
    """The value as a length: an integer of Python, of NumPy, or of a graph being compiled."""
    if isinstance(value, torch.SymInt) or (type(value) is int and value >= 0):
        return cast(int, value)  # a symbol calculates as an integer does
    return integer(name, value, 0)

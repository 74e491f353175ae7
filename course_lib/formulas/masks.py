"""Masks: boolean, True = may attend, rows are queries and columns are keys."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

Device = torch.device | str | None


def causal_mask(
    n_queries: int, n_keys: int | None = None, *, device: Device = None
) -> Bool[Tensor, "T S"]:
    """Let each query see itself and what came before, never the future.

        mask[t, s] = (s ≤ t + S − T)

    Aligned bottom-right: the last query sees every key, which is right when the first S − T keys
    come from a cache. With more queries than keys, the first T − S rows see nothing.

    Args:
        n_keys: defaults to n_queries.
    """
    return relative_positions(n_queries, n_keys, device=device) <= 0


def window_mask(
    n_queries: int,
    n_keys: int | None,
    window: int,
    *,
    is_causal: bool = False,
    sinks: int = 0,
    device: Device = None,
) -> Bool[Tensor, "T S"]:
    """Let each query see the keys at most `window` places away, and the first `sinks` keys.

        mask[t, s] = (|s − (t + S − T)| ≤ window  or  s < sinks)  [and  s ≤ t + S − T]

    Aligned bottom-right, like `causal_mask`. A causal query therefore sees `window` earlier keys
    and its own; other libraries count its own among the `window`.

    Args:
        n_keys: defaults to n_queries when None.
        is_causal: hide the future, in square brackets.

    Beltagy et al. (2020), "Longformer: the long-document transformer",
    https://arxiv.org/abs/2004.05150; Xiao et al. (2024), "Efficient streaming language models
    with attention sinks", https://arxiv.org/abs/2309.17453.
    """
    distance = relative_positions(n_queries, n_keys, device=device)  # (T, S)
    near = distance.abs() <= window
    near[:, :sinks] = True
    return near & (distance <= 0) if is_causal else near


def padding_mask(lengths: Int[Tensor, " B"], max_length: int) -> Bool[Tensor, "B 1 S"]:
    """Hide the padding behind the end of each sentence.

        mask[b, 0, s] = (s < lengths[b])

    The middle dimension broadcasts over the queries. True marks the real words;
    `nn.MultiheadAttention`'s key_padding_mask is the opposite, so pass it `~mask[:, 0]`.
    """
    places = torch.arange(max_length, device=lengths.device)  # (S,)
    return (places < lengths[:, None])[:, None]  # (B, 1, S)


def token_positions(mask: Bool[Tensor, "B 1 S"]) -> Int[Tensor, "B S"]:
    """The position of each token in its own text, counted from its first real one.

    mask: True at the real tokens, as `padding_mask` has it, padding on either side. Padding before
    a text has position 0.
    """
    return (mask[:, 0].cumsum(-1) - 1).clamp_min(0)


def relative_positions(
    n_queries: int, n_keys: int | None = None, *, device: Device = None
) -> Int[Tensor, "T S"]:
    """How far key s lies to the right of query t, aligned bottom-right: s − (t + S − T)."""
    n_keys = n_queries if n_keys is None else n_keys
    queries = torch.arange(n_keys - n_queries, n_keys, device=device)  # (T,)
    return torch.arange(n_keys, device=device) - queries[:, None]  # (T, S)

"""Positions that are added: sinusoids to the embeddings, ALiBi's bias to the scores.

Attention itself does not know the order of its keys. `rotary` turns queries and keys instead.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.attention.masks import relative_positions
from course_lib.attention.rotary import rotary_frequencies


def sinusoidal_positions(
    length: int, d_model: int, *, start: int = 0, device: torch.device | str | None = None
) -> Float[Tensor, "T d_model"]:
    """One vector per position, to be added to the embeddings.

        P[t, 2i] = sin(t / 10000^(2i/d)),   P[t, 2i + 1] = cos(t / 10000^(2i/d))

    Args:
        length: how many positions, T.
        d_model: size of each vector; an odd one ends with a sine.
        start: the first position t; a cached decoder asks for the row of its new token alone.
        device: where the table is wanted.

    Returns:
        (length, d_model), float32.

    Raises:
        ValueError: for a negative length or start, or a d_model below 1.

    Vaswani et al. (2017), "Attention is all you need", section 3.5, https://arxiv.org/abs/1706.03762
    """
    if length < 0 or d_model < 1 or start < 0:
        raise ValueError(
            f"need length ≥ 0, d_model ≥ 1 and start ≥ 0, got {length}, {d_model} and {start}."
        )
    positions = torch.arange(start, start + length, device="cpu")
    angle = positions[:, None] * rotary_frequencies(d_model)  # (T, ⌈d/2⌉), the same frequencies
    table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, :d_model]
    return table.to(torch.get_default_device() if device is None else device, torch.float32)


def alibi_bias(
    num_heads: int,
    n_queries: int,
    n_keys: int | None = None,
    *,
    device: torch.device | str | None = None,
) -> Float[Tensor, "H T S"]:
    """A penalty on distance, to be added to the scores, with a slope per head.

        bias[h, t, s] = −m_h · |s − (t + S − T)|,   m_h = 2^(−8h/H) for h = 1 … H

    Aligned bottom-right, like `causal_mask`. When H is not a power of two, the slopes of the
    next lower one are followed by every second slope of the next higher one, as in the paper.

    Returns:
        (H, T, S), float32.

    Raises:
        ValueError: for fewer than one head or a negative length.

    Press, Smith & Lewis (2022), "Train short, test long: attention with linear biases enables
    input length extrapolation", https://arxiv.org/abs/2108.12409
    """
    n_keys = n_queries if n_keys is None else n_keys
    if num_heads < 1 or n_queries < 0 or n_keys < 0:
        raise ValueError(
            "need num_heads ≥ 1 and lengths ≥ 0, "
            f"got num_heads {num_heads}, n_queries {n_queries}, n_keys {n_keys}."
        )
    lower = 2 ** math.floor(math.log2(num_heads))
    slopes = _slopes(lower) + _slopes(2 * lower)[0::2]
    slope = torch.tensor(slopes[:num_heads], dtype=torch.float32, device=device)[:, None, None]
    return -slope * relative_positions(n_queries, n_keys, device=device).abs()


def _slopes(num_heads: int) -> list[float]:
    return [2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)]

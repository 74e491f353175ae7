"""Positions: attention itself does not know the order of its keys; these three tell it."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.checks import check_floating


def sinusoidal_positions(
    length: int, d_model: int, *, start: int = 0, device: torch.device | str | None = None
) -> Float[Tensor, "T d_model"]:
    """One vector per position, to be added to the embeddings.

        P[t, 2i] = sin(t / 10000^(2i/d)),   P[t, 2i + 1] = cos(t / 10000^(2i/d))

    start: the first position t; a cached decoder asks for the row of its new word alone.
    Returns (length, d_model), float32. An odd d_model ends with a sine.
    Raises ValueError for a negative length or start, or a d_model below 1.
    Vaswani et al. (2017), section 3.5.
    """
    if length < 0 or d_model < 1 or start < 0:
        raise ValueError(
            f"need length ≥ 0, d_model ≥ 1 and start ≥ 0, got {length}, {d_model} and {start}."
        )
    angle = _angles(torch.arange(start, start + length, device=device), d_model)  # (T, ⌈d/2⌉)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, :d_model].float()


def rotary_embedding(
    x: Float[Tensor, "... T d"], positions: Tensor | None = None
) -> Float[Tensor, "... T d"]:
    """Turn each pair of features by an angle that grows with the position.

        (x_2i, x_2i+1) ↦ rotation by t · 10000^(−2i/d)

    Apply it to queries and keys: their dot product then depends on t − s only. The pairs are
    neighbours, as in the paper; some models pair x_i with x_(i + d/2) instead.
    positions: integers broadcastable to (..., T); default to 0, 1, …, T − 1.
    Returns the shape and dtype of x. Raises ValueError for an odd d and positions that do not fit.
    Su et al. (2021), "RoFormer: enhanced transformer with rotary position embedding".
    """
    check_floating(x=x)
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"x must be (..., T, d) with an even d, got shape {tuple(x.shape)}.")
    if positions is None:
        positions = torch.arange(x.shape[-2], device=x.device)
    aligned = zip(reversed(positions.shape), reversed(x.shape[:-1]), strict=False)
    if positions.ndim >= x.ndim or any(p not in (1, n) for p, n in aligned):
        raise ValueError(
            f"positions of shape {tuple(positions.shape)} do not fit x of shape {tuple(x.shape)}: "
            "they need one number per vector."
        )
    angle = _angles(positions, x.shape[-1])  # (..., T, d/2)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


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
    Returns (H, T, S), float32. Raises ValueError for fewer than one head or a negative length.
    Press, Smith & Lewis (2022), "Train short, test long".
    """
    n_keys = n_queries if n_keys is None else n_keys
    if num_heads < 1 or n_queries < 0 or n_keys < 0:
        raise ValueError(
            "need num_heads ≥ 1 and lengths ≥ 0, "
            f"got num_heads {num_heads}, n_queries {n_queries}, n_keys {n_keys}."
        )
    lower = 2 ** math.floor(math.log2(num_heads))
    slopes = _slopes(lower) + _slopes(2 * lower)[0::2]
    slope = torch.tensor(slopes[:num_heads], device=device)[:, None, None]  # (H, 1, 1)
    queries = torch.arange(n_keys - n_queries, n_keys, device=device)[:, None]
    return -slope * (torch.arange(n_keys, device=device) - queries).abs()


def _angles(positions: Tensor, d: int) -> Tensor:
    """position / 10000^(2i/d), in float64: a float32 angle of 10,000 is off by 0.0005."""
    even = torch.arange(0, d, 2, device=positions.device, dtype=torch.float64)
    return positions[..., None].double() * 10000.0 ** (-even / d)


def _slopes(num_heads: int) -> list[float]:
    return [2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)]

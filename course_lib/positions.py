"""Positions: attention itself does not know the order of its keys; these four tell it.

Sinusoids are added to the embeddings, rotations turn queries and keys, ALiBi and T5's buckets are
added to the scores (`score_bias`).
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from course_lib.checks import check_floating


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


def rotary_frequencies(d: int, base: float = 10000.0) -> Float[Tensor, " half"]:
    """How far each pair of features turns from one position to the next, in radians.

        θ_i = base^(−2i/d)   for i = 0, 1, …, ⌈d/2⌉ − 1

    Returns float64 on the CPU: a float32 angle at position 10,000 is off by 0.0005.
    """
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}.")
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64, device="cpu") / d)


def rotary_embedding(
    x: Float[Tensor, "... T d"],
    positions: Tensor | None = None,
    *,
    base: float = 10000.0,
    factor: float = 1.0,
    frequencies: Tensor | None = None,
) -> Float[Tensor, "... T d"]:
    """Turn each pair of features by an angle that grows with the position.

        (x_2i, x_2i+1) ↦ rotation by (t / factor) · base^(−2i/d)

    Apply it to queries and keys: their dot product then depends on t − s only. The pairs are
    neighbours, as in the paper; some models pair x_i with x_(i + d/2) instead.

    Args:
        x: queries or keys, with an even d.
        positions: numbers that broadcast to (..., T); default to 0, 1, …, T − 1.
        base: the slowest pair turns once in about 2π · base positions.
        factor: divides the positions, so that a text `factor` times longer than those of the
            training gets no angle that was not seen (position interpolation).
        frequencies: (d/2,), in place of those of `base`; see `course_lib.rotary_scaling`.

    Returns:
        The shape and dtype of x. Half precision is turned in float32.

    Raises:
        ValueError: for an odd d, positions or frequencies that do not fit, and a base or factor
            that is not positive.

    Su et al. (2021), "RoFormer: enhanced transformer with rotary position embedding",
    https://arxiv.org/abs/2104.09864; Chen et al. (2023), "Extending context window of large
    language models via positional interpolation", https://arxiv.org/abs/2306.15595
    """
    check_floating(x=x)
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"x must be (..., T, d) with an even d, got shape {tuple(x.shape)}.")
    if factor <= 0:
        raise ValueError(f"factor must be positive, got {factor}.")
    if positions is None:
        positions = torch.arange(x.shape[-2], device=x.device)
    aligned = zip(reversed(positions.shape), reversed(x.shape[:-1]), strict=False)
    if positions.ndim >= x.ndim or any(p not in (1, n) for p, n in aligned):
        raise ValueError(
            f"positions of shape {tuple(positions.shape)} do not fit x of shape {tuple(x.shape)}: "
            "they need one number per vector."
        )
    d = x.shape[-1]
    frequencies = rotary_frequencies(d, base) if frequencies is None else frequencies
    if frequencies.shape != (d // 2,):
        raise ValueError(
            f"frequencies must be (d/2,) = ({d // 2},) for x of shape {tuple(x.shape)}, "
            f"got {tuple(frequencies.shape)}."
        )
    wide = (
        torch.float32 if x.device.type == "mps" else torch.float64
    )  # Apple's GPUs have no float64
    t = positions.to(x.device, wide)[..., None] / factor
    angle = t * frequencies.to(x.device, wide)  # (..., T, d/2)
    turned = torch.promote_types(x.dtype, torch.float32)
    cos, sin = angle.cos().to(turned), angle.sin().to(turned)
    even, odd = x[..., 0::2].to(turned), x[..., 1::2].to(turned)
    pairs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return pairs.flatten(-2).to(x.dtype)


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


def relative_positions(
    n_queries: int, n_keys: int, *, device: torch.device | str | None = None
) -> Int[Tensor, "T S"]:
    """How far key s lies to the right of query t, aligned bottom-right: s − (t + S − T)."""
    queries = torch.arange(n_keys - n_queries, n_keys, device=device)
    return torch.arange(n_keys, device=device) - queries[:, None]


def relative_position_bucket(
    relative: Int[Tensor, "..."],
    *,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> Int[Tensor, "..."]:
    """The bucket of T5's learned bias that a distance falls into.

    Half of the buckets hold one distance each; the other half grow geometrically up to
    `max_distance`, and the last takes all that is farther.

    Args:
        relative: position of the key − position of the query, as `relative_positions` gives it.
        bidirectional: give half of the buckets to keys on the right (an encoder). Otherwise they
            share bucket 0, which a causal mask hides anyway.
        num_buckets: how many buckets there are in all, an even number.
        max_distance: where the last bucket begins, roughly.

    Returns:
        Integers from 0 to num_buckets − 1, in the shape of `relative`.

    Raffel et al. (2020), "Exploring the limits of transfer learning with a unified text-to-text
    transformer", section 2.1, https://arxiv.org/abs/1910.10683
    """
    buckets, offset = num_buckets, torch.zeros_like(relative)
    if bidirectional:
        buckets //= 2
        offset = buckets * (relative > 0).long()
        distance = relative.abs()
    else:
        distance = (-relative).clamp(min=0)
    exact = buckets // 2
    if exact < 1 or max_distance <= exact:
        raise ValueError(
            f"need at least {4 if bidirectional else 2} buckets and max_distance above half of "
            f"those of one direction, got {num_buckets} and {max_distance}."
        )
    growth = (distance.clamp(min=1) / exact).log() / math.log(max_distance / exact)
    far = exact + (growth * (buckets - exact)).long()
    return offset + torch.where(distance < exact, distance, far.clamp(max=buckets - 1))


def _slopes(num_heads: int) -> list[float]:
    return [2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)]

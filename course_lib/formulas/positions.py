"""Positions: sinusoids added to the embeddings, or queries and keys turned by their places.

Attention itself does not know the order of its keys. These two ways use the same frequencies. A
bias on the scores is the third way: ALiBi's is here, T5's, which is learned, in
`course_lib.transformer.positions`.
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from course_lib.formulas.masks import Device, relative_positions
from course_lib.formulas.precision import exact_dtype


def rotary_frequencies(d: int, base: float = 10000.0) -> Float[Tensor, " half"]:
    """How far each pair of features turns from one position to the next, in radians.

        θ_i = base^(−2i/d)   for i = 0, 1, …, ⌈d/2⌉ − 1

    Returns float64 on the CPU: a float32 angle at position 10,000 is off by 0.0005.
    """
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64, device="cpu") / d)


def sinusoidal_positions(
    length: int, d_model: int, *, start: int = 0, device: Device = None
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

    Vaswani et al. (2017), "Attention is all you need", https://arxiv.org/abs/1706.03762, section
    3.5.
    """
    table = sinusoids(torch.arange(start, start + length, device="cpu"), d_model)
    return table.to(torch.empty(0).device if device is None else device)


def sinusoids(positions: Int[Tensor, "..."], d_model: int) -> Float[Tensor, "... d_model"]:
    """The rows of `sinusoidal_positions` at any positions, in float32."""
    exact = exact_dtype(positions.device)
    frequencies = rotary_frequencies(d_model).to(positions.device, exact)
    angle = positions[..., None].to(exact) * frequencies  # (..., ⌈d/2⌉), the same frequencies
    table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2)[..., :d_model]
    return table.to(torch.float32)


def rotary_embedding(
    x: Float[Tensor, "... T d"],
    positions: Tensor | int | None = None,
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
        positions: numbers that broadcast to (..., T), or the first of T in a row; default to 0.
        base: the slowest pair turns once in about 2π · base positions.
        factor: divides the positions, so that a text `factor` times longer than those of the
            training gets no angle that was not seen (position interpolation).
        frequencies: (d/2,), in place of those of `base`; see `course_lib.transformer.stretched`.

    Returns:
        The shape and dtype of x. Half precision is turned in float32.

    Su et al. (2021), "RoFormer: enhanced transformer with rotary position embedding",
    https://arxiv.org/abs/2104.09864; Chen et al. (2023), "Extending context window of large
    language models via positional interpolation", https://arxiv.org/abs/2306.15595.
    """
    positions = 0 if positions is None else positions
    frequencies = rotary_frequencies(x.shape[-1], base) if frequencies is None else frequencies
    return turned(x, *rotary_turn(positions, x, frequencies, factor))


def rotary_turn(
    positions: Tensor | int, x: Tensor, frequencies: Tensor, factor: float = 1.0
) -> tuple[Float[Tensor, "... T half"], Float[Tensor, "... T half"]]:
    """cos and sin of the angles at these positions, by which `turned` turns x, or q and k alike."""
    exact = exact_dtype(x.device)
    if not isinstance(positions, Tensor):
        positions = torch.arange(x.shape[-2], dtype=exact, device=x.device) + positions
    t = positions.to(x.device, exact)[..., None] / factor
    angle = t * frequencies.to(x.device, exact)  # (..., T, d/2)
    dtype = torch.promote_types(x.dtype, torch.float32)
    return angle.cos().to(dtype), angle.sin().to(dtype)


def turned(x: Float[Tensor, "... T d"], cos: Tensor, sin: Tensor) -> Float[Tensor, "... T d"]:
    """x with each pair of features turned."""
    even, odd = x.to(cos.dtype).unflatten(-1, (-1, 2)).unbind(-1)
    pairs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return pairs.flatten(-2).to(x.dtype)


def alibi_bias(
    num_heads: int, n_queries: int, n_keys: int | None = None, *, device: Device = None
) -> Float[Tensor, "H T S"]:
    """A penalty on distance, to be added to the scores, with a slope per head.

        bias[h, t, s] = −m_h · |s − (t + S − T)|,   m_h = 2^(−8h/H) for h = 1 … H

    Aligned bottom-right, like `causal_mask`. When H is not a power of two, the slopes of the
    next lower one are followed by every second slope of the next higher one, as in the paper.

    Returns:
        (H, T, S), float32.

    Press, Smith & Lewis (2022), "Train short, test long: attention with linear biases enables
    input length extrapolation", https://arxiv.org/abs/2108.12409.
    """
    lower = 2 ** math.floor(math.log2(num_heads))
    slopes = _slopes(lower) + _slopes(2 * lower)[0::2]
    slope = torch.tensor(slopes[:num_heads], dtype=torch.float32, device=device)[:, None, None]
    return -slope * relative_positions(n_queries, n_keys, device=device).abs()


def _slopes(num_heads: int) -> list[float]:
    return [2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)]

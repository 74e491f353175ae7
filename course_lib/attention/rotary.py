"""Rotary positions: queries and keys are turned, so that their product sees the distance alone.

The functions at the end return other (d/2,) `frequencies`, for texts longer than those that a
model was trained on. A pair that turns often within the trained length has seen every angle; one
that never completes a turn meets angles it has never seen when the text grows.

    position interpolation   θ_i / s            every pair is slowed down
    NTK-aware                another base       the fastest pair stays, the slowest is divided by s
    YaRN                     (1 − γ) θ_i / s + γ θ_i,   γ from 0 (slow pairs) to 1 (fast pairs)

YaRN also multiplies queries and keys by 0.1 · ln s + 1 each.
Peng et al. (2024), "YaRN: efficient context window extension of large language models",
https://arxiv.org/abs/2309.00071, sections 2 and 3.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.attention.checks import check_floating


def rotary_frequencies(d: int, base: float = 10000.0) -> Float[Tensor, " half"]:
    """How far each pair of features turns from one position to the next, in radians.

        θ_i = base^(−2i/d)   for i = 0, 1, …, ⌈d/2⌉ − 1

    Returns float64 on the CPU: a float32 angle at position 10,000 is off by 0.0005.
    """
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}.")
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64, device="cpu") / d)


def angle_dtype(device: torch.device) -> torch.dtype:
    """In what angles are computed: Apple's GPUs have no float64."""
    return torch.float32 if device.type == "mps" else torch.float64


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
        frequencies: (d/2,), in place of those of `base`; see `course_lib.attention.rotary`.

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
    if not isinstance(positions, Tensor | None):
        raise TypeError(f"positions must be a tensor, got {type(positions).__name__}.")
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
    exact = angle_dtype(x.device)
    t = positions.to(x.device, exact)[..., None] / factor
    angle = t * frequencies.to(x.device, exact)  # (..., T, d/2)
    turned = torch.promote_types(x.dtype, torch.float32)
    cos, sin = angle.cos().to(turned), angle.sin().to(turned)
    even, odd = x[..., 0::2].to(turned), x[..., 1::2].to(turned)
    pairs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return pairs.flatten(-2).to(x.dtype)


def interpolated_frequencies(
    d: int, factor: float, *, base: float = 10000.0
) -> Float[Tensor, " half"]:
    """Position interpolation: t / s · θ_i, the same as `rotary_embedding(..., factor=s)`."""
    return rotary_frequencies(d, base) / _positive(factor)


def ntk_base(d: int, factor: float, *, base: float = 10000.0) -> float:
    """The base whose slowest pair turns `factor` times slower while the fastest stays.

    b′ = b · s^(d / (d − 2))
    """
    if d < 4:
        raise ValueError(f"d must be at least 4 to have a slow and a fast pair, got {d}.")
    return base * _positive(factor) ** (d / (d - 2))


def yarn_frequencies(
    d: int,
    factor: float,
    trained_length: int,
    *,
    base: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
) -> Float[Tensor, " half"]:
    """Slow pairs interpolated, fast pairs left alone, a ramp between.

        r_i = L θ_i / 2π,   γ_i = clamp((r_i − slow) / (fast − slow), 0, 1)
        θ′_i = (1 − γ_i) θ_i / s + γ_i θ_i

    Args:
        d: features of one head.
        factor: s, how many times longer the text may be.
        trained_length: L; r_i is how many turns pair i makes within it.
        base: of the trained model.
        slow: turns up to which a pair is interpolated fully (the paper's α).
        fast: turns from which a pair is left as it is (the paper's β).
    """
    theta = rotary_frequencies(d, base)
    turns = trained_length * theta / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return (1 - keep) * theta / _positive(factor) + keep * theta


def _positive(factor: float) -> float:
    if factor <= 0:
        raise ValueError(f"factor must be positive, got {factor}.")
    return factor

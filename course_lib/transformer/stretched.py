"""Rotary positions for texts longer than those that a model was trained on.

Each function returns (d/2,) `frequencies` for `rotary_embedding`, or for the buffer
`rotary_frequencies` of `MultiHeadAttention`. A pair that turns often within the trained length has
seen every angle; one that never completes a turn meets new angles when the text grows.

    position interpolation   θ_i / s            every pair is slowed down
    NTK-aware                another base       the fastest pair stays, the slowest is divided by s
    YaRN                     (1 − γ) θ_i / s + γ θ_i,   γ from 0 (slow pairs) to 1 (fast pairs)

YaRN also multiplies queries and keys by 0.1 · ln s + 1 each.
Peng et al. (2024), "YaRN: efficient context window extension of large language models",
https://arxiv.org/abs/2309.00071, sections 2 and 3.
"""

import math

from jaxtyping import Float
from torch import Tensor

from course_lib.attention.positions import rotary_frequencies


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

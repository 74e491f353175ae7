"""Rotary positions for texts longer than those that a model was trained on.

Each function returns (d/2,) `frequencies` for `rotary_embedding`, or for the buffer
`rotary_frequencies` of `MultiHeadAttention`. A pair that turns often within the trained length has
seen every angle; one that never completes a turn meets new angles when the text grows.

    position interpolation   θ_i / s            every pair is slowed down
    NTK-aware                another base       the fastest pair stays, the slowest is divided by s
    YaRN                     (1 − γ) θ_i / s + γ θ_i,   γ from 0 (slow pairs) to 1 (fast pairs), by
                             one of two ramps: the paper's, or the released program's

YaRN also multiplies queries and keys by 0.1 · ln s + 1 each.
Peng et al. (2024), "YaRN: efficient context window extension of large language models",
https://arxiv.org/abs/2309.00071, sections 2 and 3.
"""

import math
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.arguments import integer, number
from course_lib.attention.positions import rotary_frequencies


def interpolated_frequencies(
    d: int, factor: float, *, base: float = 10000.0
) -> Float[Tensor, " half"]:
    """Position interpolation: t / s · θ_i, the same as `rotary_embedding(..., factor=s)`."""
    return rotary_frequencies(d, base) / number("factor", factor, above=0)


def ntk_base(d: int, factor: float, *, base: float = 10000.0) -> float:
    """The base whose slowest pair turns `factor` times slower while the fastest stays.

    b′ = b · s^(d / (d − 2))
    """
    d = integer("d", d, 4)  # a slow pair and a fast one
    factor, base = number("factor", factor, above=0), number("base", base, above=0)
    return base * factor ** (d / (d - 2))


def yarn_frequencies(
    d: int,
    factor: float,
    trained_length: int,
    *,
    base: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
    ramp: Literal["turns", "pairs"] = "turns",
) -> Float[Tensor, " half"]:
    """Slow pairs interpolated, fast pairs left alone, a ramp between.

        r_i = L θ_i / 2π,   θ′_i = (1 − γ_i) θ_i / s + γ_i θ_i

        ramp="turns"   γ_i = clamp((r_i − slow) / (fast − slow), 0, 1)      the paper's, linear in r
        ramp="pairs"   γ_i = 1 − clamp((i − a) / (b − a), 0, 1)             linear in i

    The authors' program, and models that state `rope_type: yarn`, take the second: a and b are the
    pairs, as real numbers, that make `fast` and `slow` turns, a rounded down and b up. Both agree
    at the ends of the ramp and differ between, since r falls geometrically with i: by up to 42 %
    with d = 128, s = 4 and L = 4,096. A model must be read with the ramp it was trained with.

    Args:
        d: features of one head.
        factor: s, how many times longer the text may be.
        trained_length: L; r_i is how many turns pair i makes within it.
        base: of the trained model.
        slow: turns up to which a pair is interpolated fully (the paper's α).
        fast: turns from which a pair is left as it is (the paper's β).
        ramp: along what the share γ grows.
    """
    d, factor = integer("d", d, 1), number("factor", factor, above=0)
    trained_length = integer("trained_length", trained_length, 1)
    slow = number("slow", slow, above=0)
    fast = number("fast", fast, above=slow)
    if ramp not in ("turns", "pairs"):
        raise ValueError(f'ramp must be "turns" or "pairs", got {ramp!r}.')
    least = 1 if ramp == "pairs" else 0  # the number of a pair is a logarithm to this base
    base = number("base", base, above=least)
    theta = rotary_frequencies(d, base)
    if ramp == "turns":
        turns = trained_length * theta / (2 * math.pi)
        keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    else:
        # Pair i makes r turns where base^(−2i/d) = 2πr / L.
        first, last = (
            d * math.log(trained_length / (2 * math.pi * turns)) / (2 * math.log(base))
            for turns in (fast, slow)
        )
        first, last = max(math.floor(first), 0), min(math.ceil(last), d - 1)
        i = torch.arange(len(theta), dtype=theta.dtype, device="cpu")
        keep = 1 - ((i - first) / max(last - first, 0.001)).clamp(0, 1)
    return (1 - keep) * theta / factor + keep * theta

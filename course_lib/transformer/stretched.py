"""Rotary positions for texts longer than those that a model was trained on.

Each function returns (d/2,) `frequencies` for `rotary_embedding`, or for the buffer
`rotary_frequencies` of `MultiHeadAttention`. A pair that turns often within the trained length has
seen every angle; one that never completes a turn meets new angles when the text grows.

    position interpolation   θ_i / s            every pair is slowed down
    NTK-aware                another base       the fastest pair stays, the slowest is divided by s
    YaRN                     (1 − γ) θ_i / s + γ θ_i,   γ from 0 (slow pairs) to 1 (fast pairs), by
                             one of two ramps: the paper's, or the released program's
    Llama 3              the same blend of θ_i / s and θ_i, by a ramp of its own
    partial              θ_i of r features,  0 for the others, which do not turn

YaRN also multiplies queries and keys by 0.1 · ln s + 1 each.
Peng et al. (2024), "YaRN: efficient context window extension of large language models",
https://arxiv.org/abs/2309.00071, sections 2 and 3.
"""

import math
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.gate.positions import rotary_frequencies
from course_lib.validation.arguments import integer, number


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


def partial_frequencies(
    d: int, rotary_dim: int, *, base: float = 10000.0
) -> Float[Tensor, " half"]:
    """Only the first `rotary_dim` features of a head are turned, as if it had no others.

        θ_i = base^(−2i/r)   for i < r/2,   θ_i = 0 for the other pairs

    What is not turned compares contents wherever they stand.

    Args:
        d: features of one head, an even number.
        rotary_dim: r, how many of them are turned; an even number, at most d.
        base: as in `rotary_embedding`.

    Black et al. (2022), "GPT-NeoX-20B: an open-source autoregressive language model",
    https://arxiv.org/abs/2204.06745, section 2.1.1: a quarter of the features.
    """
    d, rotary_dim = integer("d", d, 0), integer("rotary_dim", rotary_dim, 0)
    if d % 2 or rotary_dim % 2 or rotary_dim > d:
        raise ValueError(
            f"d and rotary_dim must be even, and rotary_dim at most d, got {d} and {rotary_dim}."
        )
    turning = rotary_frequencies(rotary_dim, base)
    return torch.cat([turning, turning.new_zeros((d - rotary_dim) // 2)])


def llama3_frequencies(
    d: int,
    factor: float,
    trained_length: int,
    *,
    base: float = 500000.0,
    slow: float = 1.0,
    fast: float = 4.0,
) -> Float[Tensor, " half"]:
    """Llama 3's: slow pairs interpolated, fast pairs left alone, and between a share of each.

        r_i = L θ_i / 2π,   γ_i = clamp((r_i − slow) / (fast − slow), 0, 1)
        θ′_i = (1 − γ_i) θ_i / s + γ_i θ_i

    That is YaRN's first ramp with other ends, and nothing is multiplied besides. Llama 3.1 has
    s = 8, L = 8,192 and a base of 500,000, Llama 3.2 has s = 32.

    Args:
        d: features of one head.
        factor: s, how many times slower the slow pairs turn.
        trained_length: L, `original_max_position_embeddings`.
        base: of the trained model, `rope_theta`.
        slow: turns within L up to which a pair is interpolated fully, `low_freq_factor`.
        fast: turns from which a pair is left as it is, `high_freq_factor`.

    Grattafiori et al. (2024), "The Llama 3 herd of models", https://arxiv.org/abs/2407.21783,
    says the base; the ramp is that of the program released with it (`apply_scaling`).
    """
    return yarn_frequencies(d, factor, trained_length, base=base, slow=slow, fast=fast)


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

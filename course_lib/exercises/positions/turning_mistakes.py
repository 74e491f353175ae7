"""Slips in `rotate` between a pair and its turned pair: signs, order, units, speeds."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family


def _speeds_in_turns(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    angles = positions[:, None] * speeds.to(torch.promote_types(x.dtype, torch.float32))
    angles = torch.cat([angles, angles], dim=-1)  # (T, d)
    other = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return (x * angles.cos() + other * angles.sin()).to(x.dtype)


def turning_mistakes(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """Your second feature is not a·sin + b·cos: look at its two signs and at what stands
        beside sin and cos. With another sign the pair is mirrored, not turned.""",
        second_turned_down=("first * sin + second * cos", "first * sin - second * cos"),
        second_turned_up=("first * sin + second * cos", "second * cos - first * sin"),
        second_exchanged=("first * sin + second * cos", "first * cos + second * sin"),
    )
    family(
        mistakes,
        """Sine and cosine have changed places, in both lines or in the first alone. The first
        feature becomes a·cos - b·sin, the second a·sin + b·cos; at position 0 nothing is
        turned.""",
        sine_for_cosine=("angles.cos(), angles.sin()", "angles.sin(), angles.cos()"),
        cosine_of_both=("first * cos - second * sin", "first * sin - second * cos"),
    )
    mistakes.by("speeds-in-turns", _speeds_in_turns).says("""
        Your angles belong to other features: speeds repeated as 0, 1, 0, 1 serve pairs j and j +
        d/2. Here the features 2i and 2i + 1 share speed i: 0, 0, 1, 1, `repeat_interleave(2)`.
    """)
    family(
        mistakes,
        """Your angles are in other units. Position times speed is in radians, and torch's sin and
        cos want radians: nothing is converted, no π is in it.""",
        in_degrees=("angles.cos(), angles.sin()", "angles.deg2rad().cos(), angles.deg2rad().sin()"),
        whole_turns=(
            "angles.cos(), angles.sin()",
            "(angles * 2 * torch.pi).cos(), (angles * 2 * torch.pi).sin()",
        ),
        half_turns=(
            "angles.cos(), angles.sin()",
            "(angles * torch.pi).cos(), (angles * torch.pi).sin()",
        ),
    )
    family(
        mistakes,
        """The pair comes out in the wrong order: feature 2i is a·cos - b·sin, feature 2i + 1 a·sin
        + b·cos.""",
        pair_exchanged=(
            "first * cos - second * sin, first * sin + second * cos",
            "first * sin + second * cos, first * cos - second * sin",
        ),
    )
    family(
        mistakes,
        """You write the turned features into `x`, which belongs to the caller; and what is written
        first is read again. Make a new tensor: `torch.stack`, or `torch.empty_like(x)`.""",
        written_into_x=(
            "turned = torch.stack([first * cos - second * sin, first * sin + second * cos], "
            "dim=-1)\n    return turned.flatten(-2).to(x.dtype)",
            "x = x.detach()\n    x[..., 0::2] = first * cos - second * sin\n"
            "    x[..., 1::2] = first * sin + second * cos\n    return x",
        ),
    )
    family(
        mistakes,
        """Your speeds rise from pair to pair: they are base^(2i/d - 1). They fall from 1 on,
        base^(-2i/d): put the minus into the exponent, and divide by nothing else.""",
        rising_to_one=(
            "base ** (-torch.arange(0, d, 2, device=x.device) / d)",
            "base ** (torch.arange(0, d, 2, device=x.device) / d - 1)",
        ),
    )
    family(
        mistakes,
        """A slice of yours takes a single feature, which then serves all pairs: `1:2` is feature 1
        alone. Every other feature is `x[..., 0::2]` and `x[..., 1::2]`.""",
        one_second_for_all=("x[..., 1::2]", "x[..., 1:2]"),
        one_first_for_all=("x[..., 0::2]", "x[..., 0:1]"),
        one_pair_for_all=("x[..., 0::2], x[..., 1::2]", "x[..., 0:1], x[..., 1:2]"),
    )
    family(
        mistakes,
        """Your speeds are base to the power of something else than -2i/d: the exponents are 0,
        -2/d, -4/d, … and d is the number of features.""",
        exponent_without_first=(
            "0, d, 2, device=x.device) / d",
            "0, d, 2, device=x.device) / (d - 2)",
        ),
        exponent_from_two=("torch.arange(0, d, 2,", "torch.arange(2, d + 2, 2,"),
        divided_by_base=(
            "base ** (-torch.arange(0, d, 2, device=x.device) / d)",
            "1 / (base * torch.arange(1, d, 2, device=x.device))",
        ),
    )

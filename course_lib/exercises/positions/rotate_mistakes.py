"""Mistakes known for the task `rotate`."""

from functools import partial

import torch

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Mistake


def _neighbours(x):
    return x[..., 0::2], x[..., 1::2]


def _halves(x):
    return x.chunk(2, dim=-1)


def _woven(first, second):
    return torch.stack([first, second], dim=-1).flatten(-2)


def _side_by_side(first, second):
    return torch.cat([first, second], dim=-1)


def _turned(a, b, cos, sin):
    return a * cos - b * sin, a * sin + b * cos


def _overwritten(a, b, cos, sin):
    a = a * cos - b * sin
    return a, a * sin + b * cos


def _rotate(
    x,
    positions,
    base=10000.0,
    *,
    power=lambda d: -torch.arange(0, d, 2) / d,
    at=lambda positions: positions,
    angle=lambda positions, speeds: positions[:, None] * speeds,
    pair=_neighbours,
    turn=_turned,
    join=_woven,
):
    """A right answer, of which each mistake exchanges one step."""
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    angles = angle(at(positions), base ** power(x.shape[-1]).to(wide.dtype))
    return join(*turn(*pair(wide), angles.cos(), angles.sin())).to(x.dtype)


def _wrong(name: str, sentence: str, **steps) -> Mistake:
    return Mistake(name, sentence, partial(_rotate, **steps))


def _in_half(x, positions, base=10000.0):
    angles = (positions[:, None] * base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])).half()
    return _woven(*_turned(*_neighbours(x.half()), angles.cos(), angles.sin())).to(x.dtype)


def _in_dtype_of_x(x, positions, base=10000.0):
    speeds = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None].to(x.dtype) * speeds.to(x.dtype)
    return _woven(*_turned(*_neighbours(x), angles.cos(), angles.sin()))


def _added(x, positions, base=10000.0):
    angles = positions[:, None] * base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    return (x + _woven(angles.sin(), angles.cos())).to(x.dtype)


def _three_axes(x, positions, base=10000.0):
    _batch, _length, _d = x.shape
    return _rotate(x, positions, base)


MISTAKES = (
    _wrong(
        "half-split",
        "You pair feature j with feature j + d/2, as many programs do. Here neighbours make a "
        "pair: features 0 and 1, 2 and 3, …, so take x[..., 0::2] and x[..., 1::2].",
        pair=_halves,
        join=_side_by_side,
    ),
    _wrong(
        "put-back-as-halves",
        "You turn the right pairs, and put all first features before all second ones. They have "
        "to alternate again: stack on a new last axis, then flatten.",
        join=_side_by_side,
    ),
    _wrong(
        "turned-back",
        "You turn by the angle's opposite: position 3 is treated as -3. The first feature becomes "
        "a·cos - b·sin, the second a·sin + b·cos.",
        turn=lambda a, b, cos, sin: _turned(a, b, cos, -sin),
    ),
    _wrong(
        "no-minus",
        "Both your lines have a plus, and that is no rotation: lengths change. The first feature "
        "is a·cos minus b·sin.",
        turn=lambda a, b, cos, sin: (a * cos + b * sin, a * sin + b * cos),
    ),
    _wrong(
        "overwritten",
        "Your second line uses the first feature after it was turned. Both lines need the old "
        "pair: keep a and b, and write the results elsewhere.",
        turn=_overwritten,
    ),
    _wrong(
        "exponent-i",
        "Your exponent is -i/d, where i counts the pairs. It is -2i/d.",
        power=lambda d: -torch.arange(d // 2) / d,
    ),
    _wrong(
        "exponent-4i",
        "Your exponent doubles twice. `torch.arange(0, d, 2)` already is 2i, and is divided by d.",
        power=lambda d: -2 * torch.arange(0, d, 2) / d,
    ),
    _wrong(
        "exponent-positive",
        "Your later pairs turn faster. They turn more slowly: the exponent has a minus.",
        power=lambda d: torch.arange(0, d, 2) / d,
    ),
    _wrong(
        "one-speed",
        "All your pairs turn alike. Pair i has a speed of its own, base^(-2i/d).",
        power=lambda d: torch.zeros(d // 2),
    ),
    _wrong(
        "whole-speeds",
        "Your speeds have become integers: all but the first are cut to 0, because they took the "
        "dtype of whole positions. Turn the positions into floats, not the speeds into integers.",
        angle=lambda positions, speeds: positions[:, None] * speeds.to(positions.dtype),
    ),
    _wrong(
        "whole-angles",
        "Your angles are cut to whole numbers. Keep them as floats, whole positions included.",
        angle=lambda positions, speeds: (positions[:, None] * speeds).long().to(speeds.dtype),
    ),
    _wrong(
        "whole-positions",
        "You cut positions to whole numbers. A position may lie between two of them: a stretched "
        "model reads at 0.5.",
        at=lambda positions: positions.long(),
    ),
    _wrong(
        "positions-ignored",
        "You count positions yourself, from 0. Use `positions`: a text that is continued from a "
        "cache does not begin at 0.",
        at=lambda positions: torch.arange(len(positions)),
    ),
    _wrong(
        "one-further",
        "You turn by one position too many. Position 0 is not turned at all.",
        at=lambda positions: positions + 1,
    ),
    Mistake(
        "base-ignored",
        "You ignore `base`. It is 10000 only when the caller does not say otherwise.",
        lambda x, positions, base=10000.0: _rotate(x, positions),
    ),
    Mistake(
        "added",
        "You add sines and cosines to the features. Rotary positions turn pairs and add nothing.",
        _added,
    ),
    Mistake(
        "computed-in-half",
        "You compute in half precision, which holds three digits. Compute in float32 at least, and "
        "come back to the dtype of `x` at the end.",
        _in_half,
    ),
    Mistake(
        "angles-in-the-dtype-of-x",
        "With half-precision features your angles are half precision, too: near 1000 radians they "
        "are off by up to a quarter. Compute angles in float32 at least; only the result takes the "
        "dtype of `x`.",
        _in_dtype_of_x,
    ),
    Mistake(
        "always-float32",
        "Your result is float32 whatever comes in. End with `.to(x.dtype)`.",
        lambda x, *more: _rotate(x, *more).float(),
    ),
    always_float64(_rotate),
    Mistake(
        "only-three-axes",
        "You expect exactly three axes. Index features with `...`, as in x[..., 0::2], and leave "
        "whatever stands before the last two axes alone.",
        _three_axes,
    ),
    changes_input(_rotate, 0, "x"),
    Mistake(
        "detached",
        "Your numbers are right, but no gradient flows back to `x`. Stay with torch operations on "
        "`x` itself, without .detach().",
        lambda *args: _rotate(*args).detach(),
    ),
)

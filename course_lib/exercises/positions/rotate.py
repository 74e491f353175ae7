"""Task `rotate`: rotary positions, each pair of features turned by an angle of its own."""

import numpy as np
import torch

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


def rotate(x, positions, base=10000.0):
    """Two neighbouring features are an arrow in a plane, and position t turns arrow i by the angle
    t·base^(−2i/d). The dot product of two arrows depends on the angle between them alone, so the
    score of a query at t and a key at s depends on t − s. Angles grow with the position, and half
    precision has too few digits for them: compute them in float32 or better, and come back at the
    end.

    Cost: Four multiplications for each pair; the T·d/2 sines and cosines can be made once and
    kept."""
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, device=x.device) / d)  # radians a position, (d/2,)
    angles = positions[:, None] * speeds.to(torch.promote_types(x.dtype, torch.float32))
    cos, sin = angles.cos(), angles.sin()  # (T, d/2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d/2)
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)


def whole(*axes: int, far: int = 50, pairs: int = 0, base: float | None = None):
    """Draws x with leading axes of the given lengths (0: any) and whole positions below `far`."""

    def draw(s: Sampler) -> Inputs:
        length, half, *lead = s.dims(2 + len(axes))
        lead = [given or any_length for given, any_length in zip(axes, lead, strict=True)]
        x = s.floats(*lead, length, 2 * (pairs or half))
        args = x, s.integers(1, far, length)
        return Inputs(args if base is None else (*args, base))

    return draw


CLOSE = 1e-4  # float32's precision, whatever the input: angles of up to 50 radians


case = Cases(atol=CLOSE)
case(
    "one sentence, positions from 0",
    lambda s: (s.floats(1 + s.size, 4), np.arange(1 + s.size)),
)
case("a batch, positions that do not begin at 0", whole(0))


@case("positions between the whole numbers")
def between(s, batch, length, half):
    positions = s.rng.uniform(0.3, 20.0, length).astype(s.dtype)
    return s.floats(batch, length, 2 * half), positions


case.hidden("heads: four axes", whole(0, 0))
case.hidden("another base", whole(0, base=500.0))
case.hidden("a single pair", whole(1, pairs=1))
case.hidden("half precision, far into a text", whole(0, far=900), dtypes=("float16",), atol=None)


@case.hidden("gradients reach the features")
def with_gradient(s):
    x, positions = whole(0)(s).args
    return Inputs((x, positions), upstream=(s.floats(*x.shape),))


def _neighbours(x):
    return x[..., 0::2], x[..., 1::2]


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


class Mistakes:
    def half_split(*args):
        """You pair feature j with feature j + d/2, as many programs do. Here neighbours make a
        pair: features 0 and 1, 2 and 3, …, so take x[..., 0::2] and x[..., 1::2]."""
        return _rotate(*args, pair=lambda x: x.chunk(2, dim=-1), join=_side_by_side)

    def put_back_as_halves(*args):
        """You turn the right pairs, and put all first features before all second ones. They have to
        alternate again: stack on a new last axis, then flatten."""
        return _rotate(*args, join=_side_by_side)

    def turned_back(*args):
        """You turn by the angle's opposite: position 3 is treated as -3. The first feature becomes
        a·cos - b·sin, the second a·sin + b·cos."""
        return _rotate(*args, turn=lambda a, b, cos, sin: _turned(a, b, cos, -sin))

    def no_minus(*args):
        """Both your lines have a plus, and that is no rotation: lengths change. The first feature
        is a·cos minus b·sin."""
        return _rotate(*args, turn=lambda a, b, cos, sin: (a * cos + b * sin, a * sin + b * cos))

    def overwritten(*args):
        """Your second line uses the first feature after it was turned. Both lines need the old
        pair: keep a and b, and write the results elsewhere."""
        return _rotate(*args, turn=_overwritten)

    def exponent_i(*args):
        """Your exponent is -i/d, where i counts the pairs. It is -2i/d."""
        return _rotate(*args, power=lambda d: -torch.arange(d // 2) / d)

    def exponent_4i(*args):
        """Your exponent doubles twice. `torch.arange(0, d, 2)` already is 2i, and is divided by
        d."""
        return _rotate(*args, power=lambda d: -2 * torch.arange(0, d, 2) / d)

    def exponent_positive(*args):
        """Your later pairs turn faster. They turn more slowly: the exponent has a minus."""
        return _rotate(*args, power=lambda d: torch.arange(0, d, 2) / d)

    def one_speed(*args):
        """All your pairs turn alike. Pair i has a speed of its own, base^(-2i/d)."""
        return _rotate(*args, power=lambda d: torch.zeros(d // 2))

    def whole_speeds(*args):
        """Your speeds have become integers: all but the first are cut to 0, because they took the
        dtype of whole positions. Turn the positions into floats, not the speeds into integers."""
        return _rotate(
            *args, angle=lambda positions, speeds: positions[:, None] * speeds.to(positions.dtype)
        )

    def whole_angles(*args):
        """Your angles are cut to whole numbers. Keep them as floats, whole positions included."""
        return _rotate(
            *args,
            angle=lambda positions, speeds: (positions[:, None] * speeds).long().to(speeds.dtype),
        )

    def whole_positions(*args):
        """You cut positions to whole numbers. A position may lie between two of them: a stretched
        model reads at 0.5."""
        return _rotate(*args, at=lambda positions: positions.long())

    def positions_ignored(*args):
        """You count positions yourself, from 0. Use `positions`: a text that is continued from a
        cache does not begin at 0."""
        return _rotate(*args, at=lambda positions: torch.arange(len(positions)))

    def one_further(*args):
        """You turn by one position too many. Position 0 is not turned at all."""
        return _rotate(*args, at=lambda positions: positions + 1)

    def base_ignored(x, positions, base=10000.0):
        """You ignore `base`. It is 10000 only when the caller does not say otherwise."""
        return _rotate(x, positions)

    def added(x, positions, base=10000.0):
        """You add sines and cosines to the features. Rotary positions turn pairs and add
        nothing."""
        angles = positions[:, None] * base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
        return (x + _woven(angles.sin(), angles.cos())).to(x.dtype)

    def computed_in_half(x, positions, base=10000.0):
        """You compute in half precision, which holds three digits. Compute in float32 at least, and
        come back to the dtype of `x` at the end."""
        angles = (
            positions[:, None] * base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
        ).half()
        return _woven(*_turned(*_neighbours(x.half()), angles.cos(), angles.sin())).to(x.dtype)

    def angles_in_the_dtype_of_x(x, positions, base=10000.0):
        """With half-precision features your angles are half precision, too: near 1000 radians they
        are off by up to a quarter. Compute angles in float32 at least; only the result takes the
        dtype of `x`."""
        speeds = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
        angles = positions[:, None].to(x.dtype) * speeds.to(x.dtype)
        return _woven(*_turned(*_neighbours(x), angles.cos(), angles.sin()))

    def always_float32(x, *more):
        """Your result is float32 whatever comes in. End with `.to(x.dtype)`."""
        return _rotate(x, *more).float()

    float64 = always_float64(_rotate)

    def only_three_axes(x, positions, base=10000.0):
        """You expect exactly three axes. Index features with `...`, as in x[..., 0::2], and leave
        whatever stands before the last two axes alone."""
        _batch, _length, _d = x.shape
        return _rotate(x, positions, base)

    changes_x = changes_input(_rotate, 0, "x")

    def detached(*args):
        """Your numbers are right, but no gradient flows back to `x`. Stay with torch operations on
        `x` itself, without .detach()."""
        return _rotate(*args).detach()


HINTS = (
    "A pair of neighbours is an arrow in a plane. Work out, for one arrow (a, b) and one angle, "
    "what the turned arrow is; then do it for all pairs and positions at once.",
    "All angles are a table (T, d/2): a column of positions times a row of speeds, base^(-2i/d). "
    "With a = x[..., 0::2] and b = x[..., 1::2] it broadcasts by itself.",
    "`torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)` puts neighbours "
    "side by side again. Speeds: `base ** (-torch.arange(0, d, 2) / d)`; end with `.to(x.dtype)`.",
)
ROTATE = task(rotate, 6, case.all, Mistakes, HINTS)

"""Task `rotate`: rotary positions, each pair of features turned by an angle of its own."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.positions.turning_mistakes import turning_mistakes


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


IN_HALF = (
    "In float32 and float64 it is right, so something is computed in half precision, which holds "
    "three digits. Make positions, speeds and angles float32, and come back to the dtype of `x` at "
    "the very end."
)


@case("half precision, far into a text", dtypes=("float16",), atol=None, perhaps=IN_HALF)
def half_precision(s, batch, length, half):
    """Positions between two numbers of half precision: 1000.3 and the like, or 3001."""
    between = (1000.3 + s.integers(0, 20, length)).astype(np.float32)
    odd = 3001 + 2 * s.integers(0, 200, length)
    return s.floats(batch, length, 2 * half), between if s.size == 1 else odd


case.hidden("heads: four axes", whole(0, 0))
case.hidden("another base", whole(0, base=500.0))
case.hidden("a single pair", whole(1, pairs=1))


@case.hidden("gradients reach the features")
def with_gradient(s):
    x, positions = whole(0)(s).args
    return Inputs((x, positions), upstream=(s.floats(*x.shape),))


MISTAKES = Mistakes(rotate)
MISTAKES.change(
    "half-split",
    "x[..., 0::2], x[..., 1::2]",
    "x.chunk(2, dim=-1)",
    "turned.flatten",
    "turned.mT.flatten",
).says("""
    You pair feature j with feature j + d/2, as many programs do. Here neighbours make a pair:
    features 0 and 1, 2 and 3, …, so take x[..., 0::2] and x[..., 1::2].
""")
MISTAKES.change(
    "halves-put-back-in-turns", "x[..., 0::2], x[..., 1::2]", "x.chunk(2, dim=-1)"
).says("""
    You pair feature j with feature j + d/2, and put the pairs back in turns. Neighbours make a
    pair: take x[..., 0::2] and x[..., 1::2].
""")
MISTAKES.change("put-back-as-halves", "turned.flatten", "turned.mT.flatten").says("""
    You turn the right pairs, and put all first features before all second ones. They have to
    alternate again: stack on a new last axis, then flatten.
""")
MISTAKES.change("turned-back", "angles.sin()", "-angles.sin()").says("""
    You turn by the angle's opposite: position 3 is treated as -3. The first feature becomes a·cos -
    b·sin, the second a·sin + b·cos.
""")
MISTAKES.change("no-minus", "cos - second", "cos + second").says("""
    Both your lines have a plus, and that is no rotation: lengths change. The first feature is a·cos
    minus b·sin.
""")
MISTAKES.change(
    "overwritten",
    "turned = torch.stack([first * cos - second * sin,",
    "first = first * cos - second * sin\n    turned = torch.stack([first,",
).says("""
    Your second line uses the first feature after it was turned. Both lines need the old pair: keep
    a and b, and write the results elsewhere.
""")
MISTAKES.change("exponent-i", "/ d)", "/ d / 2)").says("""
    Your exponent is -i/d, where i counts the pairs. It is -2i/d.
""")
MISTAKES.change("exponent-4i", "(-torch", "(-2 * torch").says("""
    Your exponent doubles twice. `torch.arange(0, d, 2)` already is 2i, and is divided by d.
""")
MISTAKES.change("exponent-positive", "(-torch", "(torch").says("""
    Your later pairs turn faster. They turn more slowly: the exponent has a minus.
""")
MISTAKES.change("one-speed", "(-torch", "(0 * torch").says("""
    All your pairs turn alike. Pair i has a speed of its own, base^(-2i/d).
""")
MISTAKES.change(
    "whole-speeds", "torch.promote_types(x.dtype, torch.float32)", "positions.dtype"
).says("""
    Your speeds have become integers: all but the first are cut to 0, because they took the dtype of
    whole positions. Turn the positions into floats, not the speeds into integers.
""")
MISTAKES.change(
    "whole-angles",
    "cos, sin = angles.cos(), angles.sin()",
    "cos, sin = angles.trunc().cos(), angles.trunc().sin()",
).says("""
    Your angles are cut to whole numbers. Keep them as floats, whole positions included.
""")
MISTAKES.change("whole-positions", "positions[:, None]", "positions.long()[:, None]").says("""
    You cut positions to whole numbers. A position may lie between two of them: a stretched model
    reads at 0.5.
""")
MISTAKES.change(
    "positions-ignored", "positions[:, None]", "torch.arange(len(positions))[:, None]"
).says("""
    You count positions yourself, from 0. Use `positions`: a text that is continued from a cache
    does not begin at 0.
""")
MISTAKES.change("one-further", "positions[:, None]", "(positions[:, None] + 1)").says("""
    You turn by one position too many. Position 0 is not turned at all.
""")
MISTAKES.by("base-ignored", lambda x, positions, base=0: rotate(x, positions)).says("""
    You ignore `base`. It is 10000 only when the caller does not say otherwise.
""")
MISTAKES.change(
    "added", "first * cos - second * sin, first * sin + second * cos", "first + sin, second + cos"
).says("""
    You add sines and cosines to the features. Rotary positions turn pairs and add nothing.
""")
MISTAKES.change(
    "computed-in-half",
    "angles.cos(), angles.sin()",
    "angles.half().cos(), angles.half().sin()",
    "x[..., 0::2], x[..., 1::2]",
    "x[..., 0::2].half(), x[..., 1::2].half()",
).says("""
    You compute in half precision, which holds three digits. Compute in float32 at least, and come
    back to the dtype of `x` at the end.
""")
MISTAKES.change(
    "angles-in-the-dtype-of-x",
    "positions[:, None] * speeds.to(torch.promote_types(x.dtype, torch.float32))",
    "positions[:, None].to(x.dtype) * speeds.to(x.dtype)",
).says("""
    With half-precision features your angles are half precision, too: near 1000 radians they are off
    by up to a quarter. Compute angles in float32 at least; only the result takes the dtype of `x`.
""")
MISTAKES.change(
    "positions-in-the-dtype-of-x", "positions[:, None]", "positions[:, None].to(x.dtype)"
).says("""
    You turn positions into the dtype of `x`. Half precision has no number for 1000.3 or 3001 and
    takes 1000.5 or 3000: keep positions in float32 at least.
""")
MISTAKES.by("always-float32", lambda *args: rotate(*args).float()).says("""
    Your result is float32 whatever comes in. End with `.to(x.dtype)`.
""")
MISTAKES.change("dtype-of-the-angles", ".to(x.dtype)", "").says("""
    Your result has the dtype of the angles: float32 where `x` is float16. End with `.to(x.dtype)`.
""")
always_float64(MISTAKES)
MISTAKES.change("only-three-axes", "d = x.shape[-1]", "_batch, _length, d = x.shape").says("""
    You expect exactly three axes. Index features with `...`, as in x[..., 0::2], and leave whatever
    stands before the last two axes alone.
""")
changes_input(MISTAKES, "x")
MISTAKES.by("detached", lambda *args: rotate(*args).detach()).says("""
    Your numbers are right, but no gradient flows back to `x`. Stay with torch operations on `x`
    itself, without .detach().
""")
turning_mistakes(MISTAKES)


HINTS = (
    "A pair of neighbours is an arrow in a plane. Work out, for one arrow (a, b) and one angle, "
    "what the turned arrow is; then do it for all pairs and positions at once.",
    "All angles are a table (T, d/2): a column of positions times a row of speeds, base^(-2i/d). "
    "With a = x[..., 0::2] and b = x[..., 1::2] it broadcasts by itself.",
    "`torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)` puts neighbours "
    "side by side again. Speeds: `base ** (-torch.arange(0, d, 2) / d)`; end with `.to(x.dtype)`.",
)
ROTATE = task(MISTAKES, 5, case.all, HINTS)

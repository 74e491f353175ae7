"""What goes wrong in `rotate`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input, family
from course_lib.exercises.positions.rotate.task import rotate


def _speeds_in_turns(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    angles = positions[:, None] * speeds.to(torch.promote_types(x.dtype, torch.float32))
    angles = torch.cat([angles, angles], dim=-1)  # (T, d)
    other = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return (x * angles.cos() + other * angles.sin()).to(x.dtype)


MISTAKES = Mistakes(rotate, globals())
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
MISTAKES.change("size-of-position", "positions[:, None]", "positions.abs()[:, None]").says("""
    You turn by the size of a position, without its sign. A position below 0 turns the other way.
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
family(
    MISTAKES,
    """Your second feature is not a·sin + b·cos: look at its two signs and at what stands
    beside sin and cos. With another sign the pair is mirrored, not turned.""",
    second_turned_down=("first * sin + second * cos", "first * sin - second * cos"),
    second_turned_up=("first * sin + second * cos", "second * cos - first * sin"),
    second_exchanged=("first * sin + second * cos", "first * cos + second * sin"),
)
family(
    MISTAKES,
    """Sine and cosine have changed places, in both lines or in the first alone. The first
    feature becomes a·cos - b·sin, the second a·sin + b·cos; at position 0 nothing is
    turned.""",
    sine_for_cosine=("angles.cos(), angles.sin()", "angles.sin(), angles.cos()"),
    cosine_of_both=("first * cos - second * sin", "first * sin - second * cos"),
)
MISTAKES.by("speeds-in-turns", _speeds_in_turns).says("""
    Your angles belong to other features: speeds repeated as 0, 1, 0, 1 serve pairs j and j +
    d/2. Here the features 2i and 2i + 1 share speed i: 0, 0, 1, 1, `repeat_interleave(2)`.
""")
family(
    MISTAKES,
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
    MISTAKES,
    """The pair comes out in the wrong order: feature 2i is a·cos - b·sin, feature 2i + 1 a·sin
    + b·cos.""",
    pair_exchanged=(
        "first * cos - second * sin, first * sin + second * cos",
        "first * sin + second * cos, first * cos - second * sin",
    ),
)
family(
    MISTAKES,
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
    MISTAKES,
    """Your speeds rise from pair to pair: they are base^(2i/d - 1). They fall from 1 on,
    base^(-2i/d): put the minus into the exponent, and divide by nothing else.""",
    rising_to_one=(
        "base ** (-torch.arange(0, d, 2, device=x.device) / d)",
        "base ** (torch.arange(0, d, 2, device=x.device) / d - 1)",
    ),
)
family(
    MISTAKES,
    """A slice of yours takes a single feature, which then serves all pairs: `1:2` is feature 1
    alone. Every other feature is `x[..., 0::2]` and `x[..., 1::2]`.""",
    one_second_for_all=("x[..., 1::2]", "x[..., 1:2]"),
    one_first_for_all=("x[..., 0::2]", "x[..., 0:1]"),
    one_pair_for_all=("x[..., 0::2], x[..., 1::2]", "x[..., 0:1], x[..., 1:2]"),
)
family(
    MISTAKES,
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


@MISTAKES.says("""
    Two habits are mixed: your angles are those of neighbours, 0, 0, 1, 1, and your features are
    turned in halves, j with j + d/2. Here neighbours make a pair: the partner of x[..., 0::2] is
    x[..., 1::2], and the other vector is -x[1], x[0], -x[3], x[2], …
""")
def halves_with_the_angles_of_neighbours(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    angles = positions[:, None] * speeds.to(torch.promote_types(x.dtype, torch.float32))
    angles = angles.repeat_interleave(2, dim=-1)  # (T, d)
    first, second = x.chunk(2, dim=-1)
    other = torch.cat([-second, first], dim=-1)
    return (x * angles.cos() + other * angles.sin()).to(x.dtype)

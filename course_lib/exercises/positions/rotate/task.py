"""The reference, the cases and the hints of `rotate`."""

import numpy as np
import torch

from course_lib.checker.tasks import Candidate, Cases, Inputs, Sampler
from course_lib.exercises.common import single
from course_lib.exercises.mutants import HEADER, source


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
case.example((single([[1, 2, 3, 4]]), np.array([2])), dtype="float32")
case(
    "one sentence, positions from 0",
    lambda s: (s.floats(1 + s.size, 4), np.arange(1 + s.size)),
)
case("a batch, positions that do not begin at 0", whole(0))


@case("positions between the whole numbers")
def between(s, batch, length, half):
    positions = s.rng.uniform(0.3, 20.0, length).astype(s.dtype)
    return s.floats(batch, length, 2 * half), positions


@case("far into a text", atol=0.01)
def far(s, batch, length, half):
    """Angles are thousands of radians, of which float32 tells two or three thousandths."""
    return s.floats(batch, length, 2 * half), 3001 + 2 * s.integers(0, 200, length)


IN_HALF = (
    "In float32 and float64 it is right, so look at what is computed in half precision, which "
    "holds three digits. Make positions, speeds and angles float32, and come back to the dtype of "
    "`x` at the very end."
)


@case("half precision, far into a text", dtypes=("float16",), atol=None, perhaps=IN_HALF)
def half_precision(s, batch, length, half):
    """Positions between two numbers of half precision: 1000.3 and the like, or 3001."""
    between = (1000.3 + s.integers(0, 20, length)).astype(np.float32)
    odd = 3001 + 2 * s.integers(0, 200, length)
    return s.floats(batch, length, 2 * half), between if s.size == 1 else odd


case.hidden("heads: four axes", whole(0, 0))
case.hidden(
    "another base",  # with more pairs than before, so that no speeds are kept of another
    lambda s: whole(0, pairs=20 + s.size, base=500.0 if s.dtype == "float64" else 1e5)(s),
)
case.hidden("a single pair", whole(1, pairs=1))


@case.hidden("a single position, as in a step of writing")
def one_position(s, batch, half):
    return s.floats(batch, 1, 2 * half), s.integers(1, 50, 1)


@case.hidden("gradients reach the features")
def with_gradient(s):
    x, positions = whole(0)(s).args
    return Inputs((x, positions), upstream=(s.floats(*x.shape),))


@case.hidden("positions below 0")
def below_zero(s, batch, length, half):
    """Turned back: of −2 and 2 each undoes what the other does."""
    return s.floats(batch, length, 2 * half), -s.integers(1, 50, length)


def nearly_cancelled(rotate, x, positions, dtype):
    """The first of each pair, whose two products nearly cancel each other."""
    turned = rotate(x.to(getattr(torch, dtype)), positions)
    first = torch.arange(0, turned.shape[-1], 2)
    return turned.index_select(-1, first).float()


CANCELLED = Candidate(nearly_cancelled.__name__, HEADER + source(nearly_cancelled))


@case.hidden(
    "half precision and bfloat16: products that nearly cancel",
    dtypes=("float32",),
    atol=0.05,
    perhaps="Perhaps cosines, sines or their products are half precision or bfloat16: compute all "
    "of it in float32, and come back to the dtype of `x` at the very end.",
)
def cancelled(s, batch, length, half):
    """Arrows of a length of 1000 that are turned to stand nearly upright. As whole numbers below
    256, and these times four, each dtype holds them."""
    positions = s.integers(1, 20, length)
    speeds = 10000.0 ** (-np.arange(0, 2 * half, 2) / (2 * half))
    angles = np.pi / 2 - positions[:, None] * speeds
    arrows = np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(length, 2 * half)
    given = {
        "x": (4 * np.round(250 * arrows)).astype(s.dtype) * np.ones((batch, 1, 1), s.dtype),
        "positions": positions,
        "dtype": s.turn("float16", "float16", "bfloat16"),
    }
    return Inputs(kwargs=given, examiner=CANCELLED)


HINTS = (
    "A pair of neighbours is an arrow in a plane. Work out, for one arrow (a, b) and one angle, "
    "what the turned arrow is; then do it for all pairs and positions at once.",
    "All angles are a table (T, d/2): a column of positions times a row of speeds, base^(-2i/d). "
    "With a = x[..., 0::2] and b = x[..., 1::2] it broadcasts by itself.",
    "`torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)` puts neighbours "
    "side by side again. Speeds: `base ** (-torch.arange(0, d, 2) / d)`; end with `.to(x.dtype)`.",
)

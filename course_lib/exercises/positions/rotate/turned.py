"""By which angles a wrong result is turned, where each pair of neighbours is turned by one angle at
each position: the speeds or the positions behind them are the unknowns."""

from collections.abc import Iterator
from typing import Any

import numpy as np

DIGITS = (
    "Your angles are near the right ones, and right to a few digits only. Perhaps they are "
    "rounded, or positions, speeds or angles are half precision or bfloat16: make them float32."
)
NOT_TURNED = (
    "Your first pair of neighbours is turned as is needed, and pairs behind it come out as they "
    "came in. Each is turned, pair i by position · base^(-2i/d)."
)
SPEEDS = (
    "Your pairs of neighbours are turned, the first by the right angles and others by wrong ones: "
    "look at their speeds. Pair i has base^(-2i/d){0}."
)
POSITIONS = (
    "Your pairs are turned as is right for other positions{0}. Look at what becomes of `positions` "
    "on the way: they may begin anywhere and come in any order."
)


def turned(pair: Any) -> Iterator[tuple[str, str]]:
    """(key, sentence) of what the angles of a wrong result tell."""
    if pair.arrays is None or pair.arrays[0].shape != pair.arrays[1].shape:
        return
    x, positions = (np.asarray(one, np.float64) for one in pair.trial.inputs.args[:2])
    base, d = pair.given.get("base", 10000.0), x.shape[-1]
    speeds = base ** (-np.arange(0, d, 2) / d)
    before, after = _arrows(x), _arrows(pair.arrays[1])
    room = (2e-2 if pair.arrays[0].dtype == np.float16 else 1e-3) * abs(x).max()
    angles = np.angle((after * before.conj()).reshape(-1, *before.shape[-2:]).sum(0))  # (T, d/2)
    if not _is(before, angles, after, room).all():
        return
    right = positions[:, None] * speeds
    is_right = _is(before, right, after, room).reshape(-1, *angles.shape)
    wrong = np.asarray(~is_right.all((0, 1)))  # (d/2,)
    off = abs(np.angle(np.exp(1j * (angles - right))))
    if (off <= abs(right) / 100 + room).all():
        yield "digits", DIGITS
    elif wrong.any() and not wrong[0]:
        if _is(before, 0 * angles, after, room)[..., wrong].all():
            yield "not turned", NOT_TURNED
        yield "speeds", SPEEDS.format(_speeds(positions, angles, speeds, pair.hidden))
    own = _positions(angles, speeds)
    if own is not None and wrong[0]:
        told = f": {_listed(own)} in the place of {_listed(positions)}"
        yield "positions", POSITIONS.format("" if pair.hidden else told)


def _arrows(x: np.ndarray) -> np.ndarray:
    x = x.astype(np.float64)
    return x[..., 0::2] + 1j * x[..., 1::2]


def _is(before: np.ndarray, angles: np.ndarray, after: np.ndarray, room: float) -> np.ndarray:
    return abs(before * np.exp(1j * angles) - after) < room


def _speeds(positions: np.ndarray, angles: np.ndarray, speeds: np.ndarray, hidden: bool) -> str:
    """The speeds of all pairs where a position tells them, which is 1."""
    if hidden or 1 not in positions:
        return ""
    own = angles[list(positions).index(1)]
    if not (abs(np.exp(1j * (positions[:, None] * own - angles)) - 1) < 1e-2).all():
        return ""
    return f": here {_listed(speeds)}. Up to whole turns yours are {_listed(own)}"


def _positions(angles: np.ndarray, speeds: np.ndarray) -> np.ndarray | None:
    """One position for each row of angles, from the slowest pair to the fastest; None without."""
    own = angles[:, -1] / speeds[-1]
    for k in range(len(speeds) - 2, -1, -1):
        own = own + np.angle(np.exp(1j * (angles[:, k] - own * speeds[k]))) / speeds[k]
    near = abs(np.exp(1j * (own[:, None] * speeds - angles)) - 1) < 5e-3
    return own if near.all() else None


def _listed(numbers: np.ndarray) -> str:
    more = ", …" if len(numbers) > 5 else ""
    return ", ".join(f"{round(n, 6) + 0.0:.4g}" for n in numbers[:5]) + more

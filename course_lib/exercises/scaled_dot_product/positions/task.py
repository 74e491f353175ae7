"""The reference, the cases and the hints of `sinusoidal_positions`."""

import torch

from course_lib.checker.tasks import Cases, Inputs, Sampler


def sinusoidal_positions(length, d_model):
    """Each pair of columns is a sine and a cosine of one angle that grows with the position. The
    speeds fall from 1 towards 1/10000 radians a position: quick pairs tell neighbours apart, slow
    ones tell far places apart. All angles are one table, a column of positions times a row of
    speeds; which function a column takes depends on whether it is even.

    Cost: length·d_model sines and cosines, made once and kept."""
    columns = torch.arange(d_model)
    pairs = columns - columns % 2  # 2i for both columns of pair i
    positions = torch.arange(length, dtype=torch.float32)[:, None]  # (length, 1)
    angles = positions / 10_000 ** (pairs / d_model)  # (length, d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


def table(odd: int, low: int = 2, high: int = 9, pairs: int = 0):
    """Draws (length, d_model) with low ≤ length ≤ high and a d_model of the given parity."""

    def draw(s: Sampler) -> Inputs:
        d_model = 2 * (pairs or int(s.rng.integers(2, 4 + s.size))) + odd
        return Inputs((int(s.rng.integers(low, high + 1)), d_model))

    return draw


case = Cases(dtypes=("float32",), atol=1e-4)
case.example((2, 4))
case("a small table", table(odd=0, high=4, pairs=2))
case("a wider table", table(odd=0))
case("an odd d_model ends with a sine", table(odd=1))
case.hidden("a single position", table(odd=0, low=1, high=1))
case.hidden("two columns", table(odd=0, pairs=1))
case.hidden("positions up to 60", table(odd=0, low=40, high=60))

HINTS = (
    "Make a column of positions (length, 1) and a row of frequencies, one for each pair of "
    "columns; their product is a table of angles.",
    "Pair i has the frequency 1 / 10000^(2i/d_model), and `torch.arange(0, d_model, 2)` gives "
    "every 2i. Sines go to the columns 0::2, cosines to 1::2.",
    "With an odd d_model there are d_model // 2 cosine columns and one more sine: fill 1::2 from "
    "`angles[:, : d_model // 2]`.",
)

"""Task `sinusoidal_positions`: a table of sines and cosines, one row for each position."""

from functools import partial

import torch

from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def sinusoidal_positions(length, d_model):
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


def _table(
    length, d_model, *, first=0, base=10_000.0, power=None, dtype=torch.float32, columns=None
):
    """The table with one choice exchanged. `power(column, d_model)` is the exponent of the base."""
    columns = torch.arange(d_model) if columns is None else columns(d_model)
    exponents = (columns - columns % 2) / d_model if power is None else power(columns, d_model)
    positions = torch.arange(first, first + length, dtype=torch.float64)[:, None]
    angles = positions / base**exponents
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()).to(dtype)


def _swapped(d_model):
    return torch.arange(d_model) ^ 1


def _halves(d_model):
    columns = torch.arange(d_model)
    return torch.cat([columns[0::2], columns[1::2]])


def _even_only(length, d_model):
    positions = torch.arange(length, dtype=torch.float32)[:, None]
    angles = positions / 10_000 ** (torch.arange(0, d_model, 2) / d_model)
    out = torch.zeros(length, d_model)
    out[:, 0::2] = angles.sin()
    out[:, 1::2] = angles.cos()  # one column too many when d_model is odd
    return out


def _sines_alone(length, d_model):
    pairs = torch.arange(d_model) // 2 * 2
    return (torch.arange(length)[:, None] / 10_000 ** (pairs / d_model)).sin()


def _batched(length, d_model):
    return _table(length, d_model)[None]


def _one_more_column(length, d_model):
    return _table(length, d_model + d_model % 2)


POSITIONS = Task(
    name="sinusoidal_positions",
    points=3,
    reference=sinusoidal_positions,
    idea=(
        "Each pair of columns is a sine and a cosine of one angle that grows with the "
        "position. The speeds fall from 1 towards 1/10000 radians a position: quick pairs "
        "tell neighbours apart, slow ones tell far places apart. All angles are one table, a "
        "column of positions times a row of speeds; which function a column takes depends on "
        "whether it is even."
    ),
    cost="length·d_model sines and cosines, made once and kept.",
    cases=(
        Case("a small table", table(odd=0, high=4, pairs=2), dtypes=("float32",), atol=1e-4),
        Case("a wider table", table(odd=0), dtypes=("float32",), atol=1e-4),
        Case("an odd d_model ends with a sine", table(odd=1), dtypes=("float32",), atol=1e-4),
        Case(
            "a single position",
            table(odd=0, low=1, high=1),
            hidden=True,
            dtypes=("float32",),
            atol=1e-4,
        ),
        Case("two columns", table(odd=0, pairs=1), hidden=True, dtypes=("float32",), atol=1e-4),
        Case(
            "positions up to 60",
            table(odd=0, low=40, high=60),
            hidden=True,
            dtypes=("float32",),
            atol=1e-4,
        ),
    ),
    mistakes=(
        Mistake(
            "halves",
            "You put all sines first and all cosines after them. They alternate: sine in column "
            "0, cosine in column 1, and so on.",
            partial(_table, columns=_halves),
        ),
        Mistake(
            "exponent-i",
            "Your exponent is i/d_model, where i counts the pairs. It is 2i/d_model: the last pair "
            "comes close to a wavelength of 2π · 10000.",
            partial(_table, power=lambda column, d: column // 2 / d),
        ),
        Mistake(
            "exponent-of-the-column",
            "Each column has its own frequency. A sine and the cosine after it share one: both use "
            "2i, the even column's number.",
            partial(_table, power=lambda column, d: column / d),
        ),
        Mistake(
            "exponent-twice-the-column",
            "Your exponent is twice the column's number over d_model. The 2i of the formula "
            "already is the column's number, for i counts pairs of columns.",
            partial(_table, power=lambda column, d: 2 * column / d),
        ),
        Mistake(
            "exponent-4i",
            "Your exponent doubles twice. The 2i of the formula is the even column's number "
            "itself.",
            partial(_table, power=lambda column, d: 2 * (column - column % 2) / d),
        ),
        Mistake(
            "from-one",
            "You count positions from 1. The first position is 0: its row is 0, 1, 0, 1, …",
            partial(_table, first=1),
        ),
        Mistake(
            "cosine-first",
            "You begin with the cosine. Even columns hold sines, odd columns cosines.",
            partial(_table, columns=_swapped),
        ),
        Mistake(
            "sines-alone",
            "All your columns are sines. The odd columns hold cosines, with the angle of the "
            "column before them.",
            _sines_alone,
        ),
        Mistake(
            "multiplied",
            "You multiply the position by the power of 10000. Divide by it: later columns turn "
            "more slowly.",
            partial(_table, power=lambda column, d: -(column - column % 2) / d),
        ),
        Mistake(
            "base-1000",
            "Your base is 1000. The formula's base is 10000, ten thousand.",
            partial(_table, base=1000.0),
        ),
        Mistake(
            "always-float64",
            "Your table is float64. Make it float32, the dtype of a model's parameters.",
            partial(_table, dtype=torch.float64),
        ),
        Mistake(
            "even-only",
            "Your table fails for an odd d_model: there is one sine more than cosines. Give the "
            "cosine columns only as many angles as there are such columns.",
            _even_only,
        ),
        Mistake(
            "one-column-too-many",
            "For an odd d_model your table has one column too many. Cut the last cosine off.",
            _one_more_column,
        ),
        Mistake(
            "transposed",
            "Your table is lying on its side. Rows are positions, columns are features: "
            "(length, d_model).",
            lambda length, d_model: _table(length, d_model).T,
        ),
        Mistake(
            "batch-axis",
            "You return an extra axis for the batch. Return (length, d_model): adding it to a "
            "batch broadcasts by itself.",
            _batched,
        ),
    ),
    hints=(
        "Make a column of positions (length, 1) and a row of frequencies, one for each pair of "
        "columns; their product is a table of angles.",
        "Pair i has the frequency 1 / 10000^(2i/d_model), and `torch.arange(0, d_model, 2)` gives "
        "every 2i. Sines go to the columns 0::2, cosines to 1::2.",
        "With an odd d_model there are d_model // 2 cosine columns and one more sine: fill 1::2 "
        "from `angles[:, : d_model // 2]`.",
    ),
)

"""Task `sinusoidal_positions`: a table of sines and cosines, one row for each position."""

import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import family


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
case("a small table", table(odd=0, high=4, pairs=2))
case("a wider table", table(odd=0))
case("an odd d_model ends with a sine", table(odd=1))
case.hidden("a single position", table(odd=0, low=1, high=1))
case.hidden("two columns", table(odd=0, pairs=1))
case.hidden("positions up to 60", table(odd=0, low=40, high=60))


MISTAKES = Mistakes(sinusoidal_positions)
MISTAKES.change(
    "halves",
    "columns = torch.arange(d_model)",
    "columns = torch.cat([torch.arange(0, d_model, 2), torch.arange(1, d_model, 2)])",
).says("""
    You put all sines first and all cosines after them. They alternate: sine in column 0, cosine in
    column 1, and so on.
""")
MISTAKES.change("exponent-i", "pairs / d_model", "columns // 2 / d_model").says("""
    Your exponent is i/d_model, where i counts the pairs. It is 2i/d_model: the last pair comes
    close to a wavelength of 2π · 10000.
""")
MISTAKES.change("exponent-of-the-column", "pairs / d_model", "columns / d_model").says("""
    Each column has its own frequency. A sine and the cosine after it share one: both use 2i, the
    even column's number.
""")
MISTAKES.change("exponent-twice-the-column", "pairs / d_model", "2 * columns / d_model").says("""
    Your exponent is twice the column's number over d_model. The 2i of the formula already is the
    column's number, for i counts pairs of columns.
""")
MISTAKES.change("whole-exponent", "pairs / d_model", "pairs // d_model").says("""
    Your exponent is a whole number, because `//` cuts the fraction off. Divide with `/`.
""")
MISTAKES.change("exponent-4i", "pairs / d_model", "2 * pairs / d_model").says("""
    Your exponent doubles twice. The 2i of the formula is the even column's number itself.
""")
sentence = """
    You round an odd d_model to an even number in the exponent. Divide by `d_model` itself, odd or
    even.
"""
MISTAKES.change("exponent-rounded-up", "pairs / d_model", "pairs / (d_model + d_model % 2)").says(
    sentence
)
MISTAKES.change("exponent-rounded-down", "pairs / d_model", "pairs / (d_model - d_model % 2)").says(
    sentence
)
MISTAKES.change("from-one", "positions /", "(positions + 1) /").says("""
    You count positions from 1. The first position is 0: its row is 0, 1, 0, 1, …
""")
MISTAKES.change("cosine-first", "% 2 == 0", "% 2 == 1").says("""
    You begin with the cosine. Even columns hold sines, odd columns cosines.
""")
MISTAKES.change("sines-alone", "angles.cos()", "angles.sin()").says("""
    All your columns are sines. The odd columns hold cosines, with the angle of the column before
    them.
""")
MISTAKES.change("multiplied", "positions /", "positions *").says("""
    You multiply the position by the power of 10000. Divide by it: later columns turn more slowly.
""")
MISTAKES.change("base-1000", "10_000", "1_000").says("""
    Your base is 1000. The formula's base is 10000, ten thousand.
""")
MISTAKES.change("always-float64", "angles.cos())", "angles.cos()).double()").says("""
    Your table is float64: something in it was made with that dtype, or came from NumPy. Make it
    float32, the dtype of a model's parameters.
""")


@MISTAKES.says("""
    Your table fails for an odd d_model: there is one sine more than cosines. Give the cosine
    columns only as many angles as there are such columns.
""")
def even_only(length, d_model):
    positions = torch.arange(length, dtype=torch.float32)[:, None]
    angles = positions / 10_000 ** (torch.arange(0, d_model, 2) / d_model)
    out = torch.zeros(length, d_model)
    out[:, 0::2] = angles.sin()
    out[:, 1::2] = angles.cos()  # one column too many when d_model is odd
    return out


MISTAKES.by(
    "one-column-too-many", lambda length, d: sinusoidal_positions(length, d + d % 2)
).says("""
    For an odd d_model your table has one column too many. Cut the last cosine off.
""")
MISTAKES.change("transposed", "angles.cos())", "angles.cos()).T").says("""
    Your table is lying on its side. Rows are positions, columns are features: (length, d_model).
""")
MISTAKES.change("batch-axis", "angles.cos())", "angles.cos())[None]").says("""
    You return an extra axis for the batch. Return (length, d_model): adding it to a batch
    broadcasts by itself.
""")
family(
    MISTAKES,
    """You divide the exponent by d − 1, or d/2, or d + 1. It is 2i / d, with d = `d_model`.""",
    divided_by_one_less=("pairs / d_model", "pairs / max(d_model - 1, 1)"),
    divided_by_one_more=("pairs / d_model", "pairs / (d_model + 1)"),
)
family(
    MISTAKES,
    """An odd d_model ends with a sine, and your last column is 0. There are (d + 1) // 2 pairs,
    the last of them without its cosine.""",
    last_sine_missing=(
        "angles.cos())",
        "angles.cos()) * (columns < d_model - d_model % 2)",
    ),
)
family(
    MISTAKES,
    """You take the angles for degrees. They are what `torch.sin` expects, radians.""",
    degrees=("angles = positions", "angles = torch.pi / 180 * positions"),
)
family(
    MISTAKES,
    """Your columns end in cosines where sines belong, or begin so: an even column holds a sine,
    also the last one of an odd d_model.""",
    last_column_cosine=(
        "columns % 2 == 0",
        "(columns % 2 == 0) & (columns < d_model - d_model % 2)",
    ),
)


HINTS = (
    "Make a column of positions (length, 1) and a row of frequencies, one for each pair of "
    "columns; their product is a table of angles.",
    "Pair i has the frequency 1 / 10000^(2i/d_model), and `torch.arange(0, d_model, 2)` gives "
    "every 2i. Sines go to the columns 0::2, cosines to 1::2.",
    "With an odd d_model there are d_model // 2 cosine columns and one more sine: fill 1::2 from "
    "`angles[:, : d_model // 2]`.",
)
POSITIONS = task(MISTAKES, 2, case.all, HINTS)

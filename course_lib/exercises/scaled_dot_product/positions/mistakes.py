"""What goes wrong in `sinusoidal_positions`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.scaled_dot_product.positions.task import sinusoidal_positions

MISTAKES = Mistakes(sinusoidal_positions, globals())
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


@MISTAKES.says("""
    Your exponents go from 0 to 1, the last pair's included, as in some programs. The formula
    divides by d_model, so the last pair stays below 1: 2i / d_model, with 2i the even column's
    number.
""")
def exponents_up_to_one(length, d_model):
    pairs = (d_model + 1) // 2
    share = torch.arange(pairs) / max(pairs - 1, 1)
    angles = torch.arange(length)[:, None] / 10000.0**share
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :d_model]

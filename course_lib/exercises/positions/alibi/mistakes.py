"""What goes wrong in `alibi`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.positions.alibi.task import alibi

MISTAKES = Mistakes(alibi, globals())
MISTAKES.change("aligned-top-left", " + n_keys - n_queries", "").says("""
    You put the first query beside the first key. The last query stands beside the last key: query t
    has its place at t + n_keys - n_queries.
""")
MISTAKES.change(
    "top-left-when-queries-are-more", "+ n_keys - n_queries", "+ max(n_keys - n_queries, 0)"
).says("""
    With more queries than keys your first query stands beside the first key. The last query stands
    beside the last key, always; the surplus queries come before every key.
""")
MISTAKES.change("shifted-the-wrong-way", "+ n_keys - n_queries", "- n_keys + n_queries").says("""
    You move the queries the wrong way. With more keys than queries the first query already has keys
    behind it: add n_keys - n_queries to its number.
""")
MISTAKES.change("ahead-rewarded", ".clamp(min=0)", "").says("""
    A key that lies ahead gets a positive number, which draws attention to it. Its distance back is
    0: clamp the distances at 0.
""")
MISTAKES.change("ahead-punished", ".clamp(min=0)", ".abs()").says("""
    You take the distance in both directions. Only keys behind the query are punished; where a key
    lies ahead the number is 0.
""")
family(
    MISTAKES,
    """You write -inf, or a large negative number, where a key lies ahead. Hiding it is the mask's
    business: here the number is 0.""",
    ahead_forbidden=(".clamp(min=0)", "", "-back", "torch.where(back < 0, -torch.inf, -back)"),
    ahead_forbidden_by_a_number=(
        ".clamp(min=0)",
        "",
        "return slopes[:, None, None] * -back",
        "return (slopes[:, None, None] * -back).masked_fill(back < 0, -1e9)",
    ),
)
family(
    MISTAKES,
    """Your slopes are not 2^(-8h/H). With h = 1, …, H the exponents are -8/H, -16/H, … down to -8,
    and none of them is rounded.""",
    slopes_without_eight=("-8 / num_heads", "-1 / num_heads"),
    slopes_with_four=("-8 / num_heads", "-4 / num_heads"),
    slopes_times_heads=("-8 / num_heads", "-8 * num_heads"),
    slopes_one_by_h=(
        "2.0 ** (-8 / num_heads * torch.arange(1, num_heads + 1))",
        "1 / torch.arange(1, num_heads + 1)",
    ),
    slopes_linear=(
        "2.0 ** (-8 / num_heads * torch.arange(1, num_heads + 1))",
        "torch.arange(1, num_heads + 1) / num_heads",
    ),
    exponents_rounded_down=(
        "-8 / num_heads * torch.arange(1, num_heads + 1)",
        "-8 * torch.arange(1, num_heads + 1) // num_heads",
    ),
    exponents_cut=(
        "-8 / num_heads * torch.arange(1, num_heads + 1)",
        "-(8 * torch.arange(1, num_heads + 1) // num_heads)",
    ),
)
family(
    MISTAKES,
    """Your number does not grow evenly with the distance. It is the slope times the distance: no
    square, no root, no logarithm.""",
    squared=("* -back", "* -back**2"),
    rooted=("* -back", "* -back.sqrt()"),
    logarithm=("* -back", "* -back.log1p()"),
)
MISTAKES.change("positive", "-back", "back").says("""
    Your bias grows with the distance, so far words win. It is taken off: all numbers are 0 or
    negative.
""")
MISTAKES.change("own-position-punished", "(queries -", "(queries + 1 -").says("""
    Your distances begin at 1. A word's distance to itself is 0.
""")
MISTAKES.change("slopes-from-one", "arange(1, num_heads + 1)", "arange(num_heads)").says("""
    Your first head has slope 1. Heads count from 1 here: the first slope is 2^(-8/H), the last
    2^(-8).
""")
MISTAKES.change("slopes-of-eight-heads", "-8 / num_heads", "-1.0").says("""
    Your slopes are ½, ¼, ⅛, … for any number of heads. That is right for eight: the exponents are
    -8/H, -16/H, …, down to -8.
""")
MISTAKES.change("exponent-over-the-head", "-8 / num_heads * torch", "-8 / torch").says("""
    Your exponent is -8/h, which makes the first head's slope the smallest. It is -8h/H: the first
    head has the largest slope.
""")
MISTAKES.change("whole-exponents", "-8 / num_heads", "-(8 // num_heads)").says("""
    Your exponent is cut by `//`: with 16 heads 8 // 16 is 0, and all slopes become 1. Divide with
    `/`.
""")
MISTAKES.change("slopes-reversed", "slopes[:, ", "slopes.flip(0)[:, ").says("""
    Your heads stand in reverse. The first head has the steepest slope, 2^(-8/H).
""")
MISTAKES.change(
    "same-for-all-queries", "queries - torch", "queries[-1:].expand_as(queries) - torch"
).says("""
    Your bias is the same for every query: the distance from the last one. Each query looks back
    from its own place.
""")
MISTAKES.change("one-slope", "slopes[:, ", "slopes[:1].expand_as(slopes)[:, ").says("""
    All your heads have the same slope. Head h has its own, 2^(-8h/H).
""")
MISTAKES.change("no-slopes", "slopes[:, ", "torch.ones_like(slopes)[:, ").says("""
    You take off the plain distance. Multiply it by each head's slope.
""")
MISTAKES.change("base-e", "2.0 ** (", "torch.exp(").says("""
    Your slopes are powers of e. They are powers of 2: 2^(-8h/H).
""")
MISTAKES.change("float64", "-back", "-back.double()").says("""
    Your bias is not float32. Give it that dtype, which a model's scores have.
""")
MISTAKES.change(
    "forwards",
    "(queries - torch.arange(n_keys)).clamp",
    "(torch.arange(n_keys) - queries).clamp",
).says("""
    Your distance runs forwards, so keys ahead are punished and those behind are free. It is the
    place of the query minus that of the key.
""")
MISTAKES.change("transposed", "-back", "-back.mT").says("""
    Rows and columns have changed places. Rows are queries, columns are keys.
""")
MISTAKES.by("heads-last", lambda *args: alibi(*args).permute(1, 2, 0)).says("""
    Your heads are the last axis. Return (num_heads, n_queries, n_keys), as scores have it.
""")
MISTAKES.by("batch-axis", lambda *args: alibi(*args)[None]).says("""
    You return an extra axis for the batch. Return (num_heads, n_queries, n_keys): it broadcasts
    without it.
""")

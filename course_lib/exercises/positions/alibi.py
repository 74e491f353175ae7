"""Task `alibi`: a penalty on the score for each word of distance, with a slope for each head."""

import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import family


def alibi(num_heads, n_queries, n_keys):
    """No position enters the vectors: what is far away gets a lower score. The distance back is one
    table for all heads, and each head multiplies it by a slope of its own, from steep (looks near)
    to flat (looks far). Keys that lie ahead get 0, because forbidding them is the causal mask's
    work.

    Cost: H·T·S numbers when written out; a kernel makes each from its indices."""
    slopes = 2.0 ** (-8 / num_heads * torch.arange(1, num_heads + 1))  # (H,)
    queries = torch.arange(n_queries)[:, None] + n_keys - n_queries  # their places among the keys
    back = (queries - torch.arange(n_keys)).clamp(min=0)  # (T, S)
    return slopes[:, None, None] * -back


def lengths(heads=None, queries=None, keys=None):
    """Draws (H, T, S). Heads not given: 2, 4 and 16 in turn. A length is "few" or "many", or the
    same for both."""

    def draw(s: Sampler) -> Inputs:
        few, many = sorted(s.dims(2, low=3))
        pick = {"few": few, "many": many, "one": 1, None: many}
        return Inputs((heads or max(2, s.size**2), pick[queries], pick[keys]))

    return draw


case = Cases(dtypes=("float32",))
case("as many keys as queries", lengths())
case("more keys than queries", lengths(queries="few"))
case("eight heads", lengths(heads=8))
case.hidden("a single query, the newest", lengths(queries="one"))
case.hidden("more queries than keys", lengths(keys="few"))
case.hidden("a single head", lengths(heads=1))
case.hidden("thirty-two heads", lengths(heads=32))


MISTAKES = Mistakes(alibi)
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
    Your bias is float64. Make it float32, the dtype of a model's scores.
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


HINTS = (
    "Two things to make: a table of distances (T, S), and one slope for each head. The bias is "
    "their product with a minus, and broadcasting makes the axis of heads.",
    "Query t has its place at t + n_keys - n_queries among the keys, as in a causal mask. The "
    "distance back is that place minus the key's; what is negative lies ahead.",
    "`back.clamp(min=0)` puts 0 where a key lies ahead. Slopes: `2.0 ** (-8 / num_heads * "
    "torch.arange(1, num_heads + 1))`, then `[:, None, None]`.",
)
ALIBI = task(MISTAKES, 4, case.all, HINTS)

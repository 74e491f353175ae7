"""What goes wrong in `response`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.scaled_dot_product.response.task import response

MISTAKES = Mistakes(response, globals())
MISTAKES.change("not-divided", " / divisor", "").says("""
    You do not divide the scores. Divide them by `divisor` before the softmax.
""")
MISTAKES.change("root-for-divisor", "/ divisor", "/ query.shape[-1] ** 0.5").says("""
    You divide by the root of the last axis, whatever `divisor` is. Divide by the argument: it may
    be 1, or another number.
""")
MISTAKES.change("divided-twice", "/ divisor", "/ divisor**2").says(
    "You divide the scores twice by `divisor`, or by its square. Divide once."
)
MISTAKES.change("multiplied", "/ divisor", "* divisor").says(
    "You multiply the scores by `divisor`. Divide them by it."
)
MISTAKES.change(
    "product-nudged", "torch.full_like(scores, 0.01)", "torch.full_like(scores, 0.01 / divisor)"
).says("""
    Your slope is the right one divided by `divisor`. Either the dot product was nudged and divided
    afterwards, or the slope was divided too. Raise the score itself, after the division, by 0.01,
    and divide by 0.01 alone.
""")
MISTAKES.change(
    "all-raised", "scores.scatter_add(-1, best, torch.full_like(scores, 0.01))", "scores + 0.01"
).says("""
    Your mean is 0. Either you raise all scores of a row, and softmax sees only differences: raise
    its largest alone. Or your mean is over all keys of a row, whose changes cancel: take that of
    the nudged key, `[rows, best]`. Or both names are one tensor: `scores.clone()` makes two.
""")
MISTAKES.change(
    "weight-raised", "after = torch.softmax(nudged, dim=-1).gather(-1, best)", "after = before+0.01"
).says("""
    You raise the weight by 0.01, and measure your own nudge. Raise the score, and compute the
    softmax again.
""")
MISTAKES.change(
    "first-key", "scores.argmax(-1, keepdim=True)", "scores.argmax(-1, keepdim=True) * 0"
).says("""
    You nudge the first key's score. Nudge the largest score of each row, wherever it stands:
    `scores.argmax(-1)`.
""")
MISTAKES.change("smallest", "argmax", "argmin").says("""
    You nudge the smallest score of each row. Nudge the largest: `argmax`.
""")
MISTAKES.change(
    "largest-of-all",
    "torch.full_like(scores, 0.01)",
    "0.01 * (scores == scores.max()).any(-1, keepdim=True).to(scores).expand_as(scores)",
).says("""
    You nudge the one largest score of all. Each query has its own: raise the largest score of every
    row.
""")
MISTAKES.change(
    "second-best", "scores.argmax(-1, keepdim=True)", "scores.topk(2).indices[:, 1:]"
).says("""
    You nudge the second largest score of each row. Nudge the largest: `argmax`.
""")
MISTAKES.change("not-per-unit", " / 0.01", "").says("""
    You return how far the weight moved. Divide by the 0.01 by which you raised the score: the
    answer is a slope, which does not depend on the size of the nudge.
""")
MISTAKES.change("nudge-of-1", "(scores, 0.01)", "(scores, 1.0)", " / 0.01", "").says("""
    Your nudge is 1, and in such a step the weight's curve bends. Nudge by 0.01, and divide by 0.01.
""")
MISTAKES.change("sign-turned", "after - before", "before - after").says("""
    Your sign is turned: subtract the weight before the nudge from the one after it.
""")
MISTAKES.change("sum", ".mean()", ".sum()").says(
    "You add the slopes of all queries up. Take their mean."
)
MISTAKES.change("maximum", ".mean()", ".max()").says("""
    You return the largest slope. Take the mean over the queries.
""")
MISTAKES.change("the-weight", "((after - before) / 0.01)", "before").says("""
    You return the mean of the largest weights. Measure how far they move when their scores are
    nudged: the weight after, less the weight before, divided by 0.01.
""")
family(
    MISTAKES,
    """You look along the first axis, for each key its best query. Each query chooses among the
    keys: softmax, `argmax` and what you read run along the last axis, dim=-1.""",
    all_along_the_first=(
        "scores.argmax(-1, keepdim=True)",
        "scores.argmax(0, keepdim=True)",
        "scatter_add(-1, best,",
        "scatter_add(0, best,",
        "(scores, dim=-1).gather(-1, best)",
        "(scores, dim=0).gather(0, best)",
        "(nudged, dim=-1).gather(-1, best)",
        "(nudged, dim=0).gather(0, best)",
    ),
    best_along_the_first=(
        "scores.argmax(-1, keepdim=True)",
        "scores.argmax(0, keepdim=True)",
        "scatter_add(-1, best,",
        "scatter_add(0, best,",
        "(scores, dim=-1).gather(-1, best)",
        "(scores, dim=-1).gather(0, best)",
        "(nudged, dim=-1).gather(-1, best)",
        "(nudged, dim=-1).gather(0, best)",
    ),
)
MISTAKES.by(
    "softmax-over-queries",
    MISTAKES.changed("(scores, dim=-1)", "(scores, dim=0)", "(nudged, dim=-1)", "(nudged, dim=0)"),
).says("""
    Your softmax runs over the queries. Each query shares its attention among the keys: take the
    last axis.
""")
MISTAKES.change("each-query", ".mean().item()", ".squeeze(-1)").says("""
    You return a slope for each query. Return one number, their mean.
""")
MISTAKES.change("tensor", ".item()", "").says(
    "You return a tensor. Return a Python number: `.item()`."
)
family(
    MISTAKES,
    """You take the mean over all weights, or add them up. What is asked for is the weight of the
    nudged key alone, one for each query.""",
    all_weights=(
        "return ((after - before) / 0.01).mean().item()",
        "return ((nudged.softmax(-1) - scores.softmax(-1)).abs() / 0.01).mean().item()",
    ),
    all_weights_summed=(
        "return ((after - before) / 0.01).mean().item()",
        "return ((nudged.softmax(-1) - scores.softmax(-1)).abs() / 0.01).sum(-1).mean().item()",
    ),
)
family(
    MISTAKES,
    """`x[:, i] += …` changes the columns of all queries' keys in every row. Row t has its own
    key: `x[torch.arange(T), i] += 0.01`.""",
    columns_raised=(
        "nudged = scores.scatter_add(-1, best, torch.full_like(scores, 0.01))",
        "nudged = scores.clone(); nudged[:, best[:, 0]] += 0.01",
    ),
)
family(
    MISTAKES,
    """You raise the score by one amount and divide by another. Raise by 0.01 and divide by
    0.01.""",
    raised_by_a_tenth=("scores, 0.01)", "scores, 0.1)"),
    raised_by_a_thousandth=("scores, 0.01)", "scores, 0.001)"),
)
family(
    MISTAKES,
    """Your number is the change divided by the weight before, a relative one. The change itself is
    asked for, divided by 0.01.""",
    relative=("(after - before)", "(after - before) / before"),
)
family(
    MISTAKES,
    """You take the median, or the smallest, of the queries. It is their mean.""",
    median=(".mean()", ".median()"),
    minimum=(".mean()", ".min()"),
)
family(
    MISTAKES,
    """You move the query or all scores at once. Raise one number of each row of *scores*, its
    largest, and leave the others.""",
    query_moved=(
        "nudged = scores.scatter_add(-1, best, torch.full_like(scores, 0.01))",
        "nudged = (query + 0.01) @ key.transpose(-2, -1) / divisor",
    ),
    all_multiplied=(
        "nudged = scores.scatter_add(-1, best, torch.full_like(scores, 0.01))",
        "nudged = 1.01 * scores",
    ),
)
family(
    MISTAKES,
    """You multiply the score by 1.01. Raise it by 0.01: add.""",
    multiplied_by_1_01=(
        "nudged = scores.scatter_add(-1, best, torch.full_like(scores, 0.01))",
        "nudged = scores.scatter(-1, best, 1.01 * scores.gather(-1, best))",
    ),
)
family(
    MISTAKES,
    """You look at the largest score of the whole matrix. Each query has a largest score of its own,
    and its own slope; take the mean over the queries.""",
    largest_score_s_row=(
        "return ((after - before) / 0.01).mean().item()",
        "return ((after - before) / 0.01)[scores.argmax() // len(key)].item()",
    ),
)


@MISTAKES.says("""
    You average the largest weights first and take the slope of the average. A slope is no straight
    line of the weight: take each query's own slope, then their mean.
""")
def slope_of_the_mean(query, key, divisor):
    mean = (query @ key.mT / divisor).softmax(-1).amax(-1).mean().item()
    return mean * (1 - mean)

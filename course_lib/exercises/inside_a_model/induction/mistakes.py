"""What goes wrong in `induction_share`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.inside_a_model.induction.task import induction_share
from course_lib.exercises.inside_a_model.share_mistakes import known

MISTAKES = known(Mistakes(induction_share, globals()))
MISTAKES.change("same-token", "period + 1]", "period]").says("""
    You measure the weight on the same token one round ago. An induction head looks at what followed
    it: one place later.
""")
MISTAKES.change("two-later", "period + 1]", "period + 2]").says("""
    You go one place too far: what followed stands at t - period + 1.
""")
MISTAKES.change("one-before", "period + 1]", "period - 1]").says("""
    You go too far back: what followed stands at t - period + 1.
""")
MISTAKES.change(
    "one-before-and-late", "period + 1]", "period - 1]", "arange(period,", "arange(period + 1,"
).says("""
    You measure the diagonal `-period - 1`. What followed the same token stands on `1 - period`: key
    t - period + 1 for query t, from t = period on.
""")
MISTAKES.change("one-too-early", "arange(period,", "arange(period - 1,").says("""
    You begin with the last query of the first round, for which nothing has been repeated yet. Begin
    at t = period.
""")
MISTAKES.change("one-too-late", "arange(period,", "arange(period + 1,").says("""
    You begin one query late. The first token of the second round is at t = period.
""")
family(
    MISTAKES,
    """You measure all queries of the text. In the first round nothing has been repeated, and a key
    below 0 counts from the end: begin at t = period.""",
    first_round_too=("arange(period,", "arange(1,"),
    from_query_0=("arange(period,", "arange(0,"),
)
family(
    MISTAKES,
    """You take the mean over a whole block of the map, every query with every key. Pairs are asked:
    query t with key t - period + 1, two index tensors of one length.""",
    whole_block=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "layer[:, :, period:, 1 : len(t) + 1].mean((0, 2, 3))",
    ),
)
family(
    MISTAKES,
    """Your key is the same for every query. It moves with the query: t - period + 1, one place
    behind the same token of a round ago.""",
    key_0=("t - period + 1]", "0]"),
    key_1=("t - period + 1]", "1]"),
    key_of_the_period=("t - period + 1]", "period]"),
    key_before_the_period=("t - period + 1]", "period - 1]"),
    key_behind_the_period=("t - period + 1]", "period + 1]"),
    key_t_minus_period=("t - period + 1]", "-period]"),
    key_t_minus_period_and_1=("t - period + 1]", "-period - 1]"),
    key_t_minus_period_but_1=("t - period + 1]", "-period + 1]"),
    last_key=("t - period + 1]", "-1]"),
    last_key_but_one=("t - period + 1]", "-2]"),
)
family(
    MISTAKES,
    """You count the key from the start of the text, by the remainder of t. It is counted back from
    the query: t - period + 1.""",
    remainder=("t - period + 1]", "t % period]"),
    remainder_and_1=("t - period + 1]", "t % period + 1]"),
    remainder_of_the_next=("t - period + 1]", "(t + 1) % period]"),
)
MISTAKES.change("token-before", "t - period + 1]", "t - 1]").says("""
    You measure the token before, as in the task above. An induction head looks at key t - period +
    1.
""")
MISTAKES.change("itself", "t - period + 1]", "t]").says("""
    You measure the weight on the token itself. An induction head looks at key t - period + 1.
""")
family(
    MISTAKES,
    """You count how often key t - period + 1 has the largest weight. That weight itself is asked,
    in the mean.""",
    how_often=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "(layer.argmax(-1)[:, :, period:] == t - period + 1).to(layer).mean((0, 2))",
    ),
)
family(
    MISTAKES,
    """You add up over many keys. One alone is asked for each query: t - period + 1.""",
    all_up_to_it=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "layer.tril(1 - period)[:, :, period:].sum(-1).mean((0, 2))",
    ),
    all_of_the_first_round=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "layer[:, :, period:, :period].sum(-1).mean((0, 2))",
    ),
    both_tokens=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "(layer[:, :, t, t - period + 1] + layer[:, :, t, t - period]).mean((0, 2))",
    ),
)
family(
    MISTAKES,
    """You leave out the last query, or some more. The queries of the repetition go to T - 1:
    `torch.arange(period, T)`.""",
    one_query=("weights[0].shape[-1])", "period + 1)"),
    last_left_out=("weights[0].shape[-1])", "weights[0].shape[-1] - 1)"),
)
MISTAKES.by(
    "half-of-the-text", lambda weights, period: induction_share(weights, len(weights[0][0, 0]) // 2)
).says("""
    You take half of the text for the period. A text may repeat itself more than once, or break off:
    use `period`.
""")
family(
    MISTAKES,
    """You begin at half of the text, or one period before its end. Begin at t = period.""",
    from_half=("arange(period,", "arange(weights[0].shape[-1] // 2,"),
    last_period=("arange(period,", "arange(weights[0].shape[-1] - period,"),
)
family(
    MISTAKES,
    """You end with the second round. A text may have more of them: the queries go to T − 1,
    `torch.arange(period, T)`.""",
    second_round_alone=("weights[0].shape[-1])", "min(2 * period, weights[0].shape[-1]))"),
)
family(
    MISTAKES,
    """You measure a diagonal on the other side, whose keys lie ahead of the queries. What followed
    stands below the main diagonal, 1 - period, and the queries begin at period.""",
    other_side=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "layer.diagonal(period - 1, 2, 3).mean((0, 2))",
    ),
    other_side_by_period=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "layer.diagonal(period, 2, 3).mean((0, 2))",
    ),
)
family(
    MISTAKES,
    """`diagonal` takes the first two axes, texts and heads, unless it is told which. Queries and
    keys are the last two: `layer.diagonal(1 - period, 2, 3)`.""",
    diagonal_of_texts_and_heads=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "layer.diagonal(1 - period).mean((1, 2))",
    ),
    diagonal_of_texts_and_heads_alone=(
        "layer[:, :, t, t - period + 1].mean((0, 2))",
        "layer.diagonal(1 - period).mean((0, 1))",
    ),
)
MISTAKES.change(
    "all-rounds-added",
    "layer[:, :, t, t - period + 1].mean((0, 2))",
    "sum(\n"
    "        layer[:, :, late, late - n * period + 1].sum(2)\n"
    "        for n in range(1, layer.shape[-1] // period + 1)\n"
    "        for late in [t[t >= n * period]]\n"
    "    ).mean(0) / len(t)",
).says("""
    You add the same place of all earlier rounds. One key is asked for, in the round before: key
    t - period + 1.
""")

"""What goes wrong in `grouped_query_attention`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.attention_mistakes import scaling_mistakes
from course_lib.exercises.common import always_float64, detached, family, pair_mistakes
from course_lib.exercises.generation.grouped.task import grouped_query_attention
from course_lib.exercises.scaled_dot_product.attention.task import (
    scaled_dot_product_attention as attention,
)

MISTAKES = Mistakes(grouped_query_attention, globals())
scaling_mistakes(MISTAKES)
MISTAKES.change(
    "tiled",
    "key.repeat_interleave(share, dim=1)",
    "key.repeat(1, share, 1, 1)",
    "value.repeat_interleave(share, dim=1)",
    "value.repeat(1, share, 1, 1)",
).says("""
    Your groups take turns: 0, 1, 0, 1. Neighbouring query heads share a group, 0, 0, 1, 1: repeat
    each head of keys in place (`repeat_interleave`), not the whole row.
""")
MISTAKES.change(
    "values-tiled", "value.repeat_interleave(share, dim=1)", "value.repeat(1, share, 1, 1)"
).says("""
    Keys are shared by neighbours, values in turns. A query head takes the values of the same group
    as its keys: repeat both in the same way.
""")
MISTAKES.change(
    "keys-tiled", "key.repeat_interleave(share, dim=1)", "key.repeat(1, share, 1, 1)"
).says("""
    Values are shared by neighbours, keys in turns. A query head takes the keys of the same group as
    its values: repeat both in the same way.
""")
MISTAKES.change(
    "groups-reversed", "key.repeat", "key.flip(1).repeat", "value.repeat", "value.flip(1).repeat"
).says("""
    Your first query heads use the last group. Head h uses group h // (H / G).
""")
MISTAKES.by(
    "divided-by-the-groups",
    MISTAKES.changed(
        "query.shape[1] // key.shape[1]",
        "torch.arange(query.shape[1]) // key.shape[1]",
        "key.repeat_interleave(share, dim=1)",
        "key[:, share]",
        "value.repeat_interleave(share, dim=1)",
        "value[:, share]",
    ),
).says("""
    You divide h by G. Divide it by H / G, the number of query heads that share a group.
""")
MISTAKES.change("repeated-g-times", "query.shape[1] // key.shape[1]", "key.shape[1]").says("""
    You repeat each head of keys G times. There are H / G query heads for each group: repeat it that
    often.
""")
MISTAKES.change("not-repeated", "query.shape[1] // key.shape[1]", "1").says("""
    H heads meet G heads, and torch cannot pair them unless G is 1 or H. Repeat each head of keys,
    and each of values, H / G times, or give the queries an axis for the group.
""")
MISTAKES.change(
    "positions-repeated",
    "key.repeat_interleave(share, dim=1)",
    "key.repeat_interleave(share, dim=-2)",
    "value.repeat_interleave(share, dim=1)",
    "value.repeat_interleave(share, dim=-2)",
).says("You repeat the positions. Repeat the heads: axis 1.")
MISTAKES.change(
    "first-group-for-all",
    "key.repeat_interleave(share, dim=1)",
    "key[:, :1]",
    "value.repeat_interleave(share, dim=1)",
    "value[:, :1]",
).says("""
    All your query heads use the first group. Head h uses group h // (H / G).
""")
MISTAKES.change(
    "groups-averaged",
    "key.repeat_interleave(share, dim=1)",
    "key.mean(1, keepdim=True)",
    "value.repeat_interleave(share, dim=1)",
    "value.mean(1, keepdim=True)",
).says("""
    You average the groups into one. Each group keeps its own keys and values; query head h uses
    group h // (H / G).
""")
MISTAKES.by(
    "queries-averaged", lambda q, k, v: attention(q.unflatten(1, (k.shape[1], -1)).mean(2), k, v)
).says("""
    You average the queries of a group. Only keys and values are shared: each of the H query heads
    keeps its own weights and its own output.
""")
MISTAKES.by(
    "one-query-head-a-group", lambda q, k, v: attention(q[:, :: q.shape[1] // k.shape[1]], k, v)
).says("""
    You use one query head of each group and leave the others out. All H of them attend: the output
    has H heads.
""")


@MISTAKES.says("""
    You return an axis for the group and one for the heads in it. Join them, group first: (B, H, T,
    d_v) and (B, H, T, S).
""")
def groups_apart(query, key, value):
    output, weights = grouped_query_attention(query, key, value)
    shape = (key.shape[1], query.shape[1] // key.shape[1])
    return output.unflatten(1, shape), weights.unflatten(1, shape)


ROOT = "math.sqrt(query.shape[-1])"
family(
    MISTAKES,
    """You divide by the root of d and the number of heads or of groups, or of the heads that share
    one. Each head has all d numbers, so it is √d: `math.sqrt(query.shape[-1])`.""",
    scaled_by_whole_share=(ROOT, "math.sqrt(query.shape[-1] // share)"),
    scaled_by_share=(ROOT, "math.sqrt(query.shape[-1] / share)"),
    scaled_by_times_share=(ROOT, "math.sqrt(query.shape[-1] * share)"),
    scaled_by_d_over_heads=(ROOT, "math.sqrt(query.shape[-1] / query.shape[1])"),
    scaled_by_d_times_heads=(ROOT, "math.sqrt(query.shape[-1] * query.shape[1])"),
)
MISTAKES.change("softmax-over-queries", "dim=-1", "dim=-2").says("""
    Your softmax runs over the queries. Each query shares its attention among the keys: take the
    last axis.
""")
family(
    MISTAKES,
    """Your softmax runs over the heads, or over the batch. Each query shares its attention among
    the keys: take the last axis.""",
    softmax_over_heads=("dim=-1", "dim=1"),
    softmax_over_the_batch=("dim=-1", "dim=0"),
)
family(
    MISTAKES,
    """You average the heads of a group, or add them up. Only keys and values are shared: each of
    the H query heads keeps its own query, weights and output.""",
    queries_averaged_and_repeated=(
        "query @ key",
        "query.unflatten(1, (-1, share)).mean(2).repeat_interleave(share, 1) @ key",
    ),
    outputs_averaged=(
        "output = weights @ value",
        "output = (weights @ value).unflatten(1, (-1, share)).mean(2)",
    ),
    outputs_added=(
        "output = weights @ value",
        "output = (weights @ value).unflatten(1, (-1, share)).sum(2)",
    ),
    weights_averaged=(
        "output = weights @ value",
        "output = weights @ value; weights = weights.unflatten(1, (-1, share)).mean(2)",
    ),
)
family(
    MISTAKES,
    """You hide what comes later. Nothing is said of order here: there is no mask, and every query
    sees every key.""",
    causal=(
        "weights = torch.softmax(scores, dim=-1)",
        "weights = torch.softmax("
        "scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf), dim=-1)",
    ),
)
family(
    MISTAKES,
    """You join the heads to one vector for each position. Here they stay apart: (B, H, T,
    d_v).""",
    heads_joined=(
        "output = weights @ value",
        "output = (weights @ value).transpose(1, 2).flatten(2)",
    ),
)
MISTAKES.change(
    "overflow", "torch.softmax(scores, dim=-1)", "scores.exp() / scores.exp().sum(-1, True)"
).says("""
    Your exp overflows for large scores. Take the largest score of each row away first, or use
    torch.softmax, which does so.
""")
pair_mistakes(MISTAKES, "output", "weights")
detached(MISTAKES)
always_float64(MISTAKES)
family(
    MISTAKES,
    """You divide the scores by the root of the number of heads in a group, or of groups. It is √d,
    the length of one query: `math.sqrt(query.shape[-1])`.""",
    scaled_by_heads_in_a_group=("math.sqrt(query.shape[-1])", "math.sqrt(share)"),
    scaled_by_groups=("math.sqrt(query.shape[-1])", "math.sqrt(query.shape[1] // share)"),
)


def _by_group(group):
    """Head h reads group `group(h, H, G)`, or the last one where there is none of that number."""

    def answer(query, key, value):
        heads, groups = query.shape[1], key.shape[1]
        places = [min(group(h, heads, groups), groups - 1) for h in range(heads)]
        return grouped_query_attention(query, key[:, places], value[:, places])

    return answer


for _name, _group in {
    "divided-by-the-groups-at-most": lambda h, H, G: h // G,
    "divided-by-2": lambda h, H, G: h // 2,
    "divided-by-3": lambda h, H, G: h // 3,
    "head-number": lambda h, H, G: h,
}.items():
    MISTAKES.by(_name, _by_group(_group)).says("""
        Your heads read other groups than theirs. Head h reads group h // (H / G): divide by the
        number of heads that share a group, `query.shape[1] // key.shape[1]`, not by G and by no
        number of your own.
    """)


MISTAKES.change(
    "causal-to-the-last-key",
    "torch.softmax(scores, dim=-1)",
    "torch.softmax(scores.masked_fill(torch.ones_like(scores).triu("
    "1 + scores.shape[-1] - scores.shape[-2]).bool(), -math.inf), dim=-1)",
).says("""
    You mask the keys that come later. This task has no mask: every query attends to every key.
""")
family(
    MISTAKES,
    """The number of groups stands in the root by which you divide. It is √d alone, the
    size of a head: `query.shape[-1]`.""",
    groups_in_the_root=(
        "math.sqrt(query.shape[-1])",
        "math.sqrt(query.shape[-1] * query.shape[1] // share)",
    ),
)
MISTAKES.change(
    "weights-of-one-head", "return output, weights", "return output, weights[:, ::share]"
).says("""
    You return the weights of one head of each group, (B, G, T, S). Return those of all H heads.
""")
MISTAKES.change(
    "weights-averaged-in-the-group",
    "return output, weights",
    "return output, weights.unflatten(1, (-1, share)).mean(2).repeat_interleave(share, 1)",
).says("""
    You average the weights over the heads of a group. Each head has weights of its own, (B, H, T,
    S).
""")
family(
    MISTAKES,
    """You repeat along axis 0, the batch. The groups are axis 1: `repeat_interleave(H // G,
    dim=1)`.""",
    batch_repeated=(
        "key.repeat_interleave(share, dim=1)",
        "key.repeat_interleave(share, dim=0)",
        "value.repeat_interleave(share, dim=1)",
        "value.repeat_interleave(share, dim=0)",
    ),
)
MISTAKES.change(
    "values-in-the-keys-shape",
    "value.repeat_interleave(share, dim=1)",
    "value.repeat_interleave(share, dim=1).reshape(*query.shape[:2], *key.shape[-2:])",
).says("""
    You give the values the shape of the keys, whose rows have d_k numbers. A value has d_v: take
    it from `value.shape[-1]`.
""")
TURNED = ".unflatten(1, (-1, share)).transpose(1, 2).flatten(1, 2)"
family(
    MISTAKES,
    """You exchange the groups and the heads in a group before you join them. Head h is of group
    h // (H/G): join the two axes as they stand, without a transpose.""",
    joined_the_other_way=("return output, weights", f"return output{TURNED}, weights{TURNED}"),
    output_joined_the_other_way=("return output, weights", f"return output{TURNED}, weights"),
    weights_joined_the_other_way=("return output, weights", f"return output, weights{TURNED}"),
)

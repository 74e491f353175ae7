"""Task `grouped_query_attention`: several query heads share one head of keys and values."""

from functools import partial

from course_lib.exercises.attention_parts import attention, qkv, scaling_mistakes, with_gradients
from course_lib.exercises.common import always_float64
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def grouped_query_attention(query, key, value):
    share = query.shape[1] // key.shape[1]  # H / G query heads for each group
    return attention(
        query, key.repeat_interleave(share, dim=1), value.repeat_interleave(share, dim=1)
    )


def heads(s: Sampler, groups: int, share: int, batch: int | None = None, scale=1.0) -> tuple:
    """query with `groups` · `share` heads, key and value with `groups`."""
    size, *lengths = s.dims(5)
    lead = (batch or size, groups)
    _query, key, value = qkv(s, lead, tuple(lengths), scale)
    query = s.floats(lead[0], groups * share, lengths[0], lengths[2], scale=scale)
    return query, key, value


def several(s: Sampler) -> tuple:
    return heads(s, *s.turn((2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 2)))


def _interleaved(x, query):
    return x.repeat_interleave(query.shape[1] // x.shape[1], dim=1)


def _tiled(x, query):
    return x.repeat(1, query.shape[1] // x.shape[1], 1, 1)


def _grouped(query, key, value, *, keys=_interleaved, values=_interleaved, **steps):
    """The reference with one step exchanged."""
    return attention(query, keys(key, query), values(value, query), **steps)


def _both(name: str, sentence: str, repeat) -> Mistake:
    return Mistake(name, sentence, partial(_grouped, keys=repeat, values=repeat))


def _groups_apart(query, key, value):
    output, weights = grouped_query_attention(query, key, value)
    shape = (key.shape[1], query.shape[1] // key.shape[1])
    return output.unflatten(1, shape), weights.unflatten(1, shape)


def _queries_averaged(query, key, value):
    return attention(query.unflatten(1, (key.shape[1], -1)).mean(2), key, value)


def _first_of_each_group(query, key, value):
    return attention(query[:, :: query.shape[1] // key.shape[1]], key, value)


def _then(pick):
    return lambda *args: pick(*grouped_query_attention(*args))


GROUPED = Task(
    name="grouped_query_attention",
    points=4,
    reference=grouped_query_attention,
    idea=(
        "Keys and values are what a cache has to hold, so several query heads share them: "
        "head h uses group h // (H/G). Give each head its own copy of its group, and it is "
        "ordinary attention. The copies of one group stand side by side, which is "
        "`repeat_interleave`; `repeat` would deal the groups out in turn, which is another "
        "model."
    ),
    cost=(
        "The multiplications of H full heads, and a cache of G/H the size; an axis of length "
        "one in place of the copies saves their memory, too."
    ),
    cases=(
        Case("four heads, two groups", lambda s: Inputs(heads(s, 2, 2, batch=1))),
        Case("more heads than groups", lambda s: Inputs(several(s))),
        Case("one group for all heads", lambda s: Inputs(heads(s, 1, 2 + s.size))),
        Case("as many groups as heads", lambda s: Inputs(heads(s, 3, 1))),
        Case("six heads, two groups", lambda s: Inputs(heads(s, 2, 3)), hidden=True),
        Case("gradients", lambda s: with_gradients(s, *several(s)), hidden=True),
        Case(
            "scores in the thousands stay finite",
            lambda s: Inputs(heads(s, 2, 2, scale=60.0)),
            hidden=True,
            dtypes=("float64",),
        ),
    ),
    mistakes=(
        *scaling_mistakes(_grouped),
        _both(
            "tiled",
            "Your groups take turns: 0, 1, 0, 1. Neighbouring query heads share a group, 0, 0, 1, "
            "1: repeat each head of keys in place (`repeat_interleave`), not the whole row.",
            _tiled,
        ),
        Mistake(
            "values-tiled",
            "Keys are shared by neighbours, values in turns. A query head takes the values of the "
            "same group as its keys: repeat both in the same way.",
            partial(_grouped, values=_tiled),
        ),
        Mistake(
            "keys-tiled",
            "Values are shared by neighbours, keys in turns. A query head takes the keys of the "
            "same group as its values: repeat both in the same way.",
            partial(_grouped, keys=_tiled),
        ),
        _both(
            "groups-reversed",
            "Your first query heads use the last group. Head h uses group h // (H / G).",
            lambda x, query: _interleaved(x.flip(1), query),
        ),
        _both(
            "repeated-g-times",
            "You repeat each head of keys G times. There are H / G query heads for each group: "
            "repeat it that often.",
            lambda x, query: x.repeat_interleave(x.shape[1], dim=1),
        ),
        _both(
            "not-repeated",
            "H query heads meet G heads of keys, and torch cannot pair them unless G is 1 or H. "
            "Repeat each head of keys and values H / G times, or give the queries an axis for "
            "the group.",
            lambda x, query: x,
        ),
        _both(
            "positions-repeated",
            "You repeat the positions. Repeat the heads: axis 1.",
            lambda x, query: x.repeat_interleave(query.shape[1] // x.shape[1], dim=-2),
        ),
        _both(
            "first-group-for-all",
            "All your query heads use the first group. Head h uses group h // (H / G).",
            lambda x, query: x[:, :1].expand(-1, query.shape[1], -1, -1),
        ),
        _both(
            "groups-averaged",
            "You average the groups into one. Each group keeps its own keys and values; query head "
            "h uses group h // (H / G).",
            lambda x, query: x.mean(1, keepdim=True).expand(-1, query.shape[1], -1, -1),
        ),
        Mistake(
            "queries-averaged",
            "You average the queries of a group. Only keys and values are shared: each of the H "
            "query heads keeps its own weights and its own output.",
            _queries_averaged,
        ),
        Mistake(
            "one-query-head-a-group",
            "You use one query head of each group and leave the others out. All H of them attend: "
            "the output has H heads.",
            _first_of_each_group,
        ),
        Mistake(
            "groups-apart",
            "You return an axis for the group and one for the heads in it. Join them, group "
            "first: (B, H, T, d_v) and (B, H, T, S).",
            _groups_apart,
        ),
        Mistake(
            "softmax-over-queries",
            "Your softmax runs over the queries. Each query shares its attention among the keys: "
            "take the last axis.",
            partial(_grouped, by=lambda scores, mask: scores.softmax(-2)),
        ),
        Mistake(
            "overflow",
            "Your exp overflows for large scores. Take the largest score of each row away first, "
            "or use torch.softmax, which does so.",
            partial(_grouped, by=lambda scores, mask: scores.exp() / scores.exp().sum(-1, True)),
        ),
        Mistake(
            "output-alone",
            "You return the output alone. Return the pair (output, weights).",
            _then(lambda output, weights: output),
        ),
        Mistake(
            "weights-first",
            "You return (weights, output). The order is (output, weights).",
            _then(lambda output, weights: (weights, output)),
        ),
        Mistake(
            "detached",
            "Your numbers are right, but no gradient flows back. Stay with torch operations on the "
            "inputs themselves, without .detach().",
            _then(lambda output, weights: (output.detach(), weights.detach())),
        ),
        always_float64(grouped_query_attention),
    ),
    hints=(
        "With G = H this is attention as you know it. Which head of keys belongs to which head of "
        "queries when G is smaller? Write the list for H = 6, G = 2.",
        "Give every query head its own copy of its group's keys and values: copies of one head "
        "stand side by side. `torch.repeat_interleave` makes them, along the axis of the heads.",
        "`key = key.repeat_interleave(query.shape[1] // key.shape[1], dim=1)`, the same for "
        "`value`; then scores, divided by √d, softmax over the last axis, times `value`.",
    ),
)

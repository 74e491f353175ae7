"""Task `grouped_query_attention`: several query heads share one head of keys and values."""

from course_lib.exercises.attention_mistakes import maximum_mistakes, scaling_mistakes
from course_lib.exercises.attention_parts import attention, qkv, with_gradients
from course_lib.exercises.common import always_float64
from course_lib.grading.tasks import Cases, Sampler, task


def grouped_query_attention(query, key, value):
    """Keys and values are what a cache has to hold, so several query heads share them: head h uses
    group h // (H/G). Give each head its own copy of its group, and it is ordinary attention. The
    copies of one group stand side by side, which is `repeat_interleave`; `repeat` would deal the
    groups out in turn, which is another model.

    Cost: The multiplications of H full heads, and a cache of G/H the size; an axis of length one in
    place of the copies saves their memory, too."""
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


case = Cases()
case("four heads, two groups", lambda s: heads(s, 2, 2, batch=1))
case("more heads than groups", several)
case("one group for all heads", lambda s: heads(s, 1, 2 + s.size))
case("as many groups as heads", lambda s: heads(s, 3, 1))
case.hidden("six heads, two groups", lambda s: heads(s, 2, 3))
case.hidden("gradients", lambda s: with_gradients(s, *several(s)))
case.hidden(
    "scores in the thousands stay finite", lambda s: heads(s, 2, 2, scale=60.0), dtypes=("float64",)
)


def _interleaved(x, query):
    return x.repeat_interleave(query.shape[1] // x.shape[1], dim=1)


def _tiled(x, query):
    return x.repeat(1, query.shape[1] // x.shape[1], 1, 1)


def _grouped(query, key, value, *, repeat=_interleaved, keys=None, values=None, **steps):
    """The reference with one step exchanged; `keys` and `values` are repeated by `repeat`."""
    key, value = (keys or repeat)(key, query), (values or repeat)(value, query)
    return attention(query, key, value, **steps)


class Mistakes:
    scaling = scaling_mistakes(_grouped)

    def tiled(*args):
        """Your groups take turns: 0, 1, 0, 1. Neighbouring query heads share a group, 0, 0, 1, 1:
        repeat each head of keys in place (`repeat_interleave`), not the whole row."""
        return _grouped(*args, repeat=_tiled)

    def values_tiled(*args):
        """Keys are shared by neighbours, values in turns. A query head takes the values of the same
        group as its keys: repeat both in the same way."""
        return _grouped(*args, values=_tiled)

    def keys_tiled(*args):
        """Values are shared by neighbours, keys in turns. A query head takes the keys of the same
        group as its values: repeat both in the same way."""
        return _grouped(*args, keys=_tiled)

    def groups_reversed(*args):
        """Your first query heads use the last group. Head h uses group h // (H / G)."""
        return _grouped(*args, repeat=lambda x, query: _interleaved(x.flip(1), query))

    def repeated_g_times(*args):
        """You repeat each head of keys G times. There are H / G query heads for each group: repeat
        it that often."""
        return _grouped(*args, repeat=lambda x, query: x.repeat_interleave(x.shape[1], dim=1))

    def not_repeated(*args):
        """H query heads meet G heads of keys, and torch cannot pair them unless G is 1 or H. Repeat
        each head of keys and values H / G times, or give the queries an axis for the group."""
        return _grouped(*args, repeat=lambda x, query: x)

    def positions_repeated(*args):
        """You repeat the positions. Repeat the heads: axis 1."""
        return _grouped(
            *args, repeat=lambda x, query: x.repeat_interleave(query.shape[1] // x.shape[1], dim=-2)
        )

    def first_group_for_all(*args):
        """All your query heads use the first group. Head h uses group h // (H / G)."""
        return _grouped(*args, repeat=lambda x, query: x[:, :1].expand(-1, query.shape[1], -1, -1))

    def groups_averaged(*args):
        """You average the groups into one. Each group keeps its own keys and values; query head h
        uses group h // (H / G)."""
        return _grouped(
            *args,
            repeat=lambda x, query: x.mean(1, keepdim=True).expand(-1, query.shape[1], -1, -1),
        )

    def queries_averaged(query, key, value):
        """You average the queries of a group. Only keys and values are shared: each of the H query
        heads keeps its own weights and its own output."""
        return attention(query.unflatten(1, (key.shape[1], -1)).mean(2), key, value)

    def one_query_head_a_group(query, key, value):
        """You use one query head of each group and leave the others out. All H of them attend: the
        output has H heads."""
        return attention(query[:, :: query.shape[1] // key.shape[1]], key, value)

    def groups_apart(query, key, value):
        """You return an axis for the group and one for the heads in it. Join them, group first: (B,
        H, T, d_v) and (B, H, T, S)."""
        output, weights = grouped_query_attention(query, key, value)
        shape = (key.shape[1], query.shape[1] // key.shape[1])
        return output.unflatten(1, shape), weights.unflatten(1, shape)

    def softmax_over_queries(*args):
        """Your softmax runs over the queries. Each query shares its attention among the keys: take
        the last axis."""
        return _grouped(*args, by=lambda scores, mask: scores.softmax(-2))

    overflow = maximum_mistakes(_grouped)[0]

    def output_alone(*args):
        """You return the output alone. Return the pair (output, weights)."""
        return grouped_query_attention(*args)[0]

    def weights_first(*args):
        """You return (weights, output). The order is (output, weights)."""
        return grouped_query_attention(*args)[::-1]

    def detached(*args):
        """Your numbers are right, but no gradient flows back. Stay with torch operations on the
        inputs themselves, without .detach()."""
        return tuple(one.detach() for one in grouped_query_attention(*args))

    float64 = always_float64(grouped_query_attention)


HINTS = (
    "With G = H this is attention as you know it. Which head of keys belongs to which head of "
    "queries when G is smaller? Write the list for H = 6, G = 2.",
    "Give every query head its own copy of its group's keys and values: copies of one head stand "
    "side by side. `torch.repeat_interleave` makes them, along the axis of the heads.",
    "`key = key.repeat_interleave(query.shape[1] // key.shape[1], dim=1)`, the same for `value`; "
    "then scores, divided by √d, softmax over the last axis, times `value`.",
)
GROUPED = task(grouped_query_attention, 4, case.all, Mistakes, HINTS)

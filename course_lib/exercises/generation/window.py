"""Task `sliding_window_mask`: the last few keys, and the first ones as sinks."""

import torch

from course_lib.grading.tasks import Cases, task


def sliding_window_mask(n_queries, n_keys, window, sinks):
    """Each condition is one comparison of a column of query places with a row of key places: not
    ahead, near enough, one of the first. `&` and `|` join them, and the parentheses matter: a sink
    that lies ahead is still ahead. The window counts the query itself, so near means that place −
    key is below `window`.

    Cost: T·S booleans; what it saves is the cache, which needs no more than window + sinks
    positions."""
    queries = torch.arange(n_queries)[:, None] + n_keys - n_queries  # places among the keys
    keys = torch.arange(n_keys)
    near = keys > queries - window
    return (keys <= queries) & (near | (keys < sinks))  # (T, S)


case = Cases(dtypes=("float32",))
case("six keys, a window of three, no sinks", lambda s: (6, 6, 3, 0))
case("six keys, a window of two, one sink", lambda s: (6, 6, 2, 1))
case("more keys than queries", lambda s: (3 + s.size, 6 + 2 * s.size, 2 + s.size // 2, 2))
case.hidden("a window of one", lambda s: (3 + s.size, 4 + 2 * s.size, 1, s.size - 1))
case.hidden("a window longer than the text", lambda s: (2 + s.size, 3 + s.size, 20, 1))
case.hidden("several sinks, and queries among them", lambda s: (7 + s.size,) * 2 + (2, 4))
case.hidden("more sinks than keys", lambda s: (5, 5, 2, 5 + s.size))
case.hidden(
    "more queries than keys: the first see nothing", lambda s: (7 + s.size, 4 + s.size, 2, 1)
)
case.hidden("a single query", lambda s: (1, 5 + s.size, 2, 1))


def _mask(
    n_queries,
    n_keys,
    window,
    sinks,
    *,
    offset=lambda t, s: s - t,
    near=lambda back, window: back < window,
    rule=lambda causal, near, sink: causal & (near | sink),
    sink=lambda key, sinks, n_keys: key < sinks,
):
    """The reference with one step exchanged; `back` is the distance back to the key."""
    keys = torch.arange(n_keys)
    back = torch.arange(n_queries)[:, None] + offset(n_queries, n_keys) - keys
    return rule(back >= 0, near(back, window), sink(keys, sinks, n_keys).expand_as(back))


class Mistakes:
    def window_one_too_long(*args):
        """Your window holds one key too many. The query itself counts: a window of w is the query's
        own place and the w − 1 before it."""
        return _mask(*args, near=lambda back, window: back <= window)

    def window_one_too_short(*args):
        """Your window holds one key too few. It is the query's own place and the w − 1 before it,
        so a window of one is the query itself."""
        return _mask(*args, near=lambda back, window: back < window - 1)

    def strictly_before(*args):
        """A query does not see its own position. It is the first key of its window."""
        return _mask(*args, near=lambda back, window: (back > 0) & (back <= window))

    def sinks_ahead_of_the_query(*args):
        """Early queries see sinks that lie ahead of them. A sink is seen from its own place on, not
        before: the causal rule holds for sinks, too."""
        return _mask(*args, rule=lambda causal, near, sink: causal & near | sink)

    def sees_the_future(*args):
        """Your window reaches forwards as well as back. No query sees a key ahead of it."""
        return _mask(
            *args,
            near=lambda back, window: back.abs() < window,
            rule=lambda causal, near, sink: near | causal & sink,
        )

    def not_causal(*args):
        """Nothing hides what lies ahead of the query. A key is seen only at or before the query's
        place."""
        return _mask(*args, rule=lambda causal, near, sink: near | sink)

    def aligned_top_left(*args):
        """Your first query stands beside the first key. The last query stands beside the last key:
        move the queries by n_keys - n_queries."""
        return _mask(*args, offset=lambda t, s: 0)

    def top_left_when_queries_are_more(*args):
        """With more queries than keys your first query sees the first key. The last query stands
        beside the last key; the surplus queries see nothing."""
        return _mask(*args, offset=lambda t, s: max(s - t, 0))

    def sinks_ignored(*args):
        """You forget the sinks. The first `sinks` keys stay visible when the window has moved
        on."""
        return _mask(*args, rule=lambda causal, near, sink: causal & near)

    def window_ignored(*args):
        """Every query sees all that came before. It sees the window's keys and the sinks; what lies
        between them is hidden."""
        return _mask(*args, rule=lambda causal, near, sink: causal)

    def sinks_only(*args):
        """Your queries see the sinks and not their window. They see both."""
        return _mask(*args, rule=lambda causal, near, sink: causal & sink)

    def both_at_once(*args):
        """You let a key be seen when it is a sink *and* in the window. One of the two is enough:
        join them with `|`."""
        return _mask(*args, rule=lambda causal, near, sink: causal & near & sink)

    def one_sink_too_many(*args):
        """You have one sink too many. With `sinks` = 1 there is one: key 0. Compare with <, not
        <=."""
        return _mask(*args, sink=lambda key, sinks, n_keys: key <= sinks)

    def sinks_at_the_end(*args):
        """Your sinks are the last keys. They are the first ones: those that every query could see
        from the start."""
        return _mask(*args, sink=lambda key, sinks, n_keys: key >= n_keys - sinks)

    def sinks_lengthen_the_window(t, s, window, sinks):
        """You make the window longer by the sinks. They are apart from it: the first keys of the
        text, wherever the window is."""
        return _mask(t, s, window + sinks, 0)

    def inverted(*args):
        """Your mask is True where attention is forbidden. Here True means “may attend”."""
        return torch.logical_not(sliding_window_mask(*args))

    def transposed(*args):
        """Rows and columns have changed places. Rows are queries, columns are keys."""
        return sliding_window_mask(*args).T

    def float(*args):
        """Your mask holds numbers. Return booleans: compare, and join with & and |."""
        return sliding_window_mask(*args).float()

    def integer(*args):
        """Your mask holds numbers. Return booleans: compare, and join with & and |."""
        return sliding_window_mask(*args).long()

    def additive(*args):
        """You return 0 and -inf, to be added to scores. Return booleans: True where a query may
        attend."""
        mask = sliding_window_mask(*args)
        return torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))


HINTS = (
    "Three questions for each pair of query and key: does the key lie ahead? Is it in the window? "
    "Is it a sink?",
    "Put the queries' places among the keys in a column and the keys' places in a row; each "
    "question is then one comparison, and & and | join the answers.",
    "With `queries = torch.arange(n_queries)[:, None] + n_keys - n_queries` and `keys = "
    "torch.arange(n_keys)`: ahead is `keys > queries`, in the window is `queries - keys < "
    "window`, a sink is `keys < sinks`. A key counts if it is not ahead and one of the others.",
)
WINDOW = task(sliding_window_mask, 2, case.all, Mistakes, HINTS)

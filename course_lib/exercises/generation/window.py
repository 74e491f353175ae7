"""Task `sliding_window_mask`: the last few keys, and the first ones as sinks."""

from collections.abc import Callable
from functools import partial

import torch

from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def sliding_window_mask(n_queries, n_keys, window, sinks):
    queries = torch.arange(n_queries)[:, None] + n_keys - n_queries  # places among the keys
    keys = torch.arange(n_keys)
    near = keys > queries - window
    return (keys <= queries) & (near | (keys < sinks))  # (T, S)


def _case(name: str, draw: Callable[[Sampler], tuple], hidden: bool = False) -> Case:
    return Case(name, lambda s: Inputs(draw(s)), hidden=hidden, dtypes=("float32",))


def more_keys(s: Sampler, sinks: int) -> tuple:
    return 3 + s.size, 6 + 2 * s.size, 2 + s.size // 2, sinks


def more_queries(s: Sampler) -> tuple:
    return 7 + s.size, 4 + s.size, 2, 1


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


def _wrong(name: str, sentence: str, **steps) -> Mistake:
    return Mistake(name, sentence, partial(_mask, **steps))


def _then(change):
    return lambda *args: change(sliding_window_mask(*args))


WINDOW = Task(
    name="sliding_window_mask",
    points=2,
    reference=sliding_window_mask,
    idea=(
        "Each condition is one comparison of a column of query places with a row of key "
        "places: not ahead, near enough, one of the first. `&` and `|` join them, and the "
        "parentheses matter: a sink that lies ahead is still ahead. The window counts the "
        "query itself, so near means that place − key is below `window`."
    ),
    cost=(
        "T·S booleans; what it saves is the cache, which needs no more than window + sinks "
        "positions."
    ),
    cases=(
        _case("six keys, a window of three, no sinks", lambda s: (6, 6, 3, 0)),
        _case("six keys, a window of two, one sink", lambda s: (6, 6, 2, 1)),
        _case("more keys than queries", lambda s: more_keys(s, 2)),
        _case("a window of one", lambda s: (3 + s.size, 4 + 2 * s.size, 1, s.size - 1), True),
        _case("a window longer than the text", lambda s: (2 + s.size, 3 + s.size, 20, 1), True),
        _case("several sinks, and queries among them", lambda s: (7 + s.size,) * 2 + (2, 4), True),
        _case("more sinks than keys", lambda s: (5, 5, 2, 5 + s.size), True),
        _case("more queries than keys: the first see nothing", more_queries, True),
        _case("a single query", lambda s: (1, 5 + s.size, 2, 1), True),
    ),
    mistakes=(
        _wrong(
            "window-one-too-long",
            "Your window holds one key too many. The query itself counts: a window of w is the "
            "query's own place and the w − 1 before it.",
            near=lambda back, window: back <= window,
        ),
        _wrong(
            "window-one-too-short",
            "Your window holds one key too few. It is the query's own place and the w − 1 before "
            "it, so a window of one is the query itself.",
            near=lambda back, window: back < window - 1,
        ),
        _wrong(
            "strictly-before",
            "A query does not see its own position. It is the first key of its window.",
            near=lambda back, window: (back > 0) & (back <= window),
        ),
        _wrong(
            "sinks-ahead-of-the-query",
            "Early queries see sinks that lie ahead of them. A sink is seen from its own place on, "
            "not before: the causal rule holds for sinks, too.",
            rule=lambda causal, near, sink: causal & near | sink,
        ),
        _wrong(
            "sees-the-future",
            "Your window reaches forwards as well as back. No query sees a key ahead of it.",
            near=lambda back, window: back.abs() < window,
            rule=lambda causal, near, sink: near | causal & sink,
        ),
        _wrong(
            "not-causal",
            "Nothing hides what lies ahead of the query. A key is seen only at or before the "
            "query's place.",
            rule=lambda causal, near, sink: near | sink,
        ),
        _wrong(
            "aligned-top-left",
            "Your first query stands beside the first key. The last query stands beside the last "
            "key: move the queries by n_keys - n_queries.",
            offset=lambda t, s: 0,
        ),
        _wrong(
            "top-left-when-queries-are-more",
            "With more queries than keys your first query sees the first key. The last query "
            "stands beside the last key; the surplus queries see nothing.",
            offset=lambda t, s: max(s - t, 0),
        ),
        _wrong(
            "sinks-ignored",
            "You forget the sinks. The first `sinks` keys stay visible when the window has moved "
            "on.",
            rule=lambda causal, near, sink: causal & near,
        ),
        _wrong(
            "window-ignored",
            "Every query sees all that came before. It sees the window's keys and the sinks; what "
            "lies between them is hidden.",
            rule=lambda causal, near, sink: causal,
        ),
        _wrong(
            "sinks-only",
            "Your queries see the sinks and not their window. They see both.",
            rule=lambda causal, near, sink: causal & sink,
        ),
        _wrong(
            "both-at-once",
            "You let a key be seen when it is a sink *and* in the window. One of the two is "
            "enough: join them with `|`.",
            rule=lambda causal, near, sink: causal & near & sink,
        ),
        _wrong(
            "one-sink-too-many",
            "You have one sink too many. With `sinks` = 1 there is one: key 0. Compare with <, not "
            "<=.",
            sink=lambda key, sinks, n_keys: key <= sinks,
        ),
        _wrong(
            "sinks-at-the-end",
            "Your sinks are the last keys. They are the first ones: those that every query could "
            "see from the start.",
            sink=lambda key, sinks, n_keys: key >= n_keys - sinks,
        ),
        Mistake(
            "sinks-lengthen-the-window",
            "You make the window longer by the sinks. They are apart from it: the first keys of "
            "the text, wherever the window is.",
            lambda t, s, window, sinks: _mask(t, s, window + sinks, 0),
        ),
        Mistake(
            "inverted",
            "Your mask is True where attention is forbidden. Here True means “may attend”.",
            _then(torch.logical_not),
        ),
        Mistake(
            "transposed",
            "Rows and columns have changed places. Rows are queries, columns are keys.",
            _then(lambda mask: mask.T),
        ),
        Mistake(
            "float",
            "Your mask holds numbers. Return booleans: compare, and join with & and |.",
            _then(lambda mask: mask.float()),
        ),
        Mistake(
            "integer",
            "Your mask holds numbers. Return booleans: compare, and join with & and |.",
            _then(lambda mask: mask.long()),
        ),
        Mistake(
            "additive",
            "You return 0 and -inf, to be added to scores. Return booleans: True where a query may "
            "attend.",
            _then(lambda mask: torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))),
        ),
    ),
    hints=(
        "Three questions for each pair of query and key: does the key lie ahead? Is it in the "
        "window? Is it a sink?",
        "Put the queries' places among the keys in a column and the keys' places in a row; each "
        "question is then one comparison, and & and | join the answers.",
        "With `queries = torch.arange(n_queries)[:, None] + n_keys - n_queries` and `keys = "
        "torch.arange(n_keys)`: ahead is `keys > queries`, in the window is `queries - keys < "
        "window`, a sink is `keys < sinks`. A key counts if it is not ahead and one of the others.",
    ),
)

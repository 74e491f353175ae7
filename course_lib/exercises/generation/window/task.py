"""The reference, the cases and the hints of `sliding_window_mask`."""

import torch

from course_lib.checker.tasks import Cases


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
case.example((6, 6, 2, 1))
case("six keys, a window of three, no sinks", lambda s: (6, 6, 3, 0))
case("six keys, a window of two, one sink", lambda s: (6, 6, 2, 1))
case("more keys than queries", lambda s: (3 + s.size, 6 + 2 * s.size, 2 + s.size // 2, 2))
case.hidden("a window of one", lambda s: (3 + s.size, 4 + 2 * s.size, 1, s.size - 1))
case.hidden("a window longer than the text", lambda s: (2 + s.size, 3 + s.size, 20, s.size - 1))
case.hidden("several sinks, and queries among them", lambda s: (7 + s.size,) * 2 + (2, 4))
case.hidden("more sinks than keys", lambda s: (5, 5, 2, 5 + s.size))
case.hidden(
    "more queries than keys: the first see nothing", lambda s: (7 + s.size, 4 + s.size, 2, 1)
)
case.hidden("a single query", lambda s: (1, 5 + s.size, 2, s.size))
case.hidden("a single key", lambda s: (2 + s.size, 1, s.size, s.size - 1))

HINTS = (
    "Three questions for each pair of query and key: does the key lie ahead? Is it in the window? "
    "Is it a sink?",
    "Put the queries' places among the keys in a column and the keys' places in a row; each "
    "question is then one comparison, and & and | join the answers.",
    "With `queries = torch.arange(n_queries)[:, None] + n_keys - n_queries` and `keys = "
    "torch.arange(n_keys)`: ahead is `keys > queries`, in the window is `queries - keys < "
    "window`, a sink is `keys < sinks`. A key counts if it is not ahead and one of the others.",
)

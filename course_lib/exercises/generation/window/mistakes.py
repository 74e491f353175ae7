"""What goes wrong in `sliding_window_mask`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.generation.window.task import sliding_window_mask

MISTAKES = Mistakes(sliding_window_mask, globals())
MISTAKES.change("window-one-too-long", "keys > queries", "keys >= queries").says("""
    Your window holds one key too many. The query itself counts: a window of w is the query's own
    place and the w − 1 before it.
""")
MISTAKES.change("window-one-too-short", "- window", "- window + 1").says("""
    Your window holds one key too few. It is the query's own place and the w − 1 before it, so a
    window of one is the query itself.
""")
MISTAKES.change(
    "strictly-before", "keys > queries - window", "(keys < queries) & (keys >= queries - window)"
).says("""
    A query does not see its own position. It is the first key of its window.
""")
MISTAKES.change(
    "sinks-ahead-of-the-query", "& (near | (keys < sinks))", "& near | (keys < sinks)"
).says("""
    Early queries see sinks that lie ahead of them. A sink is seen from its own place on, not
    before: the causal rule holds for sinks, too.
""")
MISTAKES.change(
    "sees-the-future",
    "(keys <= queries) & (near |",
    "((keys - queries).abs() < window) | (keys <= queries) & (",
).says("""
    Your window reaches forwards as well as back. No query sees a key ahead of it.
""")
MISTAKES.change("not-causal", "(keys <= queries) & ", "").says("""
    Nothing hides what lies ahead of the query. A key is seen only at or before the query's place.
""")
MISTAKES.change("aligned-top-left", " + n_keys - n_queries", "").says("""
    Your first query stands beside the first key. The last query stands beside the last key: move
    the queries by n_keys - n_queries.
""")
MISTAKES.change(
    "top-left-when-queries-are-more", "+ n_keys - n_queries", "+ max(n_keys - n_queries, 0)"
).says("""
    With more queries than keys your first query sees the first key. The last query stands beside
    the last key; the surplus queries see nothing.
""")
MISTAKES.change("sinks-ignored", "(near | (keys < sinks))", "near").says("""
    You forget the sinks. The first `sinks` keys stay visible when the window has moved on.
""")
MISTAKES.change("window-ignored", " & (near | (keys < sinks))", "").says("""
    Every query sees all that came before. It sees the window's keys and the sinks; what lies
    between them is hidden.
""")
MISTAKES.change("sinks-only", "near | ", "").says("""
    Your queries see the sinks and not their window. They see both.
""")
MISTAKES.change("both-at-once", "near |", "near &").says("""
    You let a key be seen when it is a sink *and* in the window. One of the two is enough: join them
    with `|`.
""")
MISTAKES.change("one-sink-too-many", "keys < sinks", "keys <= sinks").says("""
    You have one sink too many. With `sinks` = 1 there is one: key 0. Compare with <, not <=.
""")
family(
    MISTAKES,
    """Your sinks are queries: the first `sinks` of them see all that came before. Sinks are keys,
    which all later queries see: compare the row of keys, `keys < sinks`.""",
    sinks_of_queries=("keys < sinks", "queries < sinks"),
)
MISTAKES.change("sinks-at-the-end", "keys < sinks", "keys >= n_keys - sinks").says("""
    Your sinks are the last keys. They are the first ones: those that every query could see from the
    start.
""")
sentence = """
    Your sinks take places of the window. They come besides: the window is `window` keys long
    whether there are sinks or not.
"""
MISTAKES.change("sinks-within-the-window", "- window", "- (window - sinks)").says(sentence)
MISTAKES.change("sinks-within-the-window-of-one", "- window", "- max(window - sinks, 1)").says(
    sentence
)
MISTAKES.by(
    "sinks-lengthen-the-window",
    lambda t, s, window, sinks: sliding_window_mask(t, s, window + sinks, 0),
).says("""
    You make the window longer by the sinks. They are apart from it: the first keys of the text,
    wherever the window is.
""")
MISTAKES.by("inverted", lambda *args: torch.logical_not(sliding_window_mask(*args))).says("""
    Your mask is True where attention is forbidden. Here True means “may attend”.
""")
MISTAKES.by("transposed", lambda *args: sliding_window_mask(*args).T).says("""
    Rows and columns have changed places. Rows are queries, columns are keys.
""")
sentence = """
    Your mask holds numbers. Return booleans: compare, and join with & and |.
"""
MISTAKES.by("float", lambda *args: sliding_window_mask(*args).float()).says(sentence)
MISTAKES.by("integer", lambda *args: sliding_window_mask(*args).long()).says(sentence)
MISTAKES.by(
    "additive", lambda *args: torch.where(sliding_window_mask(*args), 0.0, -torch.inf)
).says("""
    You return 0 and -inf, to be added to scores. Return booleans: True where a query may attend.
""")
family(
    MISTAKES,
    """You take the sinks out. They are seen besides the window: `near | (keys < sinks)`.""",
    sinks_taken_out=("near | (keys < sinks)", "near & (keys >= sinks)"),
)
family(
    MISTAKES,
    """You see what is far and not what is near: the comparison of the window is turned round. Near
    means `queries - keys < window`.""",
    far_for_near=("keys > queries - window", "keys <= queries - window"),
    far_for_near_by_one=("keys > queries - window", "keys < queries - window"),
)
family(
    MISTAKES,
    """The comparison of the sinks is turned round. They are the first keys: `keys < sinks`.""",
    all_but_sinks=("keys < sinks", "keys >= sinks"),
    beyond_sinks=("keys < sinks", "keys > sinks"),
)
family(
    MISTAKES,
    """`|` stands where `&` belongs. A key is seen when it is not ahead *and* one of the two, in the
    window *or* a sink: `(keys <= queries) & (near | (keys < sinks))`.""",
    past_or_near=("(keys <= queries) & (near", "(keys <= queries) | (near"),
    and_for_or_exchanged=("& (near |", "| (near &"),
)


def _in_slices(n_queries, n_keys, window, sinks, begin=min, end=min):
    """Row by row with slices, whose ends below 0 count from the end."""
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for row in range(n_queries):
        place = n_keys - n_queries + row
        first, last = begin(place - window + 1, 10**9), end(place + 1, 10**9)
        mask[row, first:last] = True
        mask[row, : min(sinks, last)] = True
    return mask


def _from_0(place, _):
    return max(place, 0)


sentence = """
    The ends of your slices go below 0 for early queries, and a slice then counts from the end:
    `[max(start, 0) : max(stop, 0)]`.
"""
for name, ends in {
    "slices-from-the-end": {},
    "begins-from-the-end": {"end": _from_0},
    "stops-at-the-end": {"begin": _from_0},
}.items():
    MISTAKES.by(name, lambda *args, ends=ends: _in_slices(*args, **ends)).says(sentence)
family(
    MISTAKES,
    """A sink that is in the window as well is lost: `^` means one of the two alone. Join them with
    `|`.""",
    either_alone=("near | (keys", "near ^ (keys"),
)
family(
    MISTAKES,
    """You halve the window, as if it lay on both sides. All of it lies behind the query, which is
    its last place: `window` keys, the query's own among them.""",
    half_of_it=("- window", "- window // 2"),
    half_of_it_at_least_one=("- window", "- max(window // 2, 1)"),
    half_of_it_rounded_up=("- window", "- (window + 1) // 2"),
)
family(
    MISTAKES,
    """You have a fixed number of sinks. There are `sinks` of them, 0 included: `keys < sinks`.""",
    always_one_sink=("keys < sinks", "keys < 1"),
    one_sink_if_any=("keys < sinks", "keys < min(sinks, 1)"),
)
family(
    MISTAKES,
    """The queries are moved the wrong way. With more keys than queries the first query already has
    keys behind it: add n_keys - n_queries.""",
    moved_the_wrong_way=("+ n_keys - n_queries", "- n_keys + n_queries"),
)
family(
    MISTAKES,
    """Only what lies ahead is left: the comparison is turned round. A key is seen at or before the
    query's place, `keys <= queries`.""",
    only_ahead=("(keys <= queries)", "(keys >= queries)"),
)
MISTAKES.change(
    "strictly-before-with-sinks",
    "keys > queries - window",
    "keys >= queries - window",
    "(keys <= queries)",
    "(keys < queries)",
).says("""
    A query does not see its own position. It is the first key of its window.
""")
family(
    MISTAKES,
    """A query does not see its own place: the comparison is one too strict. It is the first key of
    its window, `keys <= queries`.""",
    itself_hidden=("(keys <= queries)", "(keys < queries)"),
)


@MISTAKES.says("""
    All your rows are one list: `[[False] * n] * m` holds the same row m times, and what is written
    into one stands in all. Make a new row each time: `[[False] * n for _ in range(m)]`.
""")
def one_list_for_all_rows(n_queries, n_keys, window, sinks):
    right = sliding_window_mask(n_queries, n_keys, window, sinks)
    return right.any(0).expand(n_queries, n_keys).clone()


@MISTAKES.says("""
    A sink is hidden from the query whose window has just moved past it. It is seen by every query
    from its own place on, inside the window or not: `(keys < sinks)` needs no other condition than
    `keys <= queries`.
""")
def sinks_after_the_window(n_queries, n_keys, window, sinks):
    back = torch.arange(n_queries)[:, None] + n_keys - n_queries - torch.arange(n_keys)
    late = (back > window) & (torch.arange(n_keys) < sinks)
    return (back >= 0) & ((back < window) | late)

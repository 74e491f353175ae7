"""Task `causal_mask`: who may look at whom, with the last query beside the last key."""

import torch

from course_lib.grading.tasks import Cases, task


def causal_mask(n_queries, n_keys=None):
    """Position t may look at itself and at everything before it: s ≤ t. When there are fewer
    queries than keys, the queries are the *last* positions, so query t stands at place t + S − T
    among the keys. Comparing a column of places with a row of keys makes the whole matrix.

    Cost: T·S booleans."""
    n_keys = n_queries if n_keys is None else n_keys
    queries = torch.arange(n_queries)[:, None] + n_keys - n_queries  # places among the keys
    return torch.arange(n_keys) <= queries  # (T, S)


case = Cases(dtypes=("float32",))
case("as many keys as queries", lambda s: (2 + s.size, 2 + s.size))
case("only n_queries given", lambda s: (2 + s.size,))
case("more keys than queries", lambda s: tuple(sorted(s.dims(2))))
case.hidden("a single query sees every key", lambda s: (1, 1 + s.size))
case.hidden("more queries than keys", lambda s: tuple(sorted(s.dims(2), reverse=True)))
case.hidden("a single key", lambda s: (1 + s.size, 1))


def triangle(n_queries, n_keys=None, *, offset=lambda t, s: s - t, make=torch.tril):
    """Ones under the diagonal that `offset` places, as bool."""
    n_keys = n_queries if n_keys is None else n_keys
    diagonal = offset(n_queries, n_keys)
    return make(torch.ones(n_queries, n_keys, dtype=torch.bool), diagonal=diagonal)


class Mistakes:
    def aligned_top_left(*args):
        """Your triangle starts at the first key. The newest query stands beside the newest key:
        with more keys than queries the first row already sees the older ones. Move the diagonal by
        n_keys - n_queries."""
        return triangle(*args, offset=lambda t, s: 0)

    def top_left_when_queries_are_more(*args):
        """With more queries than keys your first query sees the first key. The last query stands
        beside the last key; the surplus queries come before every key and see nothing."""
        return triangle(*args, offset=lambda t, s: max(s - t, 0))

    def strictly_before(*args):
        """A query does not see its own position. It sees every position up to and including its
        own; else the first row would be empty."""
        return triangle(*args, offset=lambda t, s: s - t - 1)

    def strictly_before_top_left(*args):
        """A query does not see its own position, and your triangle starts at the first key. Include
        the diagonal, and move it by n_keys - n_queries."""
        return triangle(*args, offset=lambda t, s: -1)

    def one_too_far(*args):
        """Every query sees one position of the future. The diagonal is its own position, and the
        last one it may see."""
        return triangle(*args, offset=lambda t, s: s - t + 1)

    def shifted_the_wrong_way(*args):
        """You move the diagonal the wrong way. With more keys than queries the first row sees more
        than one key: move it by n_keys - n_queries."""
        return triangle(*args, offset=lambda t, s: t - s)

    def inverted(t, s=None):
        """Your mask is True where attention is forbidden. Here True means “may attend”."""
        return ~causal_mask(t, s)

    def inverted_top_left(t, s=None):
        """Your mask is True where attention is forbidden, and its triangle starts at the first key.
        True means “may attend”, and the last query stands beside the last key."""
        return ~triangle(t, s, offset=lambda t, s: 0)

    def sees_the_future(*args):
        """Your triangle is the upper one: queries see what comes after them. Take the lower one,
        `tril`."""
        return triangle(*args, make=torch.triu)

    def transposed(t, s=None):
        """Rows and columns have changed places. Rows are queries, columns are keys."""
        return causal_mask(t, s).T

    def float(t, s=None):
        """Your mask holds numbers. Return booleans: make it with dtype=torch.bool, or compare."""
        return causal_mask(t, s).float()

    def integer(t, s=None):
        """Your mask holds numbers. Return booleans: make it with dtype=torch.bool, or compare."""
        return causal_mask(t, s).long()

    def additive(n_queries, n_keys=None):
        """You return 0 and -inf, to be added to scores. Return booleans: True where a query may
        attend."""
        mask = causal_mask(n_queries, n_keys)
        return torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))

    def keys_ignored(t, s=None):
        """You ignore n_keys. The mask has n_queries rows and n_keys columns."""
        return causal_mask(t)

    def both_needed(n_queries, n_keys=None):
        """You need both numbers. Without n_keys there are as many keys as queries."""
        return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)

    def leading_axes(t, s=None):
        """You return leading axes of length one. Return (n_queries, n_keys): it broadcasts without
        them."""
        return causal_mask(t, s)[None, None]


HINTS = (
    "Draw the matrix for two queries and four keys. Why is the last row all True? Then what does "
    "the row above it look like?",
    "`torch.ones(n_queries, n_keys, dtype=torch.bool)` and `tril(diagonal=…)` make a triangle; "
    "the question is where its diagonal starts.",
    "The last row has to be all True. That happens for the diagonal n_keys - n_queries.",
)
MASK = task(causal_mask, 2, case.all, Mistakes, HINTS)

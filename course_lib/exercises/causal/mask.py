"""Task `causal_mask`: who may look at whom, with the last query beside the last key."""

from functools import partial

import torch

from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def causal_mask(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    queries = torch.arange(n_queries)[:, None] + n_keys - n_queries  # places among the keys
    return torch.arange(n_keys) <= queries  # (T, S)


def square(s: Sampler) -> Inputs:
    return Inputs((2 + s.size,))


def square_given(s: Sampler) -> Inputs:
    return Inputs((2 + s.size, 2 + s.size))


def more_keys(s: Sampler) -> Inputs:
    few, many = sorted(s.dims(2))
    return Inputs((few, many))


def more_queries(s: Sampler) -> Inputs:
    few, many = sorted(s.dims(2))
    return Inputs((many, few))


def one_query(s: Sampler) -> Inputs:
    return Inputs((1, 1 + s.size))


def one_key(s: Sampler) -> Inputs:
    return Inputs((1 + s.size, 1))


def _triangle(n_queries, n_keys=None, *, offset=lambda t, s: s - t, make=torch.tril):
    """Ones under the diagonal that `offset` places, as bool."""
    n_keys = n_queries if n_keys is None else n_keys
    diagonal = offset(n_queries, n_keys)
    return make(torch.ones(n_queries, n_keys, dtype=torch.bool), diagonal=diagonal)


def _both_needed(n_queries, n_keys=None):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


def _additive(n_queries, n_keys=None):
    mask = causal_mask(n_queries, n_keys)
    return torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))


MASK = Task(
    name="causal_mask",
    points=2,
    reference=causal_mask,
    idea=(
        "Position t may look at itself and at everything before it: s ≤ t. When there are "
        "fewer queries than keys, the queries are the *last* positions, so query t stands at "
        "place t + S − T among the keys. Comparing a column of places with a row of keys "
        "makes the whole matrix."
    ),
    cost="T·S booleans.",
    cases=(
        Case("as many keys as queries", square_given, dtypes=("float32",)),
        Case("only n_queries given", square, dtypes=("float32",)),
        Case("more keys than queries", more_keys, dtypes=("float32",)),
        Case("a single query sees every key", one_query, hidden=True, dtypes=("float32",)),
        Case("more queries than keys", more_queries, hidden=True, dtypes=("float32",)),
        Case("a single key", one_key, hidden=True, dtypes=("float32",)),
    ),
    mistakes=(
        Mistake(
            "aligned-top-left",
            "Your triangle starts at the first key. The newest query stands beside the newest key: "
            "with more keys than queries the first row already sees the older ones. Move the "
            "diagonal by n_keys - n_queries.",
            partial(_triangle, offset=lambda t, s: 0),
        ),
        Mistake(
            "top-left-when-queries-are-more",
            "With more queries than keys your first query sees the first key. The last query "
            "stands beside the last key; the surplus queries come before every key and see "
            "nothing.",
            partial(_triangle, offset=lambda t, s: max(s - t, 0)),
        ),
        Mistake(
            "strictly-before",
            "A query does not see its own position. It sees every position up to and including its "
            "own; else the first row would be empty.",
            partial(_triangle, offset=lambda t, s: s - t - 1),
        ),
        Mistake(
            "strictly-before-top-left",
            "A query does not see its own position, and your triangle starts at the first key. "
            "Include the diagonal, and move it by n_keys - n_queries.",
            partial(_triangle, offset=lambda t, s: -1),
        ),
        Mistake(
            "one-too-far",
            "Every query sees one position of the future. The diagonal is its own position, and "
            "the last one it may see.",
            partial(_triangle, offset=lambda t, s: s - t + 1),
        ),
        Mistake(
            "shifted-the-wrong-way",
            "You move the diagonal the wrong way. With more keys than queries the first row sees "
            "more than one key: move it by n_keys - n_queries.",
            partial(_triangle, offset=lambda t, s: t - s),
        ),
        Mistake(
            "inverted",
            "Your mask is True where attention is forbidden. Here True means “may attend”.",
            lambda t, s=None: ~causal_mask(t, s),
        ),
        Mistake(
            "inverted-top-left",
            "Your mask is True where attention is forbidden, and its triangle starts at the first "
            "key. True means “may attend”, and the last query stands beside the last key.",
            lambda t, s=None: ~_triangle(t, s, offset=lambda t, s: 0),
        ),
        Mistake(
            "sees-the-future",
            "Your triangle is the upper one: queries see what comes after them. Take the lower "
            "one, `tril`.",
            partial(_triangle, make=torch.triu),
        ),
        Mistake(
            "transposed",
            "Rows and columns have changed places. Rows are queries, columns are keys.",
            lambda t, s=None: causal_mask(t, s).T,
        ),
        Mistake(
            "float",
            "Your mask holds numbers. Return booleans: make it with dtype=torch.bool, or compare.",
            lambda t, s=None: causal_mask(t, s).float(),
        ),
        Mistake(
            "integer",
            "Your mask holds numbers. Return booleans: make it with dtype=torch.bool, or compare.",
            lambda t, s=None: causal_mask(t, s).long(),
        ),
        Mistake(
            "additive",
            "You return 0 and -inf, to be added to scores. Return booleans: True where a query may "
            "attend.",
            _additive,
        ),
        Mistake(
            "keys-ignored",
            "You ignore n_keys. The mask has n_queries rows and n_keys columns.",
            lambda t, s=None: causal_mask(t),
        ),
        Mistake(
            "both-needed",
            "You need both numbers. Without n_keys there are as many keys as queries.",
            _both_needed,
        ),
        Mistake(
            "leading-axes",
            "You return leading axes of length one. Return (n_queries, n_keys): it broadcasts "
            "without them.",
            lambda t, s=None: causal_mask(t, s)[None, None],
        ),
    ),
    hints=(
        "Draw the matrix for two queries and four keys. Why is the last row all True? Then what "
        "does the row above it look like?",
        "`torch.ones(n_queries, n_keys, dtype=torch.bool)` and `tril(diagonal=…)` make a triangle; "
        "the question is where its diagonal starts.",
        "The last row has to be all True. That happens for the diagonal n_keys - n_queries.",
    ),
)

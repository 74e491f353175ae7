"""The reference, the cases and the hints of `causal_mask`."""

import torch

from course_lib.checker.tasks import Cases


def causal_mask(n_queries, n_keys=None):
    """Position t may look at itself and at everything before it: s ≤ t. When there are fewer
    queries than keys, the queries are the *last* positions, so query t stands at place t + S − T
    among the keys. Comparing a column of places with a row of keys makes the whole matrix.

    Cost: T·S booleans."""
    n_keys = n_queries if n_keys is None else n_keys
    queries = torch.arange(n_queries)[:, None] + n_keys - n_queries  # places among the keys
    return torch.arange(n_keys) <= queries  # (T, S)


case = Cases(dtypes=("float32",))
case.example((2, 4))
case("as many keys as queries", lambda s: (2 + s.size, 2 + s.size))
case("only n_queries given", lambda s: (2 + s.size,))
case("more keys than queries", lambda s: tuple(sorted(s.dims(2))))
case.hidden("a single query sees every key", lambda s: (1, 1 + s.size))
case.hidden("more queries than keys", lambda s: tuple(sorted(s.dims(2), reverse=True)))
case.hidden("a single key", lambda s: (1 + s.size, 1))

HINTS = (
    "Draw the matrix for two queries and four keys. Why is the last row all True? Then what does "
    "the row above it look like?",
    "`torch.ones(n_queries, n_keys, dtype=torch.bool)` and `tril(diagonal=…)` make a triangle; "
    "the question is where its diagonal starts.",
    "The last row has to be all True. That happens for the diagonal n_keys - n_queries.",
)

"""The reference, the cases and the hints of `keys_in_use`."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Sampler
from course_lib.exercises.common import single

WITHIN = 0.01


def keys_in_use(weights, head):
    """The entropy of a row says in bits how undecided a query is, and 2 to its power how many keys
    it would look at if it looked at them all alike: 1 for a query that has chosen, S for one that
    has not. The mean over the queries of a head is a number by which heads can be compared. A
    weight of 0 adds nothing to the entropy, and a query that attends to nothing is left out.

    Cost: One logarithm for each weight of the head."""
    rows = weights[:, head].flatten(0, 1)  # (B·T, S)
    rows = rows[rows.sum(-1) > 0]  # without queries that attend to nothing
    bits = -torch.special.xlogy(rows, rows).sum(-1) / np.log(2)  # (number of rows,)
    return (2**bits).mean().item()


def draw(s: Sampler, keep: float = 1.0, empty: bool = False) -> tuple:
    """Weights (B, H, T, S) of heads that have decided more and less, and one of the heads.

    `keep` is the share of keys that a query may attend to; with `empty`, one query of each text
    may attend to nothing."""
    batch, n_heads, n_queries, n_keys = s.dims(4)
    decided = 1 + s.rng.permutation(n_heads)[:, None, None]
    scores = s.floats(batch, n_heads, n_queries, n_keys) * decided.astype(s.dtype)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    if keep < 1:
        weights = weights * s.mask(batch, 1, n_queries, n_keys, keep=keep)
    if empty:
        weights[:, :, s.size % n_queries] = 0
    sums = weights.sum(-1, keepdims=True)
    return weights / np.where(sums == 0, 1, sums), int(s.integers(1, n_heads))


case = Cases(within=WITHIN, atol=1e-5)
case.example((single([[[[0.5, 0.5, 0, 0], [1, 0, 0, 0]]]]), 0), dtype="float32")
case("heads that have decided more and less", draw)
case("some weights are 0", lambda s: draw(s, 0.6))
case("queries that attend to nothing", lambda s: draw(s, 0.6, empty=True))
case.hidden("few keys may be attended to", lambda s: draw(s, 0.3))


@case("texts of which one has a single query")
def unequal_texts(s):
    """One text has one query, which has chosen; those of the other texts have not."""
    weights, head = draw(s)
    weights[0] = 0
    weights[0, :, 0, 0] = 1
    return weights, head


@case.hidden(
    "the last head, counted from the end",
    perhaps="A head of -1 is the last. Perhaps numbers of heads are compared with it: index.",
)
def from_the_end(s):
    """A head of −1."""
    return draw(s)[0], -1


HINTS = (
    "A row of weights has one entropy. How many rows does the head have, and which axis is added "
    "up?",
    "`rows = weights[:, head].flatten(0, 1)` has a row for each query. Leave out the rows whose "
    "sum is 0, and make sure that a weight of 0 does not become NaN.",
    "`-torch.special.xlogy(rows, rows).sum(-1)` is the entropy in nats; its `exp` is the number "
    "of keys. Then `.mean().item()`.",
)

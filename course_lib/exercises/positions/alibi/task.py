"""The reference, the cases and the hints of `alibi`."""

import torch

from course_lib.checker.tasks import Cases, Inputs, Sampler


def alibi(num_heads, n_queries, n_keys):
    """No position enters the vectors: what is far away gets a lower score. The distance back is one
    table for all heads, and each head multiplies it by a slope of its own, from steep (looks near)
    to flat (looks far). Keys that lie ahead get 0, because forbidding them is the causal mask's
    work.

    Cost: H·T·S numbers when written out; a kernel makes each from its indices."""
    slopes = 2.0 ** (-8 / num_heads * torch.arange(1, num_heads + 1))  # (H,)
    queries = torch.arange(n_queries)[:, None] + n_keys - n_queries  # their places among the keys
    back = (queries - torch.arange(n_keys)).clamp(min=0)  # (T, S)
    return slopes[:, None, None] * -back


def lengths(heads=None, queries=None, keys=None):
    """Draws (H, T, S). Heads not given: 2, 4 and 16 in turn. A length is "few" or "many", or the
    same for both; a single query has once more than 200 keys."""

    def draw(s: Sampler) -> Inputs:
        few, many = sorted(s.dims(2, low=3))
        many += 200 * (queries == "one" and s.size == 4)
        pick = {"few": few, "many": many, "one": 1, None: many}
        return Inputs((heads or max(2, s.size**2), pick[queries], pick[keys]))

    return draw


case = Cases(dtypes=("float32",))
case.example((2, 2, 3))
case("as many keys as queries", lengths())
case("more keys than queries", lengths(queries="few"))
case("eight heads", lengths(heads=8))
case.hidden("a single query, the newest", lengths(queries="one"))
case.hidden("more queries than keys", lengths(keys="few"))
case.hidden("a single key", lengths(keys="one"))
case.hidden("a single head", lengths(heads=1))
case.hidden("thirty-two heads", lengths(heads=32))

HINTS = (
    "Two things to make: a table of distances (T, S), and one slope for each head. The bias is "
    "their product with a minus, and broadcasting makes the axis of heads.",
    "Query t has its place at t + n_keys - n_queries among the keys, as in a causal mask. The "
    "distance back is that place minus the key's; what is negative lies ahead.",
    "`back.clamp(min=0)` puts 0 where a key lies ahead. Slopes: `2.0 ** (-8 / num_heads * "
    "torch.arange(1, num_heads + 1))`, then `[:, None, None]`.",
)

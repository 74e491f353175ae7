"""Task `alibi`: a penalty on the score for each word of distance, with a slope for each head."""

import torch

from course_lib.grading.tasks import Cases, Inputs, Sampler, task


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
    same for both."""

    def draw(s: Sampler) -> Inputs:
        few, many = sorted(s.dims(2, low=3))
        pick = {"few": few, "many": many, "one": 1, None: many}
        return Inputs((heads or max(2, s.size**2), pick[queries], pick[keys]))

    return draw


case = Cases(dtypes=("float32",))
case("as many keys as queries", lengths())
case("more keys than queries", lengths(queries="few"))
case("eight heads", lengths(heads=8))
case.hidden("a single query, the newest", lengths(queries="one"))
case.hidden("more queries than keys", lengths(keys="few"))
case.hidden("a single head", lengths(heads=1))
case.hidden("thirty-two heads", lengths(heads=32))


def _slopes(num_heads):
    return 2.0 ** (-8 / num_heads * torch.arange(1, num_heads + 1))


def _back(n_queries, n_keys, offset=lambda t, s: s - t):
    queries = torch.arange(n_queries)[:, None] + offset(n_queries, n_keys)
    return queries - torch.arange(n_keys)


def _alibi(
    num_heads,
    n_queries,
    n_keys,
    *,
    slopes=_slopes,
    offset=lambda t, s: s - t,
    ahead=lambda back: back.clamp(min=0),
    give=lambda bias: bias,
):
    """The reference with one step exchanged."""
    back = ahead(_back(n_queries, n_keys, offset))
    return give(-slopes(num_heads).float()[:, None, None] * back)


class Mistakes:
    def aligned_top_left(*args):
        """You put the first query beside the first key. The last query stands beside the last key:
        query t has its place at t + n_keys - n_queries."""
        return _alibi(*args, offset=lambda t, s: 0)

    def top_left_when_queries_are_more(*args):
        """With more queries than keys your first query stands beside the first key. The last query
        stands beside the last key, always; the surplus queries come before every key."""
        return _alibi(*args, offset=lambda t, s: max(s - t, 0))

    def shifted_the_wrong_way(*args):
        """You move the queries the wrong way. With more keys than queries the first query already
        has keys behind it: add n_keys - n_queries to its number."""
        return _alibi(*args, offset=lambda t, s: t - s)

    def ahead_rewarded(*args):
        """A key that lies ahead gets a positive number, which draws attention to it. Its distance
        back is 0: clamp the distances at 0."""
        return _alibi(*args, ahead=lambda back: back)

    def ahead_punished(*args):
        """You take the distance in both directions. Only keys behind the query are punished; where
        a key lies ahead the number is 0."""
        return _alibi(*args, ahead=lambda back: back.abs())

    def ahead_forbidden(num_heads, n_queries, n_keys):
        """You write -inf where a key lies ahead. Hiding it is the mask's business: here the number
        is 0."""
        bias = alibi(num_heads, n_queries, n_keys)
        return bias.masked_fill(_back(n_queries, n_keys) < 0, float("-inf"))

    def positive(*args):
        """Your bias grows with the distance, so far words win. It is taken off: all numbers are 0
        or negative."""
        return _alibi(*args, give=lambda bias: -bias)

    def own_position_punished(*args):
        """Your distances begin at 1. A word's distance to itself is 0."""
        return _alibi(*args, ahead=lambda back: (back + 1).clamp(min=0))

    def slopes_from_one(*args):
        """Your first head has slope 1. Heads count from 1 here: the first slope is 2^(-8/H), the
        last 2^(-8)."""
        return _alibi(*args, slopes=lambda heads: 2.0 ** (-8 / heads * torch.arange(heads)))

    def slopes_of_eight_heads(*args):
        """Your slopes are ½, ¼, ⅛, … for any number of heads. That is right for eight: the
        exponents are -8/H, -16/H, …, down to -8."""
        return _alibi(*args, slopes=lambda heads: 2.0 ** -torch.arange(1, heads + 1))

    def whole_exponents(*args):
        """Your exponent is cut by `//`: with 16 heads 8 // 16 is 0, and all slopes become 1. Divide
        with `/`."""
        return _alibi(
            *args, slopes=lambda heads: 2.0 ** (-(8 // heads) * torch.arange(1, heads + 1))
        )

    def slopes_reversed(*args):
        """Your heads stand in reverse. The first head has the steepest slope, 2^(-8/H)."""
        return _alibi(*args, slopes=lambda heads: _slopes(heads).flip(0))

    def one_slope(*args):
        """All your heads have the same slope. Head h has its own, 2^(-8h/H)."""
        return _alibi(*args, slopes=lambda heads: _slopes(heads)[:1].expand(heads))

    def no_slopes(*args):
        """You take off the plain distance. Multiply it by each head's slope."""
        return _alibi(*args, slopes=torch.ones)

    def base_e(*args):
        """Your slopes are powers of e. They are powers of 2: 2^(-8h/H)."""
        return _alibi(
            *args, slopes=lambda heads: torch.exp(-8 / heads * torch.arange(1, heads + 1))
        )

    def float64(*args):
        """Your bias is float64. Make it float32, the dtype of a model's scores."""
        return _alibi(*args, give=lambda bias: bias.double())

    def transposed(*args):
        """Rows and columns have changed places. Rows are queries, columns are keys."""
        return _alibi(*args, give=lambda bias: bias.mT)

    def heads_last(*args):
        """Your heads are the last axis. Return (num_heads, n_queries, n_keys), as scores have
        it."""
        return _alibi(*args, give=lambda bias: bias.permute(1, 2, 0))

    def batch_axis(*args):
        """You return an extra axis for the batch. Return (num_heads, n_queries, n_keys): it
        broadcasts without it."""
        return _alibi(*args, give=lambda bias: bias[None])


HINTS = (
    "Two things to make: a table of distances (T, S), and one slope for each head. The bias is "
    "their product with a minus, and broadcasting makes the axis of heads.",
    "Query t has its place at t + n_keys - n_queries among the keys, as in a causal mask. The "
    "distance back is that place minus the key's; what is negative lies ahead.",
    "`back.clamp(min=0)` puts 0 where a key lies ahead. Slopes: `2.0 ** (-8 / num_heads * "
    "torch.arange(1, num_heads + 1))`, then `[:, None, None]`.",
)
ALIBI = task(alibi, 4, case.all, Mistakes, HINTS)

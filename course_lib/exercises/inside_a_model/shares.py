"""Two tasks of lab 6: how much of their weight the heads of a model give to one place."""

from collections.abc import Callable

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import family, single
from course_lib.exercises.inside_a_model.share_mistakes import known


def first_token_share(weights):
    """The score of a head is the mean of one column of its map, the first. The query at position 0
    is left out: in a causal model it can see nothing else and would count as evidence.

    Cost: L · B · H · T weights are read; the maps are there already."""
    shares = [layer[:, :, 1:, 0].mean((0, 2)) for layer in weights]  # each (H,)
    return torch.stack(shares)


def previous_token_share(weights):
    """The weights on the token before stand on the diagonal below the main one. Two index tensors
    of one length pick them: query t and key t - 1.

    Cost: one weight for each query, L · B · H · (T - 1) of them."""
    t = torch.arange(1, weights[0].shape[-1])
    shares = [layer[:, :, t, t - 1].mean((0, 2)) for layer in weights]
    return torch.stack(shares)


def maps(s: Sampler, layers: int, texts: int, tokens: int, causal: bool = False) -> list:
    """L arrays (B, H, T, T) whose rows sum to 1."""
    heads = 3 + s.size
    drawn = [s.weights(texts, heads, tokens, tokens) for _ in range(layers)]
    if causal:
        drawn = [np.tril(one) / np.tril(one).sum(-1, keepdims=True) for one in drawn]
    return [one.astype(s.dtype) for one in drawn]


ROWS = single([[1, 0, 0], [0.6, 0.4, 0], [0.2, 0.3, 0.5]])


def three_rounds(case: Cases) -> None:
    """Texts that are no two rounds of the period: three, two and a half, or fewer than two."""

    @case("three rounds, two and a half, or fewer than two")
    def more_rounds(s):
        tokens, period = s.turn((9, 3), (11, 3), (7, 5), (9, 3), (11, 3), (6, 5))
        return maps(s, 2, 2, tokens), period


def cases(*more: Callable[[int], int], example: tuple = ([ROWS[None, None]],)) -> tuple:
    """The cases of a share; `more` draws what follows the weights, from the number of tokens."""

    def draw(s: Sampler, *how) -> Inputs:
        weights = maps(s, *how)
        return Inputs((weights, *(one(weights[0].shape[-1]) for one in more)))

    case = Cases()
    case.example(example, dtype="float32")
    case("one layer, one text", lambda s: draw(s, 1, 1, 7))
    case("several layers and texts", lambda s: draw(s, 2 + s.size, 3, 8))
    if more:
        three_rounds(case)
    case.hidden("maps of a causal model", lambda s: draw(s, 2, 2, 9, True))
    case.hidden("a short text", lambda s: draw(s, 3, 2, 4))
    return case.all


MISTAKES = known(Mistakes(first_token_share))
MISTAKES.change("with-query-0", "1:, 0", ":, 0").says("""
    You count the query at position 0. In a causal model it sees itself alone, so it says nothing:
    begin at 1.
""")
MISTAKES.change("all-keys", "1:, 0]", "1:].sum(-1)").says("""
    You add up over all keys, which is 1 for every query. The weight on key 0 alone is asked.
""")
MISTAKES.change(
    "by-the-other-keys",
    "layer[:, :, 1:, 0].mean((0, 2))",
    "layer[:, :, 1:, 0].sum((0, 2)) / layer[:, :, 1:, 1:].sum((0, 2, 3))",
).says("""
    You divide the weight on key 0 by the weight on all other keys. A row sums to 1, so the weight
    is the share: take its mean over the queries.
""")
MISTAKES.change("second-key", "1:, 0", "1:, 1").says(
    "You measure the weight on key 1. The first key is number 0."
)
family(
    MISTAKES,
    """You count how often the first token has the largest weight. Its weight itself is asked, in
    the mean.""",
    how_often=(
        "layer[:, :, 1:, 0].mean((0, 2))",
        "(layer.argmax(-1)[:, :, 1:] == 0).to(layer).mean((0, 2))",
    ),
)
MISTAKES.change("itself", "layer[:, :, 1:, 0]", "layer.diagonal(0, -2, -1)[:, :, 1:]").says("""
    You measure the diagonal, what each token gives to itself. The first token is key 0 for every
    query.
""")
MISTAKES.change("last-key", "1:, 0", "1:, -1").says("""
    You measure the weight on the last key. The first one is asked.
""")
family(
    MISTAKES,
    """You leave out other queries than the one at position 0. Its row is the first; all behind it
    count.""",
    from_query_2=("1:, 0", "2:, 0"),
    last_query_left_out=("1:, 0", "1:-1, 0"),
    last_for_first=("1:, 0", ":-1, 0"),
)
family(
    MISTAKES,
    """You cut another axis than the queries. The axes are text, head, query, key: `[:, :, 1:,
    0]`.""",
    heads_cut=("[:, :, 1:, 0]", "[:, 1:, :, 0]"),
)
FIRST = task(
    MISTAKES,
    1,
    cases(),
    (
        "Which column of a map holds the weights on the first token?",
        "`layer[:, :, 1:, 0]` is (B, H, T - 1): over which of its axes is the mean taken?",
        "`layer[:, :, 1:, 0].mean((0, 2))` for each layer, then `torch.stack`.",
    ),
)
MISTAKES = known(Mistakes(previous_token_share))
MISTAKES.change("itself", "t - 1]", "t]").says("""
    You measure the weight on the token itself. The one before is asked.
""")
MISTAKES.change("from-query-0", "arange(1,", "arange(0,").says("""
    You begin at query 0, whose key -1 is the last of the row: Python counts from the end. Begin at
    1.
""")
MISTAKES.change("two-back", "t - 1]", "t - 2]").says(
    "You go two tokens back. The token before is key t - 1."
)
MISTAKES.change("from-query-2", "arange(1,", "arange(2,").says("""
    You leave out the query at position 1. It has a token before it, too.
""")
family(
    MISTAKES,
    """You measure another diagonal. Query t and key t - 1 stand on the one directly below the main
    diagonal: `offset=-1`.""",
    main_diagonal=("arange(1,", "arange(0,", "t - 1]", "t]"),
    second_diagonal=("arange(1,", "arange(2,", "t - 1]", "t - 2]"),
)
family(
    MISTAKES,
    """You take the mean over a whole block of the map, every query with every key. Pairs are asked:
    query t with key t - 1, `layer[:, :, t, t - 1]` with two index tensors, or a diagonal.""",
    whole_block=("layer[:, :, t, t - 1].mean((0, 2))", "layer[:, :, 1:, :-1].mean((0, 2, 3))"),
    all_keys_but_one=("layer[:, :, t, t - 1].mean((0, 2))", "layer[..., 1:].mean((0, 2, 3))"),
)
family(
    MISTAKES,
    """You count how often the token before has the largest weight. That weight itself is asked, in
    the mean.""",
    how_often=(
        "layer[:, :, t, t - 1].mean((0, 2))",
        "(layer.argmax(-1)[:, :, 1:] == t - 1).to(layer).mean((0, 2))",
    ),
)
family(
    MISTAKES,
    """You take all keys before the query together. The token before is one key alone: t - 1.""",
    all_before=(
        "layer[:, :, t, t - 1].mean((0, 2))",
        "layer.tril(-1)[:, :, 1:].sum(-1).mean((0, 2))",
    ),
    all_before_and_itself=(
        "layer[:, :, t, t - 1].mean((0, 2))",
        "layer.tril()[:, :, 1:].sum(-1).mean((0, 2))",
    ),
    mean_of_all_before=(
        "layer[:, :, t, t - 1].mean((0, 2))",
        "(layer.tril(-1)[:, :, 1:].sum(-1) / t).mean((0, 2))",
    ),
)
family(
    MISTAKES,
    """Your key is the same for every query. It moves with the query: key t - 1 for query t.""",
    key_0=("t - 1]", "0]"),
    key_1=("t - 1]", "1]"),
    last_key=("t - 1]", "-1]"),
    last_key_but_one=("t - 1]", "-2]"),
)
MISTAKES.change("last-query-left-out", "weights[0].shape[-1])", "weights[0].shape[-1] - 1)").says(
    "You leave out the last query. They go to T - 1: `torch.arange(1, T)`."
)
MISTAKES.change(
    "two-ahead", "layer[:, :, t, t - 1]", "layer[:, :, t[:-1] - 1, t[:-1] + 1]"
).says("""
    You measure keys that lie ahead of the query. The token before is key t - 1.
""")
family(
    MISTAKES,
    """`diagonal` takes the first two axes, texts and heads, unless it is told which. Queries and
    keys are the last two: `layer.diagonal(-1, 2, 3)`.""",
    diagonal_of_texts_and_heads=(
        "layer[:, :, t, t - 1].mean((0, 2))",
        "layer.diagonal(-1).mean((1, 2))",
    ),
    diagonal_of_texts_and_heads_alone=(
        "layer[:, :, t, t - 1].mean((0, 2))",
        "layer.diagonal(-1).mean((0, 1))",
    ),
)
MISTAKES.change(
    "last-query-by-their-number",
    "layer[:, :, t, t - 1].mean((0, 2))",
    "layer[:, :, -1, -2].mean(0) / len(t)",
).says("""
    Only the last query is counted, divided by the number of all. Perhaps `=` stands for `+=` in
    the loop: add up first.
""")
PREVIOUS = task(
    MISTAKES,
    2,
    cases(),
    (
        "Draw a map of four tokens, and mark the key before each query. What do the marks form?",
        "The diagonal below the main one. Two index tensors of one length pick pairs: query t, "
        "key t - 1.",
        "`t = torch.arange(1, T)`; `layer[:, :, t, t - 1]` is (B, H, T - 1); then its mean over "
        "texts and queries.",
    ),
)

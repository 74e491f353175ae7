"""What goes wrong in each of the three shares of lab 6: which axes are averaged, what comes out."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family


def known(mistakes: Mistakes) -> Mistakes:
    """What can go wrong in each of the three."""
    mistakes.change("sum-of-queries", "mean((0, 2))", "mean(0).sum(-1)").says("""
        You add up over the queries. Take their mean, or long texts have larger scores.
    """)
    mistakes.change("first-text", "layer[:, :", "layer[:1, :").says("""
        You look at the first text alone. Take the mean over the batch, too.
    """)
    mistakes.change("sum-of-texts", "mean((0, 2))", "sum(0).mean(-1)").says(
        "You add up over the texts. Take the mean over the batch."
    )
    mistakes.change("largest", "mean((0, 2))", "amax((0, 2))").says("""
        You take the largest weight. A head is judged by all its queries: take the mean.
    """)
    mistakes.change("keys-for-queries", "layer[", "layer.mT[").says("""
        You take keys for queries: the last axis of the weights belongs to the keys.
    """)
    mistakes.change("heads-first", "torch.stack(shares)", "torch.stack(shares, 1)").says(
        "Your result is (H, L). Layers come first: (L, H)."
    )
    mistakes.change("mean-of-heads", "torch.stack(shares)", "torch.stack(shares).mean(-1)").says("""
        You take the mean over the heads, in which what one of them does is lost. Give a number for
        each head: (L, H).
    """)
    mistakes.change("list", "torch.stack(shares)", "shares").says(
        "You return a list. Return one tensor (L, H): `torch.stack`."
    )
    family(
        mistakes,
        """You take the mean over other axes than asked. What you have picked is (text, head,
        query): the mean is over texts and queries, and each head keeps its own number.""",
        over_texts=("mean((0, 2))", "mean(0)"),
        over_queries=("mean((0, 2))", "mean(2)"),
        over_heads_and_queries=("mean((0, 2))", "mean((1, 2))"),
        over_texts_and_heads=("mean((0, 2))", "mean((0, 1))"),
        over_heads=("mean((0, 2))", "mean(1)"),
    )
    mistakes.change(
        "median", "mean((0, 2))", "transpose(1, 2).flatten(0, 1).median(0).values"
    ).says("You take the median of the queries. Their mean is asked.")
    mistakes.change("smallest", "mean((0, 2))", "amin((0, 2))").says("""
        You take the smallest weight. A head is judged by all its queries: take the mean.
    """)
    family(
        mistakes,
        """You take the mean, or the sum, over the layers too. Each layer is a row of its own: (L,
        H).""",
        mean_of_layers=("torch.stack(shares)", "torch.stack(shares).mean(0)"),
        one_number=("torch.stack(shares)", "torch.stack(shares).mean()"),
        sum_of_layers=("torch.stack(shares)", "torch.stack(shares).sum(0)"),
    )
    family(
        mistakes,
        """You divide by another number than that of the queries that you add up: by all T, perhaps,
        where the first ones are left out. `mean` counts them itself.""",
        divided_by_all=("mean((0, 2))", "mean(0).sum(-1) / layer.shape[-1]"),
    )
    family(
        mistakes,
        """You return the first layer, or the last, alone. All L are asked for: (L, H).""",
        first_layer_s_row=("torch.stack(shares)", "shares[0]"),
        last_layer_s_row=("torch.stack(shares)", "shares[-1]"),
        first_layer=("torch.stack(shares)", "torch.stack(shares[:1])"),
        last_layer=("torch.stack(shares)", "torch.stack(shares[-1:])"),
    )
    family(
        mistakes,
        """You join the layers to one row. A layer is a row of its own: `torch.stack` makes (L,
        H).""",
        joined=("torch.stack(shares)", "torch.cat(shares)"),
    )
    mistakes.change("last-query-alone", "mean((0, 2))", "mean(0)[:, -1]").says("""
        You look at the last query alone. Take the mean over all queries that are asked for.
    """)
    return mistakes

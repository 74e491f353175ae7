"""What goes wrong in `keys_in_use`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import changes_input, family
from course_lib.exercises.multi_head.in_use.task import keys_in_use

MISTAKES = Mistakes(keys_in_use, globals())
MISTAKES.change("bits", "2**bits", "bits").says("""
    You return the mean entropy, in bits. Make it a number of keys: 2 to the power of each query's
    entropy, and then the mean.
""")
MISTAKES.change("power-of-the-mean", "(2**bits).mean()", "2 ** bits.mean()").says("""
    You take the mean of the entropies first. Make each query's number of keys, 2 to the power of
    its entropy, and take the mean of these.
""")
MISTAKES.change("nats-and-two", " / np.log(2)", "").says("""
    Your entropy is in nats, from the natural logarithm, and your power is of 2. Take log2 with 2,
    or log with exp.
""")
MISTAKES.change("bits-and-e", "2**bits", "bits.exp()").says("""
    Your entropy is in bits, from log2, and your power is of e. Take log2 with 2, or log with exp.
""")
MISTAKES.change("sign-turned", "-torch.special", "torch.special").says("""
    Your entropy has its sign turned, so a number of keys comes out below 1. Logarithms of weights
    are negative: put a minus before the sum.
""")
MISTAKES.change("nan-of-zero", "torch.special.xlogy(rows, rows)", "(rows * rows.log())").says("""
    0 · log 0 is NaN for the computer. A weight of 0 adds nothing: use `torch.special.xlogy(w, w)`,
    or `w.clamp(min=1e-30)` inside the log.
""")
MISTAKES.change("empty-row-is-one-key", "rows = rows[rows.sum(-1) > 0]", "pass").says("""
    A query that attends to nothing counts as one key in your mean, because 2 to the power of 0 is
    1. Leave out the rows whose weights are all 0.
""")
MISTAKES.change(
    "empty-row-is-no-key",
    "rows = rows[rows.sum(-1) > 0]",
    "n = len(rows) / (rows.sum(-1) > 0).sum(); rows = rows[rows.sum(-1) > 0]",
    ".mean().item()",
    ".mean().item() / n.item()",
).says("""
    A query that attends to nothing counts as 0 keys in your mean. Leave it out, also out of the
    number that you divide by.
""")
MISTAKES.change("all-heads", "weights[:, head]", "weights.flatten(0, 1)").says("""
    You take the mean over all heads. Measure the one that is asked: `weights[:, head]`.
""")
MISTAKES.change("first-axis", "weights[:, head]", "weights[head % len(weights)]").says("""
    You index the first axis, which is the batch. Heads are the second: `weights[:, head]`.
""")
MISTAKES.change("a-text-for-a-head", "weights[:, head]", "weights[head]").says("""
    `weights[head]` takes a text, not a head: the axes are text, head, query, key. Heads are the
    second: `weights[:, head]`.
""")
MISTAKES.change("first-head", "weights[:, head]", "weights[:, 0]").says("""
    You always measure the first head. `head` says which one is asked: `weights[:, head]`.
""")
MISTAKES.change(
    "slice-of-one", "weights[:, head]", "weights[:, head : head + 1].flatten(0, 1)"
).says("""
    A slice `head:head + 1` is empty for a head of -1, the last one. Index with the number:
    `weights[:, head]`.
""")
MISTAKES.change("size-of-head", "weights[:, head]", "weights[:, abs(head)]").says("""
    Where `head` is below 0 you measure another head: -1 is the last one, -2 the one before it.
    Index with the number as it is: `weights[:, head]`.
""")
MISTAKES.change("first-text", "weights[:, head]", "weights[:1, head]").says("""
    You measure the first text of the batch alone. The mean is over the queries of all texts.
""")
MISTAKES.change(
    "mean-of-means",
    "rows = weights[:, head].flatten(0, 1)",
    "texts = [text[text.sum(-1) > 0] for text in weights[:, head]]; "
    "texts = [text for text in texts if len(text)]; rows = torch.cat(texts)",
    "(2**bits).mean()",
    "torch.stack([one.mean() for one in (2**bits).split([len(t) for t in texts])]).mean()",
).says("""
    You take a mean for each text and then the mean of these, so the only query of one text counts
    as much as all of another. Take one mean over the queries of all texts.
""")
MISTAKES.change(
    "over-queries",
    "rows = weights[:, head].flatten(0, 1)",
    "rows = weights[:, head].transpose(1, 2).flatten(0, 1)",
).says("""
    You add up over the queries. Each query has an entropy: add up over the keys, the last axis.
""")
MISTAKES.change(
    "average-row", "rows = rows[rows.sum(-1) > 0]", "rows = rows[rows.sum(-1) > 0].mean(0)[None]"
).says("""
    You average the rows and measure the average. Two queries that have chosen two different keys
    would look undecided: measure each row, then take the mean.
""")
MISTAKES.change("counted", "2**bits", "(rows > 0).sum(-1) + 0.0").says("""
    You count the weights that are not 0. A key with a weight of 0.001 is not a whole key in use:
    take 2 to the power of the entropy.
""")
MISTAKES.change("squares", "2**bits", "1 / rows.square().sum(-1)").says("""
    You divide 1 by the sum of the squared weights. That counts keys, too, but small weights for
    less: take 2 to the power of the entropy.
""")
family(
    MISTAKES,
    """You count the weights above a bound, so the number hangs on the bound, and a weight just
    below it counts for nothing. Take 2 to the power of the entropy, which needs none.""",
    above_a_hundredth=("2**bits", "(rows > 0.01).double().sum(-1)"),
    above_a_twentieth=("2**bits", "(rows > 0.05).double().sum(-1)"),
    above_a_tenth=("2**bits", "(rows > 0.1).double().sum(-1)"),
    above_one_in_S=("2**bits", "(rows > 1 / rows.shape[-1]).double().sum(-1)"),
)
MISTAKES.change("each-query", ".mean().item()", "").says(
    "You return a number for each query. Return their mean."
)
MISTAKES.change("tensor", ".item()", "").says(
    "You return a tensor. Return a Python number: `.item()`."
)
changes_input(MISTAKES, "weights")
family(
    MISTAKES,
    """You take the sum, the median or the largest of the queries. It is their mean.""",
    sum=(".mean()", ".sum()"),
    median=(".mean()", ".median()"),
    largest=(".mean()", ".max()"),
)
family(
    MISTAKES,
    """You measure how sure a query is in another way than by entropy: keys in use are 2 to the
    power of −Σ α log₂ α.""",
    one_by_the_largest=("(2**bits).mean()", "(1 / rows.amax(-1)).mean()"),
    largest_weight=("(2**bits).mean()", "rows.amax(-1).mean()"),
)
family(
    MISTAKES,
    """You measure one query alone. Take the mean over all that attend to something.""",
    first_query=("weights[:, head]", "weights[:, head, :1]"),
    last_query=("weights[:, head]", "weights[:, head, -1:]"),
)
MISTAKES.change("mean-of-heads", "weights[:, head]", "weights.mean(1)").says(
    "You take the mean of the heads, and measure that. One head is asked: `weights[:, head]`."
)
family(
    MISTAKES,
    """You add a number to every weight, which is not small beside a weight: that is no longer the
    row's own entropy. A weight of 0 adds nothing: `torch.special.xlogy(w, w)`.""",
    hundredth_added=("xlogy(rows, rows)", "xlogy(rows, rows + 1e-2)"),
    hundredth_added_twice=("xlogy(rows, rows)", "xlogy(rows + 1e-2, rows + 1e-2)"),
    tenth_added=("xlogy(rows, rows)", "xlogy(rows, rows + 0.1)"),
)
family(
    MISTAKES,
    """Your logarithm is to the base 10, and your power is of 2. Take log2 with 2, or log with
    exp.""",
    base_ten=(" / np.log(2)", " / np.log(10)"),
)
family(
    MISTAKES,
    """You take the mean over the keys. The entropy of a row is the sum over its keys.""",
    mean_over_keys=("xlogy(rows, rows).sum(-1)", "xlogy(rows, rows).mean(-1)"),
)
family(
    MISTAKES,
    """The logarithms are added without their weights. Each log₂ α counts α times.""",
    unweighted=("torch.special.xlogy(rows, rows)", "rows.log()"),
    unweighted_without_zeros=(
        "torch.special.xlogy(rows, rows)",
        "rows.masked_fill(rows == 0, 1).log()",
    ),
)
family(
    MISTAKES,
    """You leave out queries that attend to something: those with a weight of 0 somewhere, or with
    an entropy of 0, as of one that has chosen a single key. Empty is a row whose weights are all 0:
    ask for its sum.""",
    first_key_asked=("rows.sum(-1) > 0", "rows[:, 0] > 0"),
    all_keys_asked=("rows.sum(-1) > 0", "(rows > 0).all(-1)"),
    entropy_asked=("(2**bits)", "(2 ** bits[bits > 0])"),
    entropy_asked_or_one=("(2**bits).mean()", "(2 ** bits[bits > 0]).mean().nan_to_num(1.0)"),
)

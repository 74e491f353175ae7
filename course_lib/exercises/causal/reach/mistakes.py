"""What goes wrong in `far_share`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.causal.reach.task import far_share
from course_lib.exercises.common import family

MISTAKES = Mistakes(far_share, globals())
MISTAKES.change("no-residual", "y = y + weights @ y", "y = weights @ y").says("""
    You leave out what goes straight on beside the attention. A layer returns x plus what its
    attention brings.
""")
MISTAKES.change("layers-side-by-side", "weights @ y\n", "weights @ x\n").says("""
    The attention of each layer reads the first x. A layer reads what the layer before it returned,
    and that is how a window reaches beyond itself.
""")
MISTAKES.change("first-layer", "zip(query, key, strict=True)", "[(query[0], key[0])]").says("""
    You use the first layer alone. Go through all of them: `for q, k in zip(query, key)`.
""")
MISTAKES.change(
    "same-weights", "q @ k.transpose(-2, -1)", "query[0] @ key[0].transpose(-2, -1)"
).says("""
    All layers of yours have the queries and keys of the first. Each layer has its own: `query[i]`
    and `key[i]`.
""")
MISTAKES.change(
    "layers-reversed", "zip(query, key, strict=True)", "zip(query.flip(0), key.flip(0))"
).says("""
    You go through the layers in reverse. Layer 0 reads the input, the last layer writes the output.
""")
MISTAKES.change("mask-ignored", "scores.masked_fill(~mask, -math.inf)", "scores").says("""
    You do not mask the scores. Where the mask is False the score becomes -inf before the softmax.
""")
MISTAKES.change(
    "own-mask", "masked_fill(~mask", "masked_fill(torch.ones_like(mask).triu(1)"
).says("""
    You use a mask of your own, in which every position sees all before it. Use the one that is
    given: it may have a window.
""")
MISTAKES.change(
    "mask-inverted", "masked_fill(~mask, -math.inf)", "masked_fill(mask, -1e9)"
).says("""
    You read the mask the wrong way round. True means “may attend”: fill where `~mask`.
""")
MISTAKES.change("unscaled", " / math.sqrt(q.shape[-1])", "").says("""
    You do not scale the scores. Divide them by √d, the root of a query's length.
""")
MISTAKES.change("all-outputs", "y[-1].sum()", "y.sum()").says("""
    You ask all outputs for their gradient. Ask the last position alone: the share is of what it is
    made of.
""")
MISTAKES.change(
    "all-but-the-beginning", "[: max(len(x) - 1 - distance, 0)]", "[distance + 1 :]"
).says("""
    You count the distance from the beginning, and take what is behind it. It is counted back from
    the last position, and far is what lies before.
""")
MISTAKES.change("first-output", "y[-1].sum()", "y[0].sum()").says("""
    You ask the first position, which sees itself and nothing else. Ask the last.
""")
MISTAKES.change("at-the-distance", "len(x) - 1 - distance", "len(x) - distance").says("""
    A position that is exactly `distance` back is not further than `distance`.
""")
MISTAKES.change("one-too-few", "len(x) - 1 - distance", "len(x) - 2 - distance").says("""
    You leave one position out: the last one has distance 0, the one before it 1.
""")
MISTAKES.change(
    "near", "far = gradient[: max(len(x) - 1 - distance, 0)]", "far = gradient[-1 - distance:]"
).says("""
    You return the share of what is near. Return what comes from further back.
""")
MISTAKES.change("from-the-beginning", "max(len(x) - 1 - distance, 0)", "distance + 1").says("""
    You count the distance from the beginning. It is counted back from the last position.
""")
sentence = """
    You multiply the gradient by `x`. The share is of the gradient alone, and does not depend on the
    numbers that go in.
"""
PLACES = "torch.arange(len(gradient), dtype=y.dtype)[:, None]"
MISTAKES.change(
    "times-x", "    far = ", f"    gradient = gradient * (1 + {PLACES})\n    far = "
).says(sentence)
MISTAKES.change(
    "times-x-from-0", "    far = ", f"    gradient = gradient * {PLACES}\n    far = "
).says(sentence)
MISTAKES.change("not-a-share", " / gradient.sum()", "").says("""
    You do not divide by the whole gradient. Return a share, between 0 and 1.
""")
MISTAKES.change("far-to-near", "gradient.sum())", "(gradient.sum() - far.sum()))").says("""
    You divide what is far by what is near. A share is of the whole: divide by the sum of all
    gradients.
""")
MISTAKES.change(
    "counted", "far.sum() / gradient.sum()", "(far > 0).sum() / (gradient > 0).sum()"
).says("""
    You count the positions that any gradient reaches. Measure how much of it: add the gradients up.
""")
MISTAKES.change(
    "last-weights", "(gradient,) = torch.autograd.grad(y[-1].sum(), x)", "gradient = weights[-1]"
).says("""
    You return the last layer's weights, which see one window. Ask for the gradient through all
    layers.
""")
MISTAKES.change(
    "slice-from-the-end", "max(len(x) - 1 - distance, 0)", "len(x) - 1 - distance"
).says("""
    With a `distance` of T or more your slice ends at a number below 0, which counts from the end.
    Nothing lies so far back: the share is 0.
""")
MISTAKES.change(
    "x-in-float32", "query.new_zeros(query.shape[1], 1)", "torch.zeros(query.shape[1], 1)"
).says("""
    Your `x` is float32 and the queries are float64. Make it with `dtype=query.dtype`.
""")
MISTAKES.change("tensor", ".item()", "").says(
    "You return a tensor. Return a Python number: `.item()`."
)
family(
    MISTAKES,
    """You add the first x in each layer. A layer adds to what it was given, the result of the
    one before.""",
    first_x_added=("y = y + weights @ y", "y = x + weights @ y"),
)
family(
    MISTAKES,
    """You compare means, counts or squares. The share is the sum of the far gradients over the
    sum of all.""",
    mean_over_sum=("far.sum() / gradient.sum()", "far.mean() / gradient.sum()"),
    mean_over_mean=("far.sum() / gradient.sum()", "far.mean() / gradient.mean()"),
    squares=("far.sum() / gradient.sum()", "far.square().sum() / gradient.square().sum()"),
    lengths=("far.sum() / gradient.sum()", "far.norm() / gradient.norm()"),
    counts=("far.sum() / gradient.sum()", "(far > 0).sum() / len(x)"),
)
family(
    MISTAKES,
    """Your softmax runs over the queries. Each row of the weights sums to one: `dim=-1`.""",
    over_queries=("-math.inf), dim=-1)", "-math.inf), dim=0).nan_to_num()"),
)
family(
    MISTAKES,
    """You halve what goes past the attention, or what comes from it. The layer returns x +
    weights · x, both whole.""",
    half_past=("y = y + weights @ y", "y = y / 2 + weights @ y"),
    half_attended=("y = y + weights @ y", "y = y + weights @ y / 2"),
)
family(
    MISTAKES,
    """You divide the scores by something else than √d, the root of a query's length: not by d, the
    root of T, or the number of layers.""",
    scaled_by_d=("math.sqrt(q.shape[-1])", "q.shape[-1]"),
    scaled_by_positions=("math.sqrt(q.shape[-1])", "math.sqrt(q.shape[0])"),
    scaled_by_layers=("math.sqrt(q.shape[-1])", "math.sqrt(len(query))"),
    multiplied_by_the_root=("/ math.sqrt(q.shape[-1])", "* math.sqrt(q.shape[-1])"),
)
family(
    MISTAKES,
    """Your gradient goes through one layer alone. Go through all of them, each on what the one
    before returned, with no `detach` between, and take the gradient for the `x` that entered the
    first.""",
    last_layer=("zip(query, key, strict=True)", "[(query[-1], key[-1])]"),
    all_but_the_last=("zip(query, key, strict=True)", "zip(query[:-1], key[:-1])"),
)
family(
    MISTAKES,
    """Forbidden scores keep a part in the sum: you zero the weights after the softmax, or fill the
    scores with 0. They become -inf before the softmax.""",
    mask_after=(
        "torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)",
        "torch.softmax(scores, dim=-1) * mask",
    ),
    filled_with_zero=("-math.inf", "0.0"),
)
MISTAKES.change(
    "positions-counted",
    "(far.sum() / gradient.sum()).item()",
    "len(far) / len(x)",
).says("""
    You count the positions that are far. What is asked is their share of the gradient.
""")

"""Task `attention_backward`: the gradients of attention, derived by hand."""

import math

import torch

from course_lib.checker.run.program import Program
from course_lib.checker.tasks import Cases, Inputs, Mistakes, Rule, Sampler, task
from course_lib.exercises.attention_mistakes import only_three_axes, scaling_mistakes
from course_lib.exercises.attention_parts import qkv, ragged


def attention_backward(query, key, value, grad_output):
    """Undo one line after the other. A product A V hands its gradient on to both factors,
    multiplied by the other one transposed; the softmax hands on A · (dA − the row's sum of A · dA),
    as in exercise 01; and Q Kᵀ/√d_k is a product again. Shapes decide what is transposed: the
    gradient of the keys has S rows, so the gradient of the scores stands transposed in it.

    Cost: Five products of T·S·d multiplications, against two in the forward pass."""
    scale = 1 / math.sqrt(query.shape[-1])
    weights = torch.softmax(query @ key.transpose(-2, -1) * scale, dim=-1)  # (..., T, S)
    grad_value = weights.transpose(-2, -1) @ grad_output  # (..., S, d_v)
    grad_weights = grad_output @ value.transpose(-2, -1)  # (..., T, S)
    row_sum = (weights * grad_weights).sum(-1, keepdim=True)  # (..., T, 1)
    grad_scores = weights * (grad_weights - row_sum) * scale  # (..., T, S)
    return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value


def inputs(s: Sampler, query, key, value) -> Inputs:
    return Inputs((query, key, value, s.floats(*query.shape[:-1], value.shape[-1])))


AUTOGRAD = {"autograd", "backward", "requires_grad", "requires_grad_", "vjp", "jacrev", "jacobian"}


def by_hand(program: Program) -> str | None:
    """What to say when an answer's text names autograd."""
    found = sorted(AUTOGRAD.intersection(program.names))
    if not found:
        return None
    return (
        f"This task is a derivation by hand, and your answer names `{found[0]}`. Write the three "
        "gradients as matrix products; autograd is good for testing them outside the answer."
    )


case = Cases()
case("two queries, three keys", lambda s: inputs(s, *qkv(s, (1,), (2, 3, 2, 2))))
case("all axes of different length", lambda s: inputs(s, *ragged(s)))
# Of squares, no shape tells that an axis was swapped.
case("all axes of equal length", lambda s: inputs(s, *qkv(s, (2,), (1 + s.size,) * 4)))
case("heads: four axes", lambda s: inputs(s, *ragged(s, axes=2)))
case.hidden("no batch: two axes", lambda s: inputs(s, *ragged(s, axes=0)))
case.hidden("a single query", lambda s: inputs(s, *qkv(s, (2,), (1, 4, 3, 2))))
case.hidden("a single key gets no gradient", lambda s: inputs(s, *qkv(s, (2,), (3, 1, 2, 4))))
case.hidden("values as long as keys", lambda s: inputs(s, *qkv(s, (2,), (4, 5, 3, 3))))
case.hidden(
    "scores in the thousands stay finite",
    lambda s: inputs(s, *ragged(s, scale=60.0)),
    dtypes=("float64",),
)


MISTAKES = Mistakes(attention_backward)
scaling_mistakes(MISTAKES)
MISTAKES.change("scale-forgotten-on-the-way-back", "row_sum) * scale", "row_sum)").says("""
    You scale on the way forward but not on the way back. The scores were divided by √d_k, so the
    gradients of query and key are too.
""")
MISTAKES.change(
    "scale-forgotten-for-the-key", "(-2, -1) @ query", "(-2, -1) @ query / scale"
).says("""
    The gradient of the key lacks the scale. Divide the gradient of the scores by √d_k once, then
    both products have it.
""")
MISTAKES.change(
    "scale-forgotten-for-the-query", "grad_scores @ key", "grad_scores @ key / scale"
).says("""
    The gradient of the query lacks the scale. Divide the gradient of the scores by √d_k once, then
    both products have it.
""")
MISTAKES.change(
    "scale-on-the-way-back-alone", "key.transpose(-2, -1) * scale", "key.transpose(-2, -1)"
).says("""
    You do not scale on the way forward, so your weights are not those that were used. Divide the
    scores by √d_k before the softmax, and their gradient once more.
""")
MISTAKES.change("scale-turned-round", "row_sum) * scale", "row_sum) / scale").says("""
    You multiply by √d_k on the way back. The scores were divided by it, so their gradient is, too.
""")
MISTAKES.change("scaled-twice", "row_sum) * scale", "row_sum) * scale**2").says("""
    You divide by √d_k twice on the way back. The scale enters each gradient once.
""")
MISTAKES.change("row-sum-forgotten", "(grad_weights - row_sum)", "grad_weights").says("""
    You forget that a softmax couples its row: raising one score lowers the other weights. Take each
    row's sum of weights × grad_weights away before you multiply by the weights.
""")
MISTAKES.change(
    "each-weight-alone", "(grad_weights - row_sum)", "(1 - weights) * grad_weights"
).says("""
    You use w(1 - w), the derivative of a single weight by its own score. The other weights of the
    row change too: use w × (grad - Σ w grad).
""")
MISTAKES.change("row-sum-not-weighted", "(weights * grad_weights).sum", "grad_weights.sum").says("""
    You take away the plain sum of grad_weights. Each term of that sum counts with its weight: Σ w
    grad.
""")
MISTAKES.change("row-mean", ".sum(-1", ".mean(-1").says("""
    You take away the mean. It is the sum over the row, Σ w grad; the weights already sum to one.
""")
MISTAKES.change("column-sum", ".sum(-1", ".sum(-2").says("""
    Your sum runs over the queries. The softmax ran along a row: sum over the last axis.
""")
MISTAKES.change("row-sum-added", "- row_sum", "+ row_sum").says(
    "You add the row's sum. Take it away: w × (grad - Σ w grad)."
)
MISTAKES.change(
    "bracket-slipped", "weights * (grad_weights - row_sum)", "(weights * grad_weights - row_sum)"
).says("""
    A bracket is missing: you take the row's sum away after you multiply by the weights. First take
    it away, then multiply: w × (grad - Σ w grad).
""")
MISTAKES.change(
    "weights-on-the-sum-alone",
    "weights * (grad_weights - row_sum)",
    "(grad_weights - weights * row_sum)",
).says("""
    You multiply the row's sum alone by the weights. Both belong in the bracket: w × (grad - Σ w
    grad).
""")
MISTAKES.change(
    "weights-twice", "weights * (grad_weights -", "weights * (weights * grad_weights -"
).says(
    """
    You multiply grad_weights by the weights twice, before the row's sum is taken away and after it.
    The weights stand once before the bracket, and once in the sum: w × (grad - Σ w grad).
"""
)
sentence = """
    You take a mean where the row's sum is needed. It is Σ output × grad_output over the d_v
    numbers of a query, `.sum(-1, keepdim=True)`, which is the same as Σ w grad over the keys.
"""
MISTAKES.change(
    "mean-over-the-features",
    "(weights * grad_weights).sum",
    "(weights @ value * grad_output).mean",
).says(sentence)
MISTAKES.change("mean-not-weighted", "(weights * grad_weights).sum", "grad_weights.mean").says("""
    You take away the plain mean of grad_weights. It is a sum in which each term counts with its
    weight: Σ w grad.
""")
MISTAKES.change("row-sum-without-its-axis", ", keepdim=True", "").says("""
    The row's sum has lost its axis and lines up with the wrong one. Keep it with `keepdim=True`:
    (..., T, 1).
""")
MISTAKES.change("sum-of-everything", ".sum(-1, keepdim=True)", ".sum()").says("""
    Your sum runs over everything. Each row has its own: sum over the last axis.
""")
MISTAKES.change("weights-forgotten", "weights * (grad_weights -", "(grad_weights -").says("""
    After taking the row's sum away, multiply by the weights: w × (grad - Σ w grad).
""")
MISTAKES.change("softmax-skipped", "weights * (grad_weights - row_sum)", "grad_weights").says("""
    You send the gradient of the weights straight on. The softmax lies between weights and scores
    and has a gradient of its own: w × (grad - Σ w grad).
""")
MISTAKES.change(
    "row-sum-of-the-output", "(weights * grad_weights).sum", "(weights @ value).square().sum"
).says("""
    Your row sum multiplies the output with itself. It is the output times its gradient, summed over
    the row: Σ output × grad_output.
""")
MISTAKES.change(
    "scores-for-weights", "grad_value = weights.", "grad_value = (query @ key.mT * scale)."
).says("""
    The gradient of the values uses the scores. The output is weights @ value, so it is weightsᵀ @
    grad_output.
""")
MISTAKES.change("key-not-transposed", "grad_scores.transpose(-2, -1) @", "grad_scores @").says("""
    For the key, transpose the gradient of the scores: key s collects from every query, grad_scoresᵀ
    @ query.
""")
MISTAKES.change("query-transposed", "grad_scores @ key", "grad_scores.mT @ key").says("""
    For the query, do not transpose the gradient of the scores: grad_scores @ key.
""")
MISTAKES.change("value-not-transposed", "weights.transpose(-2, -1)", "weights").says("""
    For the values, transpose the weights: value s collects from every query, weightsᵀ @
    grad_output.
""")
MISTAKES.change(
    "query-and-key-exchanged",
    "(-2, -1) @ query",
    "(-2, -1) @ key",
    "grad_scores @ key",
    "grad_scores @ query",
).says("""
    The gradient of the query needs the key, and the gradient of the key needs the query.
""")
sentence = """
    Your three gradients are right, but in another order. Return (grad_query, grad_key, grad_value).
"""
ORDERS = {"order": (1, 0, 2), "values-first": (2, 1, 0), "as-computed": (2, 0, 1)}
ORDERS |= {"key-last": (0, 2, 1), "query-last": (1, 2, 0)}
for name, order in ORDERS.items():
    MISTAKES.by(
        name, lambda *args, order=order: tuple(attention_backward(*args)[i] for i in order)
    ).says(sentence)
MISTAKES.by("list", lambda *args: list(attention_backward(*args))).says("""
    You return a list. Return a tuple, (grad_query, grad_key, grad_value).
""")
only_three_axes(MISTAKES)


HINTS = (
    "Write the forward pass as three lines, each with its shape. A gradient has the shape of what "
    "it belongs to: that decides what has to be transposed.",
    "output = weights @ value gives grad_value = weightsᵀ @ grad_output and grad_weights = "
    "grad_output @ valueᵀ. Through the softmax: grad_scores = weights × (grad_weights - the row's "
    "sum of weights × grad_weights).",
    "scores = query @ keyᵀ / √d_k gives grad_query = grad_scores @ key / √d_k and grad_key = "
    "grad_scoresᵀ @ query / √d_k.",
)
BACKWARD = task(
    MISTAKES,
    5,
    case.all,
    HINTS,
    returns=("grad_query", "grad_key", "grad_value"),
    rule=Rule("the rule of this task", by_hand),
)

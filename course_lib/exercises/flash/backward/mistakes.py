"""What goes wrong in `attention_backward`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.attention_mistakes import only_three_axes, scaling_mistakes
from course_lib.exercises.flash.backward.task import attention_backward

MISTAKES = Mistakes(attention_backward, globals())
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
MISTAKES.change(
    "output-for-its-gradient",
    "grad_weights = grad_output @",
    "grad_weights = (weights @ value) @",
).says("""
    The gradient of the weights is made of the output. What comes back is the output's *gradient*:
    grad_output @ valueᵀ.
""")
MISTAKES.by(
    "gradient-of-the-output-left-out",
    lambda query, key, value, grad_output: (
        *attention_backward(query, key, value, grad_output)[:2],
        attention_backward(query, key, value, torch.ones_like(grad_output))[2],
    ),
).says("""
    Your gradient of the values holds the sums of the weights, as if grad_output were 1 everywhere.
    It is weightsᵀ @ grad_output.
""")
MISTAKES.change(
    "softmax-and-sum-over-queries", "dim=-1)", "dim=-2)", ".sum(-1,", ".sum(-2,"
).says("""
    Your softmax and its row sum run over the queries. The weights of one query sum to one over the
    keys: take the last axis in both.
""")
SCORES = "(query @ key.transpose(-2, -1) * scale)"
MISTAKES.change(
    "scores-in-both-products",
    "(weights * grad_weights)",
    f"({SCORES} * grad_weights)",
    "grad_scores = weights",
    f"grad_scores = {SCORES}",
).says("""
    You take the scores where the weights belong. The softmax hands on A · (dA − the row's sum of
    A · dA), with the weights A.
""")
MISTAKES.change("keys-for-queries", "(-2, -1) @ query", "(-2, -1) @ key").says("""
    Your gradient of the keys is multiplied by the keys. It is grad_scoresᵀ @ query.
""")
MISTAKES.change("queries-for-keys", "grad_scores @ key", "grad_scores @ query").says("""
    Your gradient of the queries is multiplied by the queries. It is grad_scores @ key.
""")
MISTAKES.change(
    "output-for-values",
    "grad_output @ value.transpose(-2, -1)",
    "grad_output @ (weights @ value).transpose(-2, -1)",
).says("""
    Your gradient of the weights is multiplied by the output. It is grad_output @ valueᵀ.
""")

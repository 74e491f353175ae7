"""What goes wrong in `softmax_backward`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.backward.task import softmax_backward
from course_lib.exercises.softmax.plain.task import softmax

# What stands in the place of w · (g - Σ w·g): w and g are arrays, Σ sums a row.
SUMS = {
    "Σ w·g": lambda w, g: (w * g).sum(-1, keepdims=True),
    "Σ g": lambda w, g: g.sum(-1, keepdims=True),
    "the mean of w·g": lambda w, g: (w * g).mean(-1, keepdims=True),
    "the mean of g": lambda w, g: g.mean(-1, keepdims=True),
    "Σ w²": lambda w, g: (w * w).sum(-1, keepdims=True),
    "Σ w²·g": lambda w, g: (w * w * g).sum(-1, keepdims=True),
    "the largest w·g": lambda w, g: (w * g).max(-1, keepdims=True),
    "1": lambda w, g: np.ones_like(w),
    "w": lambda w, g: w,
    "g": lambda w, g: g,
    "w·g": lambda w, g: w * g,
}
FORMULAS = {
    "w·(g − {})": lambda w, g, x: w * (g - x),
    "w·(g + {})": lambda w, g, x: w * (g + x),
    "w·g − {}": lambda w, g, x: w * g - x,
    "w·g + {}": lambda w, g, x: w * g + x,
    "g − {}": lambda w, g, x: g - x,
    "g·(1 − {})": lambda w, g, x: g * (1 - x),
    "w·g·(1 − {})": lambda w, g, x: w * g * (1 - x),
    "w·g − w²·{}": lambda w, g, x: w * g - w * w * x,
    "w·(1 − w)·{}": lambda w, g, x: w * (1 - w) * x,
    "w·{}": lambda w, g, x: w * x,
    "w·(1 − w)·(g − {})": lambda w, g, x: w * (1 - w) * (g - x),
}

MISTAKES = Mistakes(softmax_backward, globals())
MISTAKES.change("diagonal-only", "(grad_weights - mean)", "(1 - weights) * grad_weights").says("""
    You use w(1 − w), the derivative of a weight by its own score. Each score moves all weights of
    its row: subtract Σ w·g, not w·g, from g.
""")
MISTAKES.change("diagonal-missing", "(grad_weights - mean)", "-mean").says("""
    You have −w·Σ w·g, the part of the other weights. The part of the weight itself, w·g, is
    missing.
""")
MISTAKES.change("mean-not-subtracted", "(grad_weights - mean)", "grad_weights").says("""
    You have w·g, as if the weights did not have to sum to one. Subtract Σ w·g of the row from g
    first.
""")
MISTAKES.change("factor-missing", "weights * (", "(").says("""
    You subtract Σ w·g, but the difference still has to be multiplied by the weights.
""")
MISTAKES.change(
    "weights-on-one-part", "weights * (grad_weights - mean)", "weights * grad_weights - mean"
).says("""
    You subtract Σ w·g from w·g. Subtract it from g, and multiply the difference by the weights.
""")
MISTAKES.change("plain-mean", "(weights * grad_weights).sum", "grad_weights.mean").says("""
    You subtract the plain mean of the gradient. It must be the mean under the weights, Σ w·g.
""")
MISTAKES.change("sum-of-gradients", "(weights * grad_weights)", "grad_weights").says("""
    You subtract the plain sum of the gradient. Weigh each entry first: Σ w·g.
""")
MISTAKES.change("sign", "return weights", "return -weights").says("""
    The sign is wrong: a score whose weight should grow (large g) needs a positive gradient. It is g
    minus Σ w·g.
""")
MISTAKES.change("whole-array", "sum(axis=-1, keepdims=True)", "sum()").says("""
    You sum w·g over the whole array. Each row is its own softmax: sum along the last axis only.
""")
MISTAKES.change("first-axis", "axis=-1", "axis=0").says("""
    You sum along the first axis. The weights of one softmax lie along the last axis.
""")
MISTAKES.by("zero", lambda w, g: 0 * w).says("""
    Your result is zero everywhere. Perhaps the gradient stands at the index that is not summed: in
    Σ_i g_i·∂α_i/∂e_j it has the index of the sum.
""")


def _grid():
    """Each formula with each sum, but for those that are equal to another, and the right one."""
    w, g = np.array([[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]]), np.array([[1.0, -2, 3], [0.5, 4, -1]])
    before = [one.answer(w, g) for one in MISTAKES.all]
    before.append(softmax_backward(w, g))
    for form, formula in FORMULAS.items():
        for words, part in SUMS.items():
            result = formula(w, g, part(w, g))
            if not any(np.allclose(result, one) for one in before):
                before.append(result)
                yield form.format(words), lambda w, g, f=formula, x=part: f(w, g, x(w, g))


for written, wrong in _grid():
    MISTAKES.by(f"formula-{written}", wrong).says(f"""
        You compute {written}, or what is equal to it. Every score moves all weights of its row: it
        is w·(g − Σ w·g), with one sum for each row.
    """)
MISTAKES.change("no-keepdims", ", keepdims=True", "").says("""
    The sum drops its axis and no longer lines up with the rows. Keep it with `keepdims=True`.
""")
MISTAKES.by("softmax-again", lambda w, g: softmax_backward(softmax(w), g)).says("""
    The weights have been through a softmax already; you take another of them.
""")
MISTAKES.by("one-row-alone", lambda w, g: (np.diag(w) - np.outer(w, w)) @ g).says("""
    Your Jacobian is that of one row, and there may be any number of rows. Simplify the sum: then no
    matrix is needed.
""")

MISTAKES.by(
    "jacobian-alone",
    lambda w, g: w[..., :, None] * (np.eye(w.shape[-1], dtype=w.dtype) - w[..., None, :]),
).says("""
    You return the Jacobian. Multiply it by the gradient, Σ_i g_i·∂α_i/∂e_j: one number for each
    score.
""")
MISTAKES.by(
    "last-term-alone",
    lambda w, g: g[..., -1:] * w[..., -1:] * (np.eye(w.shape[-1], dtype=w.dtype)[-1] - w),
).says("""
    Only the last term of the sum is left: your loop assigns with `=` where it must add with `+=`.
""")
MISTAKES.by("all-squeezed", lambda w, g: softmax_backward(w, g).squeeze()).says("""
    `squeeze()` takes away every axis of length one, also that of a single row. The result has the
    shape of the weights: leave it out.
""")
MISTAKES.by("batch-summed", lambda w, g: w * (g - np.einsum("...i,...i->", w, g))).says("""
    `"...i,...i->"` leaves the other axes out of the result, so it fails, or sums the batch. Keep
    them: `"...i,...i->..."`, and then a last axis of length one, `[..., None]`.
""")
MISTAKES.by("matrix-product", lambda w, g: w * (g - w @ g)).says("""
    `@` makes a matrix product: for a single row it does what you want, for many rows it brings
    different ones together. Take `(w * g).sum(axis=-1, keepdims=True)`: any number of rows.
""")
MISTAKES.by("product-of-numpy", lambda w, g: w * (g - np.dot(w, g))).says("""
    `np.dot` of two rows is the sum of w·g; of two matrices it is a matrix product. Take
    `(w * g).sum(axis=-1, keepdims=True)`, which works for any number of rows.
""")
MISTAKES.by("product-with-transposed", lambda w, g: w * (g - w @ g.T)).says("""
    `w @ g.T` brings each row of w together with every row of g. Each row meets its own alone:
    `(w * g).sum(axis=-1, keepdims=True)`.
""")


@MISTAKES.says("""
    Your loop takes each entry of the first axis for a row. A single row has numbers there, and more
    axes have matrices. Sum along `axis=-1`; no loop is needed.
""")
def loop_over_the_first_axis(weights, grad_weights):
    out = np.zeros_like(weights)
    for i in range(len(weights)):
        w, g = weights[i], grad_weights[i]
        out[i] = w * (g - w @ g)
    return out


@MISTAKES.says("""
    `n, m = weights.shape` wants exactly two axes. There may be any number: sum along `axis=-1`.
""")
def two_axes_alone(weights, grad_weights):
    _n, _m = weights.shape
    return softmax_backward(weights, grad_weights)


always_float64(MISTAKES)
changes_input(MISTAKES, "weights", "grad_weights")
MISTAKES.change(
    "cross-entropy", "weights * (grad_weights - mean)", "weights - grad_weights"
).says("""
    You subtract as in the gradient of cross-entropy, weights − target. Here `grad_weights` is any
    gradient that comes from above: use α_j · (g_j − ḡ).
""")

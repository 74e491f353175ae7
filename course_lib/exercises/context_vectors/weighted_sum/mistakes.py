"""What goes wrong in `context_vector`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input, summed_wrongly
from course_lib.exercises.context_vectors.weighted_sum.task import context_vector
from course_lib.exercises.softmax.plain.task import softmax

MISTAKES = Mistakes(context_vector, globals())
MISTAKES.by(
    "renormalised", lambda w, v: context_vector(w / w.sum(axis=-1, keepdims=True), v)
).says("""
    You divide the weights by their sum: a row of zeros becomes nan. Use the weights as they come.
""")
MISTAKES.by("softmax-again", lambda w, v: context_vector(softmax(w), v)).says("""
    You put the weights through a softmax, but they are weights already. Use them as they come.
""")
MISTAKES.by("weights-ignored", lambda w, v: v.mean(axis=1)).says("""
    You average the values and leave the weights out. Multiply each value by its weight.
""")
MISTAKES.by("plain-sum", lambda w, v: v.sum(axis=1)).says("""
    You add the values up and leave the weights out. Multiply each value by its weight.
""")
MISTAKES.by("largest-only", lambda w, v: v[np.arange(len(v)), w.argmax(axis=-1)]).says("""
    You pick the value with the largest weight. A context vector blends all values: sum them, each
    times its weight.
""")
MISTAKES.by("first-weights", lambda w, v: np.einsum("s,bsd->bd", w[0], v)).says("""
    You use the weights of the first sentence for the whole batch. Weights b go with values b.
""")
MISTAKES.by("first-values", lambda w, v: w @ v[0]).says("""
    You use the values of the first sentence for the whole batch. Weights b go with values b.
""")
MISTAKES.by("extra-axis", lambda w, v: w[:, None] @ v).says("""
    An axis of length one is left over. The result has shape (B, d_v): take it away with `[:, 0]` or
    `squeeze(1)`.
""")
MISTAKES.by("all-squeezed", lambda w, v: context_vector(w, v).squeeze()).says("""
    `squeeze()` drops every axis of length one, also that of a single sentence. Name the axis:
    `squeeze(1)`.
""")
MISTAKES.by("no-new-axis", lambda w, v: (w * v).sum(axis=1)).says("""
    `weights * values` does not line up: weights has no axis for the features. Give it one with
    `weights[:, :, None]`.
""")
MISTAKES.by("every-pair", lambda w, v: w @ v).says("""
    You combine the weights of each sentence with the values of every sentence. Weights b go with
    values b only: shape (B, d_v).
""")
summed_wrongly(MISTAKES, lambda w, v: w[..., None] * v, 1, ("sentences", "positions", "features"))
PRODUCTS = {
    "values @ weights": lambda w, v: v @ w,
    "values.T @ weights": lambda w, v: v.T @ w,
    "weights.T @ values": lambda w, v: w.T @ v,
    "weights @ values.T": lambda w, v: w @ v.T,
    "values.T @ weights.T": lambda w, v: v.T @ w.T,
    "weights * values.T": lambda w, v: w * v.T,
    "weights.T * values": lambda w, v: w.T * v,
    "np.dot(values, weights)": lambda w, v: np.dot(v, w),
    "np.dot(weights.T, values)": lambda w, v: np.dot(w.T, v),
    "np.tensordot(weights, values, 1)": lambda w, v: np.tensordot(w, v, 1),
    "weights[:, None, :] * values": lambda w, v: (w[:, None] * v).sum(1),
    "weights[None] * values": lambda w, v: (w[None] * v).sum(1),
    "weights[:, None] @ values.swapaxes(1, 2)": lambda w, v: (w[:, None] @ v.swapaxes(1, 2))[:, 0],
    "weights[..., None] @ values": lambda w, v: w[..., None] @ v,
    "values @ weights[..., None]": lambda w, v: (v @ w[..., None])[..., 0],
    "np.outer(weights, values)": np.outer,
    "np.inner(weights, values)": np.inner,
}
for written, product in PRODUCTS.items():
    MISTAKES.by(f"product-{written}", product).says(f"""
        `{written}`, or what does the same, does not pair each weight with its own value. Give the
        weights an axis for the features, multiply, and sum over the positions:
        `(weights[:, :, None] * values).sum(axis=1)`.
    """)
for written, product in {
    "values.reshape(B, d_v, S)": lambda w, v: (v.reshape(len(v), -1, v.shape[1]) @ w[..., None])[
        ..., 0
    ],
    "values.reshape(S, B, d_v)": lambda w, v: np.einsum(
        "bs,sbd->bd", w, v.reshape(v.shape[1], -1, v.shape[2])
    ),
    "weights.reshape(S, B)": lambda w, v: np.einsum("sb,bsd->bd", w.reshape(w.shape[::-1]), v),
}.items():
    MISTAKES.by(f"reshaped-{written}", product).says(f"""
        `{written}` cuts the numbers into new rows in the order in which they are stored; it does
        not swap axes. `swapaxes` and `transpose` do; and here none has to be swapped.
    """)
MISTAKES.by("values-of-all", lambda w, v: np.einsum("bs,csd->bd", w, v)).says("""
    You add up the values of all sentences. In `einsum` the batch needs one letter for both:
    `"bs,bsd->bd"`.
""")
MISTAKES.by("weights-of-all", lambda w, v: np.einsum("bs,csd->cd", w, v)).says("""
    You add up the weights of all sentences. In `einsum` the batch needs one letter for both:
    `"bs,bsd->bd"`.
""")
MISTAKES.by("weights-summed-first", lambda w, v: w.sum(-1, keepdims=True) * v.sum(1)).says("""
    You add up the weights and the values apart. Multiply each value by its own weight first, and
    then add up.
""")
MISTAKES.by(
    "total-not-set-back", lambda w, v: context_vector(w, v).cumsum(0).astype(v.dtype)
).says("""
    Your sum goes on from one sentence to the next. Set it back to zero at the beginning of each.
""")
MISTAKES.by(
    "kept-at-every-step", lambda w, v: (w[..., None] * v).cumsum(1).reshape(-1, v.shape[-1])
).says("""
    You keep the sum after every word. Keep it once for each sentence: your `append` stands one loop
    too deep.
""")
MISTAKES.by("added", lambda w, v: (w[..., None] + v).sum(1)).says("""
    You add the weight to the value. Multiply each value by its weight, and then add up.
""")
MISTAKES.by("largest-of-weighted", lambda w, v: (w[..., None] * v).max(1)).says("""
    You take the largest of the weighted values. A context vector is their sum.
""")
MISTAKES.by(
    "np-average",
    lambda w, v: np.stack([np.average(x, axis=0, weights=y) for x, y in zip(v, w, strict=True)]),
).says("""
    `np.average` divides by the sum of the weights, which may be zero, or not one. Use the weights
    as they come: multiply and sum.
""")
MISTAKES.by(
    "sum-guarded",
    lambda w, v: context_vector(
        w / np.where((t := w.sum(-1, keepdims=True)) == 0, t.dtype.type(1), t), v
    ),
).says("""
    You divide by the sum of the weights. Use the weights as they come: they need not sum to one.
""")
MISTAKES.by("last-position-alone", lambda w, v: w[:, -1:] * v[:, -1]).says("""
    You have the last position alone: each round of the loop overwrites the one before. Begin with
    zeros and add with `+=`.
""")
MISTAKES.by("first-position-alone", lambda w, v: w[:, :1] * v[:, 0]).says("""
    You have the first position alone. Does `return` stand inside the loop? Add all of them up.
""")
MISTAKES.by(
    "first-value-counted-whole", lambda w, v: context_vector(w, v) + (1 - w[:, :1]) * v[:, 0]
).says("""
    You begin the sum with the first value, which has no weight then. Begin with zeros.
""")
MISTAKES.by("batch-as-positions", lambda w, v: np.einsum("bs,sbd->bd", w, v)).says("""
    You take the first axis of `values` for the positions. It is the batch: positions are axis 1.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "weights", "values")

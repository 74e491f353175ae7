"""What goes wrong in `decoder_output`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.plain import mistakes as plain
from course_lib.exercises.worked_translation.decoder.task import decoder_output


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


MISTAKES = Mistakes(decoder_output, globals())
MISTAKES.change("state-first", "[context, state]", "[state, context]").says("""
    You join [state; context]. The columns of W_c expect the context first: [context; state].
""")
MISTAKES.change(
    "tanh-apart",
    "np.tanh(np.concatenate([context, state], axis=-1) @ W_c.T)",
    "np.tanh(context @ W_c[:, : (n := context.shape[1])].T) + np.tanh(state @ W_c[:, n:].T)",
).says("""
    You take tanh of two halves and add. Add first: one tanh of all of W_c [c; s].
""")
MISTAKES.change("no-tanh", "np.tanh(", "(").says("""
    The tanh between the two matrices is missing: s̃ = tanh(W_c [c; s]).
""")
MISTAKES.change("relu", "np.tanh(", "np.maximum(0, ").says("""
    You use a ReLU between the two matrices. The formula has tanh.
""")
MISTAKES.change("sigmoid", "np.tanh(", "_sigmoid(").says("""
    You use a sigmoid between the two matrices. The formula has tanh.
""")
MISTAKES.change("sigmoid-for-softmax", "plain.softmax(logits)", "_sigmoid(logits)").says("""
    You put each logit through a sigmoid on its own, so the results do not sum to one. Words compete
    for one probability: use the softmax.
""")
MISTAKES.change("logits", "plain.softmax(logits)", "logits").says("""
    You return the logits. They still need the softmax: the result is probabilities.
""")
MISTAKES.change(
    "log-probabilities", "plain.softmax(logits)", "np.log(plain.softmax(logits))"
).says("""
    You return the logarithms of the probabilities. Return the probabilities themselves.
""")
MISTAKES.change("no-bias", " + b_o", "").says("""
    The bias b_o is missing. Add it to the logits, before the softmax.
""")
MISTAKES.change(
    "bias-after", " + b_o", "", "plain.softmax(logits)", "plain.softmax(logits) + b_o"
).says("""
    You add the bias after the softmax, so the result no longer sums to one. Add it to the logits.
""")
MISTAKES.change(
    "softmax-over-batch", "plain.softmax(logits)", "plain.softmax(logits, axis=0)"
).says("""
    You normalise over the batch. Each sentence has its own probabilities: take the softmax along
    the last axis.
""")
MISTAKES.change(
    "softmax-over-everything",
    "plain.softmax(logits)",
    "plain.softmax(logits.reshape(-1)).reshape(logits.shape)",
).says("""
    All probabilities of the batch together sum to one. Each sentence needs its own sum: use axis=-1
    and keepdims=True.
""")
MISTAKES.change(
    "no-maximum", "plain.softmax(logits)", "plain.MISTAKES['no-maximum'](logits)"
).says("""
    exp overflows for large logits. Use a softmax that subtracts the largest logit first.
""")
MISTAKES.change(
    "maximum-of-all", "plain.softmax(logits)", "plain.MISTAKES['maximum-of-all'](logits)"
).says("""
    You subtract the largest logit of the whole batch. For a sentence far below it every exponential
    is 0, and 0/0 is nan. Take the largest of each row.
""")
MISTAKES.change("context-ignored", "[context,", "[0 * context,").says("""
    The context changes nothing here, so this decoder has no attention. Join it with the state.
""")
MISTAKES.change("state-ignored", ", state]", ", 0 * state]").says("""
    The decoder state changes nothing here. Join it with the context.
""")
MISTAKES.change("not-transposed", "W_c.T", "W_c", "W_o.T", "W_o").says("""
    W_c is (a, d_c + d_s) and W_o is (V, a): for rows of a batch multiply by W_c.T and W_o.T.
""")
MISTAKES.change("joined-along-batch", ", axis=-1", "").says("""
    np.concatenate joins along the first axis by itself, the batch. Join the features: axis=-1.
""")
MISTAKES.change(
    "tanh-of-logits", "plain.softmax(logits)", "plain.softmax(np.tanh(logits))"
).says("""
    You put the logits through a tanh as well. tanh belongs between the two matrices only.
""")
MISTAKES.change("most-likely-word", "plain.softmax(logits)", "logits.argmax(axis=-1)").says("""
    You return the most likely word. Return the probability of every word, (B, V).
""")

JOINED = "np.concatenate([context, state], axis=-1)"
HIDDEN = f"np.tanh({JOINED} @ W_c.T)"
SOFTMAX = "plain.softmax(logits)"
MISTAKES.change("tanh-of-the-joined", HIDDEN, f"np.tanh({JOINED}) @ W_c.T").says("""
    You take tanh before W_c. Multiply by W_c first: s̃ = tanh(W_c [c; s]).
""")
MISTAKES.change("tanh-twice", HIDDEN, f"np.tanh({HIDDEN})").says("""
    You take tanh twice before W_o. Once is enough: s̃ = tanh(W_c [c; s]).
""")
MISTAKES.change("tanh-before-and-after", HIDDEN, f"np.tanh(np.tanh({JOINED}) @ W_c.T)").says("""
    You take tanh of [c; s] as well. Join them as they are: s̃ = tanh(W_c [c; s]).
""")
MISTAKES.change(
    "tanh-of-the-logits", "np.tanh(", "(", SOFTMAX, "plain.softmax(np.tanh(logits))"
).says("""
    You take tanh of the logits. It stands between the two matrices: s̃ = tanh(W_c [c; s]).
""")
MISTAKES.change(
    "cut-at-the-state",
    HIDDEN,
    "np.tanh(context @ W_c[:, : state.shape[1]].T + state @ W_c[:, state.shape[1] :].T)",
).says("""
    You cut W_c after d_s columns. The context comes first in [c; s], so its first
    `context.shape[1]` columns belong to the context.
""")
MISTAKES.change("softmax-for-tanh", "np.tanh(", "plain.softmax(").says("""
    You take a softmax between the two matrices. The formula has tanh; the softmax comes at the end.
""")
MISTAKES.change("exp-for-tanh", "np.tanh(", "np.exp(").says("""
    You take exp between the two matrices. The formula has tanh; exp belongs to the softmax.
""")
MISTAKES.change("sine-for-tanh", "np.tanh(", "np.sin(").says("""
    You take a sine between the two matrices. The formula has tanh: `np.tanh`.
""")
MISTAKES.change("tangent", "np.tanh(", "np.tan(").says("""
    `np.tan` is the tangent. The formula has the hyperbolic one, `np.tanh`.
""")
for written, joined in {
    "W_c @ np.concatenate([context, state], axis=1)": f"np.tanh(W_c @ {JOINED})",
    "W_c @ np.append(context, state)": "np.tanh(W_c @ np.append(context, state))",
    "np.append(context, state) @ W_c.T": "np.tanh(np.append(context, state) @ W_c.T)",
    "np.concatenate([context, state]) @ W_c": "np.tanh(np.concatenate([context, state]) @ W_c)",
    "(context + state) @ W_c.T": "np.tanh((context + state) @ W_c.T)",
    "np.stack([context, state])": "np.tanh(np.stack([context, state]) @ W_c.T)",
    "context @ W_c.T": "np.tanh(context @ W_c.T)",
    "state @ W_c.T": "np.tanh(state @ W_c.T)",
    "W_c @ context": "np.tanh(W_c @ context)",
    "W_c @ context.T": "np.tanh(W_c @ context.T)",
    "W_c @ np.concatenate([context, state])": "np.tanh(W_c @ np.concatenate([context, state]))",
    "np.dot(W_c, [c; s])": f"np.tanh(np.dot(W_c, {JOINED}))",
    "np.dot([c; s], W_c)": f"np.tanh(np.dot({JOINED}, W_c))",
    "W_c * [c; s]": f"np.tanh(W_c * {JOINED})",
    "W_c.T @ [c; s]": f"np.tanh(W_c.T @ {JOINED})",
    "[c; s] @ W_c": f"np.tanh({JOINED} @ W_c)",
}.items():
    MISTAKES.change(f"product-{written}", HIDDEN, joined).says(f"""
        `{written}`, or what does the same, does not fit. Join the features of each row,
        `np.concatenate([context, state], axis=-1)`, which is (B, d_c + d_s); and a batch of rows
        is multiplied from the left, `… @ W_c.T`.
    """)
for written, product in {
    "… @ W_o": "hidden @ W_o",
    "W_o @ …": "W_o @ hidden",
    "W_o.T @ …": "W_o.T @ hidden",
    "np.dot(W_o, …)": "np.dot(W_o, hidden)",
    "W_o @ ….T, then the bias": "W_o @ hidden.T",
}.items():
    MISTAKES.change(f"product-{written}", "hidden @ W_o.T", product).says(f"""
        `{written}`, or what does the same, does not fit: s̃ is (B, a), W_o is (V, a), and the
        logits are (B, V). A batch of rows is multiplied from the left, `… @ W_o.T`, and the bias is
        added.
    """)
RESHAPED = "W_{0}.reshape(W_{0}.shape[::-1])"
for name, words in (
    ("both", ("W_c.T", RESHAPED.format("c"), "W_o.T", RESHAPED.format("o"))),
    ("W_c", ("W_c.T", RESHAPED.format("c"))),
    ("W_o", ("W_o.T", RESHAPED.format("o"))),
):
    MISTAKES.change(f"reshaped-{name}", *words).says("""
        `reshape` cuts a matrix into new rows in the order in which it is stored; it does not swap
        rows and columns. `.T` does: `W_c.T` and `W_o.T`.
    """)
MISTAKES.change("bias-inside", HIDDEN, f"np.tanh({JOINED} @ W_c.T + b_o)").says("""
    You add b_o to W_c [c; s], where it does not fit. It belongs to the logits: W_o s̃ + b_o.
""")
MISTAKES.change("bias-subtracted", "+ b_o", "- b_o").says("""
    You subtract the bias. The logits are W_o s̃ + b_o.
""")
MISTAKES.change("bias-times", "+ b_o", "* b_o").says("""
    You multiply by the bias. The logits are W_o s̃ + b_o.
""")
MISTAKES.change("bias-twice", "+ b_o", "+ 2 * b_o").says("""
    You add the bias twice. The logits are W_o s̃ + b_o.
""")
MISTAKES.change("bias-in-columns", "+ b_o", "+ b_o[:, None]").says("""
    `b_o[:, None]` is a column, and the logits have the words in their columns: add `b_o` as it is,
    or exchange rows and columns at the end.
""")
MISTAKES.change(
    "bias-in-place", "hidden @ W_o.T + b_o", "np.add(b_o, hidden @ W_o.T, out=b_o)"
).says("""
    `b_o += …` writes into b_o, which has one row and belongs to the caller. Write
    `logits = … + b_o`, which makes a new array.
""")
for name in ("no-keepdims", "sum-over-everything"):
    (said,) = (one.sentence for one in plain.MISTAKES.all if one.name == name)
    MISTAKES.change(name, SOFTMAX, f"plain.MISTAKES[{name!r}](logits)").says(said)
MISTAKES.change(
    "sum-over-batch", SOFTMAX, "plain.MISTAKES['sum-along-0-maximum-axis'](logits)"
).says("""
    You divide by sums over the batch. (Python's own `sum` adds along the first axis.) Each sentence
    has a sum of its own: `sum(axis=-1, keepdims=True)`.
""")
for name, words in (
    ("mean-subtracted", "the mean"),
    ("minimum", "the smallest logit"),
    ("absolute-maximum", "the largest size of a logit"),
):
    MISTAKES.change(name, SOFTMAX, f"plain.MISTAKES[{name!r}](logits)").says(f"""
        You subtract {words} of each row, so exp may overflow, or a whole row become 0. Subtract the
        largest logit.
    """)
MISTAKES.change(
    "first-logit",
    SOFTMAX,
    "(e := np.exp(logits - logits[:, :1])) / e.sum(axis=-1, keepdims=True)",
).says("""
    You subtract the first logit of each row, whether it is the largest or not, so exp may overflow.
    Subtract the largest logit.
""")
MISTAKES.change("not-divided", SOFTMAX, "plain.MISTAKES['not-divided'](logits)").says("""
    These are exponentials: a row of them does not sum to one. Divide them by the sum of the row.
""")
MISTAKES.change("no-exponential", SOFTMAX, "logits / logits.sum(axis=-1, keepdims=True)").says("""
    You divide the logits by their sum, which gives negative probabilities. Take exp first.
""")
MISTAKES.change("softmax-twice", SOFTMAX, "plain.softmax(plain.softmax(logits))").says("""
    You take the softmax twice. Once is enough.
""")
MISTAKES.change("clipped", SOFTMAX, "plain.MISTAKES['clipped'](logits)").says("""
    You clip the logits before exp, so all that lie beyond the bound get the same probability.
    Subtract the largest of each row instead: that changes no probability.
""")
MISTAKES.change("one-hot", SOFTMAX, "plain.MISTAKES['one-hot'](logits)").says("""
    You give the likeliest word probability 1. Every word has its own: take the softmax.
""")
MISTAKES.change("negated", SOFTMAX, "plain.softmax(-logits)").says("""
    The word with the largest logit gets the smallest probability: a sign is the wrong way round.
""")
MISTAKES.change("scaled", SOFTMAX, "plain.softmax(logits / float(W_o.shape[1]) ** 0.5)").says("""
    You divide the logits by the square root of a. Here nothing is scaled.
""")
MISTAKES.change("s-tilde", "return plain.softmax(logits)", "return hidden").says("""
    You return s̃. Two steps are left: the logits, W_o s̃ + b_o, and their softmax.
""")
MISTAKES.change(
    "softmax-of-s-tilde",
    "return plain.softmax(logits)",
    "return plain.softmax(hidden) @ W_o.T + b_o",
).says("""
    You take the softmax before W_o. It comes last: p = softmax(W_o s̃ + b_o).
""")
MISTAKES.by(
    "first-sentence-alone", lambda *args: decoder_output(args[0][:1], args[1][:1], *args[2:])[0]
).says("""
    You compute the first sentence alone, `context[0]`. All rows of the batch go through together.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "context", "state")

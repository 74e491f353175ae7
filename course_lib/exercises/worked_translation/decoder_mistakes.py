"""What goes wrong in `decoder_output`, with what a student is told."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.softmax import plain


def decoder_output(context, state, W_c, W_o, b_o):
    """The context says what the source holds, and the state what has been said so far; a layer with
    tanh mixes the two, and a matrix turns the mixture into one number for each word of the
    vocabulary. A paper writes W x for a single column; a batch has its vectors in rows, so it
    becomes `x @ W.T`. A softmax along the words makes probabilities of the numbers.

    Cost: B·a·(d_c + d_s) + B·V·a multiplications; with tens of thousands of words the second term
    is nearly all of it."""
    hidden = np.tanh(np.concatenate([context, state], axis=-1) @ W_c.T)  # (B, a)
    logits = hidden @ W_o.T + b_o
    return plain.softmax(logits)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


MISTAKES = Mistakes(decoder_output)
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

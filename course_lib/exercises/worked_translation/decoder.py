"""Task `decoder_output`: from context and state to a probability for each word."""

import numpy as np

from course_lib.exercises.common import NUMPY, always_float64, changes_input, stored
from course_lib.exercises.softmax.plain import softmax
from course_lib.grading.tasks import Cases, Sampler, task


def attentional_state(context, state, W_c):
    return np.tanh(np.concatenate([context, state], axis=-1) @ W_c.T)


def logits(context, state, W_c, W_o, b_o):
    return attentional_state(context, state, W_c) @ W_o.T + b_o


def decoder_output(context, state, W_c, W_o, b_o):
    """The context says what the source holds, and the state what has been said so far; a layer with
    tanh mixes the two, and a matrix turns the mixture into one number for each word of the
    vocabulary. A paper writes W x for a single column; a batch has its vectors in rows, so it
    becomes `x @ W.T`. A softmax along the words makes probabilities of the numbers.

    Cost: B·a·(d_c + d_s) + B·V·a multiplications; with tens of thousands of words the second term
    is nearly all of it."""
    return softmax(logits(context, state, W_c, W_o, b_o))


def draw(s: Sampler, b: int, d_c: int, d_s: int, a: int, v: int) -> tuple:
    maps = s.floats(a, d_c + d_s), s.floats(v, a), s.floats(v)
    return s.floats(b, d_c), s.floats(b, d_s), *maps


case = Cases()
case("a probability for each word of the vocabulary", lambda s: draw(s, *s.dims(5)))
case("a batch of one", lambda s: draw(s, 1, *s.dims(4)))


@case("inputs that drive tanh to its limits")
def saturated(s):
    context, state, W_c, W_o, b_o = draw(s, *s.dims(5))
    return 5 * context, 5 * state, W_c, W_o, b_o


@case("large logits")
def high_bias(s):
    *rest, b_o = draw(s, *s.dims(5))
    return *rest, b_o + (900 if s.dtype == np.float64 else 120)


case.hidden("all axes equally long", lambda s: draw(s, *[s.size + 1] * 5))
# The vocabulary is one word: it is certain.
case.hidden("a vocabulary of one word", lambda s: draw(s, *s.dims(4), 1))
case.hidden(
    "matrices stored in another order",
    lambda s: stored(draw(s, *s.dims(5)), None, None, (0, 1), (0, 1), None),
)


def _squashed_by(squash, context, state, W_c, W_o, b_o):
    joined = np.concatenate([context, state], axis=-1)
    return softmax(squash(joined @ W_c.T) @ W_o.T + b_o)


def _half_used(which, context, state, W_c, W_o, b_o):
    halves = [context, state]
    halves[which] = np.zeros_like(halves[which])
    return decoder_output(*halves, W_c, W_o, b_o)


class Mistakes:
    def state_first(context, state, W_c, W_o, b_o):
        """You join [state; context]. The columns of W_c expect the context first: [context;
        state]."""
        joined = np.concatenate([state, context], axis=-1)
        return softmax(np.tanh(joined @ W_c.T) @ W_o.T + b_o)

    def no_tanh(*args):
        """The tanh between the two matrices is missing: s̃ = tanh(W_c [c; s])."""
        return _squashed_by(lambda x: x, *args)

    def relu(*args):
        """You use a ReLU between the two matrices. The formula has tanh."""
        return _squashed_by(lambda x: np.maximum(x, 0), *args)

    def sigmoid(*args):
        """You use a sigmoid between the two matrices. The formula has tanh."""
        return _squashed_by(lambda x: 1 / (1 + np.exp(-x)), *args)

    def sigmoid_for_softmax(*args):
        """You put each logit through a sigmoid on its own, so the results do not sum to one. Words
        compete for one probability: use the softmax."""
        return 1 / (1 + np.exp(-logits(*args)))

    def logits(*args):
        """You return the logits. They still need the softmax: the result is probabilities."""
        return logits(*args)

    def log_probabilities(*args):
        """You return the logarithms of the probabilities. Return the probabilities themselves."""
        return np.log(decoder_output(*args))

    def no_bias(c, s, W_c, W_o, b_o):
        """The bias b_o is missing. Add it to the logits, before the softmax."""
        return decoder_output(c, s, W_c, W_o, 0 * b_o)

    def bias_after(c, s, W_c, W_o, b_o):
        """You add the bias after the softmax, so the result no longer sums to one. Add it to the
        logits."""
        return decoder_output(c, s, W_c, W_o, 0 * b_o) + b_o

    def softmax_over_batch(*args):
        """You normalise over the batch. Each sentence has its own probabilities: take the softmax
        along the last axis."""
        return softmax(logits(*args), axis=0)

    def softmax_over_everything(*args):
        """All probabilities of the batch together sum to one. Each sentence needs its own sum: use
        axis=-1 and keepdims=True."""
        return softmax(logits(*args).reshape(-1)).reshape(len(args[0]), -1)

    def no_maximum(*args):
        """exp overflows for large logits. Use a softmax that subtracts the largest logit first."""
        exps = np.exp(logits(*args))
        return exps / exps.sum(axis=-1, keepdims=True)

    def context_ignored(*args):
        """The context changes nothing here, so this decoder has no attention. Join it with the
        state."""
        return _half_used(0, *args)

    def state_ignored(*args):
        """The decoder state changes nothing here. Join it with the context."""
        return _half_used(1, *args)

    def not_transposed(context, state, W_c, W_o, b_o):
        """W_c is (a, d_c + d_s) and W_o is (V, a): for rows of a batch multiply by W_c.T and
        W_o.T."""
        return softmax(np.tanh(np.concatenate([context, state], axis=-1) @ W_c) @ W_o + b_o)

    def joined_along_batch(context, state, W_c, W_o, b_o):
        """np.concatenate joins along the first axis by itself, the batch. Join the features:
        axis=-1."""
        return softmax(np.tanh(np.concatenate([context, state]) @ W_c.T) @ W_o.T + b_o)

    def tanh_of_logits(*args):
        """You put the logits through a tanh as well. tanh belongs between the two matrices only."""
        return softmax(np.tanh(logits(*args)))

    def most_likely_word(*args):
        """You return the most likely word. Return the probability of every word, (B, V)."""
        return logits(*args).argmax(axis=-1)

    float64 = always_float64(decoder_output)
    changes_state = changes_input(decoder_output, 1, "state")


HINTS = (
    "Three lines: join context and state, squash them into s̃, turn s̃ into probabilities.",
    "np.concatenate([context, state], axis=-1) joins the features. A batch has rows, so W x "
    "becomes `x @ W.T`.",
    "s̃ = np.tanh(joined @ W_c.T); logits = s̃ @ W_o.T + b_o; then a softmax along the last axis "
    "that subtracts the maximum.",
)
DECODER_OUTPUT = task(decoder_output, 4, case.all, Mistakes, HINTS, **NUMPY)

"""Task `decoder_output`: from context and state to a probability for each word."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.plain import softmax
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def attentional_state(context, state, W_c):
    return np.tanh(np.concatenate([context, state], axis=-1) @ W_c.T)


def logits(context, state, W_c, W_o, b_o):
    return attentional_state(context, state, W_c) @ W_o.T + b_o


def decoder_output(context, state, W_c, W_o, b_o):
    return softmax(logits(context, state, W_c, W_o, b_o))


def draw(s: Sampler, b: int, d_c: int, d_s: int, a: int, v: int) -> tuple:
    maps = s.floats(a, d_c + d_s), s.floats(v, a), s.floats(v)
    return s.floats(b, d_c), s.floats(b, d_s), *maps


def ragged(s: Sampler) -> Inputs:
    return Inputs(draw(s, *s.dims(5)))


def one_sentence(s: Sampler) -> Inputs:
    return Inputs(draw(s, 1, *s.dims(4)))


def one_word(s: Sampler) -> Inputs:
    """The vocabulary is one word: it is certain."""
    return Inputs(draw(s, *s.dims(4), 1))


def equal(s: Sampler) -> Inputs:
    n = s.size + 1
    return Inputs(draw(s, n, n, n, n, n))


def high_bias(s: Sampler) -> Inputs:
    *rest, b_o = draw(s, *s.dims(5))
    return Inputs((*rest, b_o + (900 if s.dtype == np.float64 else 120)))


def saturated(s: Sampler) -> Inputs:
    context, state, W_c, W_o, b_o = draw(s, *s.dims(5))
    return Inputs((5 * context, 5 * state, W_c, W_o, b_o))


def strided(s: Sampler) -> Inputs:
    context, state, W_c, W_o, b_o = draw(s, *s.dims(5))
    return Inputs((context, state, Transposed(W_c, (0, 1)), Transposed(W_o, (0, 1)), b_o))


def _no_maximum(*args):
    exps = np.exp(logits(*args))
    return exps / exps.sum(axis=-1, keepdims=True)


def _state_first(context, state, W_c, W_o, b_o):
    joined = np.concatenate([state, context], axis=-1)
    return softmax(np.tanh(joined @ W_c.T) @ W_o.T + b_o)


def _squashed_by(squash):
    def answer(context, state, W_c, W_o, b_o):
        joined = np.concatenate([context, state], axis=-1)
        return softmax(squash(joined @ W_c.T) @ W_o.T + b_o)

    return answer


def _half_used(which):
    def answer(context, state, W_c, W_o, b_o):
        halves = [context, state]
        halves[which] = np.zeros_like(halves[which])
        return decoder_output(*halves, W_c, W_o, b_o)

    return answer


def _plain_products(context, state, W_c, W_o, b_o):
    return softmax(np.tanh(np.concatenate([context, state], axis=-1) @ W_c) @ W_o + b_o)


def _joined_along_batch(context, state, W_c, W_o, b_o):
    return softmax(np.tanh(np.concatenate([context, state]) @ W_c.T) @ W_o.T + b_o)


DECODER_OUTPUT = Task(
    name="decoder_output",
    points=4,
    reference=decoder_output,
    library="numpy",
    idea=(
        "The context says what the source holds, and the state what has been said so far; a "
        "layer with tanh mixes the two, and a matrix turns the mixture into one number for "
        "each word of the vocabulary. A paper writes W x for a single column; a batch has its "
        "vectors in rows, so it becomes `x @ W.T`. A softmax along the words makes "
        "probabilities of the numbers."
    ),
    cost=(
        "B·a·(d_c + d_s) + B·V·a multiplications; with tens of thousands of words the second "
        "term is nearly all of it."
    ),
    cases=(
        Case("a probability for each word of the vocabulary", ragged),
        Case("a batch of one", one_sentence),
        Case("inputs that drive tanh to its limits", saturated),
        Case("large logits", high_bias),
        Case("all axes equally long", equal, hidden=True),
        Case("a vocabulary of one word", one_word, hidden=True),
        Case("matrices stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "state-first",
            "You join [state; context]. The columns of W_c expect the context first: "
            "[context; state].",
            _state_first,
        ),
        Mistake(
            "no-tanh",
            "The tanh between the two matrices is missing: s̃ = tanh(W_c [c; s]).",
            _squashed_by(lambda x: x),
        ),
        Mistake(
            "relu",
            "You use a ReLU between the two matrices. The formula has tanh.",
            _squashed_by(lambda x: np.maximum(x, 0)),
        ),
        Mistake(
            "sigmoid",
            "You use a sigmoid between the two matrices. The formula has tanh.",
            _squashed_by(lambda x: 1 / (1 + np.exp(-x))),
        ),
        Mistake(
            "logits",
            "You return the logits. They still need the softmax: the result is probabilities.",
            logits,
        ),
        Mistake(
            "log-probabilities",
            "You return the logarithms of the probabilities. Return the probabilities themselves.",
            lambda *args: np.log(decoder_output(*args)),
        ),
        Mistake(
            "no-bias",
            "The bias b_o is missing. Add it to the logits, before the softmax.",
            lambda c, s, W_c, W_o, b_o: decoder_output(c, s, W_c, W_o, 0 * b_o),
        ),
        Mistake(
            "bias-after",
            "You add the bias after the softmax, so the result no longer sums to one. Add it to "
            "the logits.",
            lambda c, s, W_c, W_o, b_o: decoder_output(c, s, W_c, W_o, 0 * b_o) + b_o,
        ),
        Mistake(
            "softmax-over-batch",
            "You normalise over the batch. Each sentence has its own probabilities: take the "
            "softmax along the last axis.",
            lambda *args: softmax(logits(*args), axis=0),
        ),
        Mistake(
            "softmax-over-everything",
            "All probabilities of the batch together sum to one. Each sentence needs its own sum: "
            "use axis=-1 and keepdims=True.",
            lambda *args: softmax(logits(*args).reshape(-1)).reshape(len(args[0]), -1),
        ),
        Mistake(
            "no-maximum",
            "exp overflows for large logits. Use a softmax that subtracts the largest logit first.",
            _no_maximum,
        ),
        Mistake(
            "context-ignored",
            "The context changes nothing here, so this decoder has no attention. Join it with the "
            "state.",
            _half_used(0),
        ),
        Mistake(
            "state-ignored",
            "The decoder state changes nothing here. Join it with the context.",
            _half_used(1),
        ),
        Mistake(
            "not-transposed",
            "W_c is (a, d_c + d_s) and W_o is (V, a): for rows of a batch multiply by W_c.T and "
            "W_o.T.",
            _plain_products,
        ),
        Mistake(
            "joined-along-batch",
            "np.concatenate joins along the first axis by itself, the batch. Join the features: "
            "axis=-1.",
            _joined_along_batch,
        ),
        Mistake(
            "tanh-of-logits",
            "You put the logits through a tanh as well. tanh belongs between the two matrices "
            "only.",
            lambda *args: softmax(np.tanh(logits(*args))),
        ),
        Mistake(
            "most-likely-word",
            "You return the most likely word. Return the probability of every word, (B, V).",
            lambda *args: logits(*args).argmax(axis=-1),
        ),
        always_float64(decoder_output),
        changes_input(decoder_output, 1, "state"),
    ),
    hints=(
        "Three lines: join context and state, squash them into s̃, turn s̃ into probabilities.",
        "np.concatenate([context, state], axis=-1) joins the features. A batch has rows, so W x "
        "becomes `x @ W.T`.",
        "s̃ = np.tanh(joined @ W_c.T); logits = s̃ @ W_o.T + b_o; then a softmax along the last "
        "axis that subtracts the maximum.",
    ),
)

"""The reference, the cases and the hints of `decoder_output`."""

import numpy as np

from course_lib.checker.tasks import Cases, Sampler
from course_lib.exercises.common import called_twice, stored
from course_lib.exercises.softmax.plain import mistakes as plain


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


def draw(s: Sampler, b: int, d_c: int, d_s: int, a: int, v: int) -> tuple:
    maps = s.floats(a, d_c + d_s), s.floats(v, a), s.floats(v)
    return s.floats(b, d_c), s.floats(b, d_s), *maps


case = Cases()
case.example(
    (
        np.array([[1.0]]),
        np.array([[2.0]]),
        np.array([[2.0, -1.0]]),
        np.array([[1.0], [-1.0]]),
        np.array([0.0, np.log(3)]),
    )
)
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


@case.hidden("sentences whose logits have very different height")
def uneven(s):
    """The first context lifts all logits as far as the others lower them."""
    context, state, W_c, W_o, b_o = draw(s, *s.dims(5))
    W_c[0] = 0
    W_c[0, 0] = 1
    context[:, 0] = -40
    context[0, 0] = 40
    W_o[:, 0] = 1000 if s.dtype == np.float64 else 120
    return context, state, W_c, W_o, b_o


@case.hidden("very negative logits")
def low_bias(s):
    *rest, b_o = draw(s, *s.dims(5))
    return *rest, b_o - (900 if s.dtype == np.float64 else 120)


@case.hidden("logits that are far apart")
def far_apart(s):
    *rest, b_o = draw(s, *s.dims(5))
    return *rest, np.linspace(-1000, 1000, len(b_o), dtype=s.dtype)


@case.hidden("logits that are far apart, the first in the middle")
def first_in_the_middle(s):
    b, d_c, d_s, a, v = s.dims(5)
    *rest, b_o = draw(s, b, d_c, d_s, a, v + 2)
    b_o[1:] = np.linspace(-1000, 1000, v + 1)
    return *rest, b_o


case.hidden("all axes equally long", lambda s: draw(s, *[s.size + 1] * 5))
# The vocabulary is one word: it is certain.
case.hidden("a vocabulary of one word", lambda s: draw(s, *s.dims(4), 1))
case.hidden(
    "matrices stored in another order",
    lambda s: stored(draw(s, *s.dims(5)), None, None, (0, 1), (0, 1), None),
)
called_twice(case, ["context", "state", "W_c", "W_o", "b_o"], lambda s: draw(s, 2, 3, 4, 5, 6))

HINTS = (
    "Three lines: join context and state, squash them into s̃, turn s̃ into probabilities.",
    "np.concatenate([context, state], axis=-1) joins the features. A batch has rows, so W x "
    "becomes `x @ W.T`.",
    "s̃ = np.tanh(joined @ W_c.T); logits = s̃ @ W_o.T + b_o; then a softmax along the last axis "
    "that subtracts the maximum.",
)

"""The reference, the cases and the hints of `BahdanauAttention`."""

from dataclasses import replace

import numpy as np
import torch
from torch import nn

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_parts import AGAIN, called_again
from course_lib.exercises.common import (
    EQUAL,
    KEPT,
    MASKED,
    NAN_BACK,
    NO_DROPOUT,
    NO_MASK,
    OF_ONE,
    ONE_KEY,
    OVERFLOW,
    TOO_HIGH,
    single,
)


class BahdanauAttention(nn.Module):
    """The module holds the three matrices as layers, so that an optimizer finds them and a saved
    model names them. `forward` is the three steps again: score, normalise over the source
    positions, blend the annotations. Where the mask leaves a row empty, the softmax of nothing but
    -inf is nan; writing zeros where the mask is False repairs that row and changes no other.

    Cost: What the scores cost, and B·S·m multiplications for the context."""

    def __init__(self, state_dim, annotation_dim, attention_dim):
        super().__init__()
        self.W_a = nn.Linear(state_dim, attention_dim, bias=False)
        self.U_a = nn.Linear(annotation_dim, attention_dim, bias=False)
        self.v_a = nn.Linear(attention_dim, 1, bias=False)

    def forward(self, state, annotations, mask=None):
        hidden = torch.tanh(self.W_a(state)[:, None] + self.U_a(annotations))  # (B, S, a)
        scores = self.v_a(hidden)[..., 0]  # (B, S)
        weights = parts.weigh(scores, mask)
        context = (weights[:, None] @ annotations)[:, 0]  # (B, m)
        return context, weights


def inputs(s: Sampler, *, lengths=None, mask=True, nothing=False, grads=False) -> Inputs:
    """One call; `lengths` is (B, S, n, m, a)."""
    batch, n_keys, n, m, a = lengths or s.dims(5)
    state = {
        "W_a.weight": s.floats(a, n),
        "U_a.weight": s.floats(a, m),
        "v_a.weight": s.floats(1, a, scale=2.0),
    }
    drawn = s.mask(batch, n_keys) | (mask == "all")
    if nothing:
        drawn[: s.turn(1, batch)] = False
    args = (s.floats(batch, n), s.floats(batch, n_keys, m), drawn if mask else None)
    upstream = (s.floats(batch, m), s.floats(batch, n_keys)) if grads else None
    return Inputs(args, init=(n, m, a), state=state, upstream=upstream)


def steep(s: Sampler) -> Inputs:
    """Once tanh is at its ends, scores lie beyond any constant that one thinks low, and are sums
    without rounding."""
    drawn = inputs(s)
    drawn.state["U_a.weight"][...] = 1
    drawn.state["v_a.weight"][...] = 2.0**17
    return drawn


NOT_PADDING = "Or what is all zeros counts as padding: without a mask every place may be seen."
case = Cases(sizes=(1, 3))
case.example(
    Inputs(
        (single([[1, 1]]), single([[[4], [8], [100]]]), np.array([[True, True, False]])),
        init=(2, 1, 4),
        state={
            "W_a.weight": single([[1, 2]] * 4),
            "U_a.weight": single([[1]] * 4),
            "v_a.weight": single([[0] * 4]),
        },
    ),
    dtype="float32",
)


@case("context and weights without a mask")
def without_mask(s):
    drawn = inputs(s, mask=False)
    return Inputs(drawn.args[:2], init=drawn.init, state=drawn.state)


case("padding gets no weight", inputs, perhaps=MASKED)


@case("gradients reach inputs and parameters")
def gradients(s):
    """The mean of what flows back into the weights cancels only where they sum to one."""
    drawn = inputs(s, grads=True)
    drawn.upstream[1][...] += 8
    return drawn


case(
    "a module in training mode",
    lambda s: replace(inputs(s), is_training=True),
    sizes=(2,),
    dtypes=("float64",),
    perhaps=NO_DROPOUT,
)
case(
    "a module that is called again",
    lambda s: called_again(s, inputs(s)),
    perhaps=KEPT,
    **AGAIN,
)


@case("a masked score far above the others", perhaps=TOO_HIGH)
def high_masked(s):
    """Masked scores are far above zero, allowed ones as far below it."""
    drawn = steep(s)
    _state, annotations, mask = drawn.args
    annotations[mask] -= 90
    annotations[~mask] += 90
    return drawn


@case.hidden("masked scores somewhat above the others", perhaps=TOO_HIGH)
def higher_masked(s):
    """Not so far that the exponentials of the others are 0."""
    drawn = high_masked(s)
    drawn.state["v_a.weight"][...] = 20 / drawn.init[2]
    return drawn


case("a sentence that is all padding gives zeros", lambda s: inputs(s, nothing=True))


@case.hidden("scores far below zero", perhaps=TOO_HIGH)
def low(s):
    drawn = steep(s)
    drawn.args[1][...] -= 90
    return drawn


@case.hidden("a mask of None, given by position", perhaps=f"{NO_MASK} {NOT_PADDING}")
def no_mask(s):
    """One annotation is all zeros."""
    drawn = inputs(s, mask=False)
    drawn.args[1][:, 0] = 0
    return drawn


case.hidden(
    "finite gradients for a sentence that is all padding",
    lambda s: inputs(s, nothing=True, grads=True),
    perhaps=NAN_BACK,
)
case.hidden(
    "a batch of one",
    lambda s: inputs(s, lengths=(1, *s.dims(4)), mask=s.turn(True, "all")),
    perhaps=OF_ONE,
)
case.hidden("all axes equally long", lambda s: inputs(s, lengths=(s.size + 2,) * 5), perhaps=EQUAL)
case.hidden(
    "a single annotation",
    lambda s: inputs(s, lengths=(2, 1, *s.dims(3)), mask=False),
    perhaps=OF_ONE,
)


@case.hidden("large scores", perhaps=OVERFLOW)
def large(s):
    """Scores near 1000 (120 in float32): their exponential overflows."""
    drawn = inputs(s, mask=False)
    drawn.args[0][...] = 1
    drawn.state["W_a.weight"][...] = 4
    height = 1000 if s.dtype == np.float64 else 120
    drawn.state["v_a.weight"][...] = height / drawn.init[2]
    return drawn


@case.hidden("a single annotation that is padding", sizes=(3,), perhaps=ONE_KEY)
def one_padding(s):
    drawn = inputs(s, lengths=(2, 1, *s.dims(3)))
    drawn.args[2][0] = False
    return drawn


WITHOUT = {
    "mask: one column": "The mask is (B, S) and is not stretched.",
}

HINTS = (
    "You have written all three steps before. Which of them holds numbers that are learned, and "
    "what must a module keep those in, so that an optimizer finds them?",
    "`self.v_a(torch.tanh(self.W_a(state)[:, None] + self.U_a(annotations)))` is (B, S, 1). Set "
    "masked scores to -inf before the softmax over S.",
    "A row of -inf becomes nan: put zeros where the mask is False after the softmax, too. The "
    "context is `(weights[:, None] @ annotations)[:, 0]`.",
)

"""Task `BahdanauAttention`: scores, weights and context in a module that can be trained."""

import numpy as np
import torch
from torch import nn

from course_lib.exercises.attention_parts import weigh
from course_lib.exercises.bahdanau.module_mistakes import mistakes
from course_lib.grading.tasks import Case, Inputs, Sampler, Task


class BahdanauAttention(nn.Module):
    def __init__(self, state_dim, annotation_dim, attention_dim):
        super().__init__()
        self.W_a = nn.Linear(state_dim, attention_dim, bias=False)
        self.U_a = nn.Linear(annotation_dim, attention_dim, bias=False)
        self.v_a = nn.Linear(attention_dim, 1, bias=False)

    def forward(self, state, annotations, mask=None):
        weights = self.weigh(self.scores(state, annotations), mask)
        return self.blend(weights, annotations), weights

    # The steps are apart so that each known mistake can exchange one of them.

    def scores(self, state, annotations):
        hidden = torch.tanh(self.W_a(state)[:, None] + self.U_a(annotations))  # (B, S, a)
        return self.v_a(hidden)[..., 0]

    def weigh(self, scores, mask):
        return weigh(scores, mask)

    def blend(self, weights, annotations):
        return (weights[:, None] @ annotations)[:, 0]  # (B, m)


def inputs(s: Sampler, *, lengths=None, mask=True, nothing=False, grads=False) -> Inputs:
    """One call; `lengths` is (B, S, n, m, a)."""
    batch, n_keys, n, m, a = lengths or s.dims(5)
    state = {
        "W_a.weight": s.floats(a, n),
        "U_a.weight": s.floats(a, m),
        "v_a.weight": s.floats(1, a, scale=2.0),
    }
    drawn = s.mask(batch, n_keys)
    if nothing:
        drawn[0] = False
    args = (s.floats(batch, n), s.floats(batch, n_keys, m), drawn if mask else None)
    upstream = (s.floats(batch, m), s.floats(batch, n_keys)) if grads else None
    return Inputs(args, init=(n, m, a), state=state, upstream=upstream)


def without_mask(s: Sampler) -> Inputs:
    drawn = inputs(s, mask=False)
    return Inputs(drawn.args[:2], init=drawn.init, state=drawn.state)


def large(s: Sampler) -> Inputs:
    """Scores near 1000 (120 in float32): their exponential overflows."""
    drawn = inputs(s, mask=False)
    drawn.args[0][...] = 1
    drawn.state["W_a.weight"][...] = 4
    height = 1000 if s.dtype == np.float64 else 120
    drawn.state["v_a.weight"][...] = height / drawn.init[2]
    return drawn


def high_masked(s: Sampler) -> Inputs:
    """Masked scores near 1000, allowed ones near -1000: tanh is at its ends."""
    drawn = inputs(s)
    drawn.state["U_a.weight"][...] = 1
    drawn.state["v_a.weight"][...] = 1000 / drawn.init[2]
    _state, annotations, mask = drawn.args
    annotations[mask] -= 90
    annotations[~mask] += 90
    return drawn


def case(name, draw, hidden=False) -> Case:
    """Two sizes are enough, and a module costs more to run than a function."""
    return Case(name, draw, hidden, sizes=(1, 3))


MODULE = Task(
    name="BahdanauAttention",
    points=6,
    reference=BahdanauAttention,
    idea=(
        "The module holds the three matrices as layers, so that an optimizer finds them and a "
        "saved model names them. `forward` is the three steps again: score, normalise over "
        "the source positions, blend the annotations. Where the mask leaves a row empty, the "
        "softmax of nothing but -inf is nan; writing zeros where the mask is False repairs "
        "that row and changes no other."
    ),
    cost="What the scores cost, and B·S·m multiplications for the context.",
    cases=(
        case("context and weights without a mask", without_mask),
        case("padding gets no weight", inputs),
        case("gradients reach inputs and parameters", lambda s: inputs(s, grads=True)),
        case("a masked score far above the others", high_masked),
        case("a sentence that is all padding gives zeros", lambda s: inputs(s, nothing=True)),
        case("a mask of None, given by position", lambda s: inputs(s, mask=False), hidden=True),
        case(
            "finite gradients for a sentence that is all padding",
            lambda s: inputs(s, nothing=True, grads=True),
            hidden=True,
        ),
        case("a batch of one", lambda s: inputs(s, lengths=(1, *s.dims(4))), hidden=True),
        case("all axes equally long", lambda s: inputs(s, lengths=(s.size + 2,) * 5), hidden=True),
        case(
            "a single annotation",
            lambda s: inputs(s, lengths=(2, 1, *s.dims(3)), mask=False),
            hidden=True,
        ),
        case("large scores", large, hidden=True),
    ),
    mistakes=mistakes(BahdanauAttention),
    hints=(
        "You have written all three steps before. Which of them holds numbers that are learned, "
        "and what must a module keep those in, so that an optimizer finds them?",
        "`self.v_a(torch.tanh(self.W_a(state)[:, None] + self.U_a(annotations)))` is (B, S, 1). "
        "Set masked scores to -inf before the softmax over S.",
        "A row of -inf becomes nan: put zeros where the mask is False after the softmax, too. The "
        "context is `(weights[:, None] @ annotations)[:, 0]`.",
    ),
)

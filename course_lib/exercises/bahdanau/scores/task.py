"""The reference, the cases and the hints of `additive_scores`."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import EQUAL, OF_ONE, ORDER, single, stored


def additive_scores(state, annotations, W_a, U_a, v_a):
    """State and annotation may have different lengths, so neither a dot product nor a difference
    exists; two matrices bring both into the same a dimensions. There they are added, squashed by
    tanh, and weighed by v_a. Without the tanh the state would add the same number to all scores of
    a sentence, and the softmax would not notice it.

    Cost: B·S·a·m multiplications for U_a h, needed once a sentence; then B·a·n + B·S·a for each
    step, with (B, S, a) numbers in memory."""
    hidden = torch.tanh((state @ W_a.T)[:, None] + annotations @ U_a.T)  # (B, S, a)
    return hidden @ v_a


def draw(s: Sampler, lengths: tuple, scale: float = 1.0, grads: bool = True) -> Inputs:
    """`lengths` is (B, S, n, m, a)."""
    batch, n_keys, n, m, a = lengths
    args = (s.floats(batch, n), s.floats(batch, n_keys, m))
    maps = (s.floats(a, n, scale=scale), s.floats(a, m, scale=scale), s.floats(a, scale=scale))
    return Inputs((*args, *maps), upstream=(s.floats(batch, n_keys),) if grads else None)


FAR = (
    "Perhaps you write the tanh with exp, which overflows there, and inf / inf is nan. "
    "`torch.tanh` gives 1 there."
)

case = Cases()
ONE = single([[1]])
case.example((ONE, single([[[-1], [0]]]), ONE, ONE, single([2])), dtype="float32")
case(
    "one score for each annotation", lambda s: draw(s, (*s.dims(2, low=1), *s.dims(3)), grads=False)
)
case("a batch of one", lambda s: draw(s, (1, *s.dims(4)), grads=False), perhaps=OF_ONE)
case("gradients reach all five inputs", lambda s: draw(s, s.dims(5)))
case.hidden(
    "all axes equally long", lambda s: draw(s, (s.size + 1,) * 5, grads=False), perhaps=EQUAL
)
case.hidden("a single annotation", lambda s: draw(s, (2, 1, *s.dims(3))), perhaps=OF_ONE)
case.hidden("large matrices", lambda s: draw(s, s.dims(5), 4.0, False))
case.hidden(
    "tensors stored in another order",
    lambda s: stored(draw(s, s.dims(5)).args, None, (1, 2), (0, 1), (0, 1), None),
    perhaps=ORDER,
)


@case.hidden("a sum so large that its exp overflows", perhaps=FAR)
def far_out(s):
    """In the first of the a dimensions; in the others the state has its usual part."""
    state, annotations, W_a, U_a, v_a = draw(s, s.dims(5)).args
    state[:, 0] = 500 if s.dtype == np.float64 else 70
    W_a[:, 0] = 0
    W_a[0, 0] = 1
    return state, annotations, W_a, U_a, v_a


HINTS = (
    "How long is a state, how long an annotation? What has to happen before the two can be added?",
    "Both are mapped to a numbers: `state @ W_a.T` is (B, a), `annotations @ U_a.T` is (B, S, a). "
    "The first needs an axis for S before they are added.",
    "Add `(state @ W_a.T)[:, None]` and `annotations @ U_a.T`. What is left is a tanh, and one "
    "product with v_a.",
)

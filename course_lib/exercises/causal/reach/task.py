"""The reference, the cases and the hints of `far_share`."""

import math

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Sampler

WITHIN = 0.01


def far_share(query, key, mask, distance):
    """What an output has to do with an input is its gradient, so send numbers through the layers,
    ask the last output for its gradient, and look where it arrives. Every path through the layers
    adds to it: from word to word by a weight, or straight on beside the attention. So a window that
    is passed on from layer to layer reaches far, and little comes along the few paths from there.

    Cost: L·T² multiplications forwards, and about twice that backwards."""
    x = query.new_zeros(query.shape[1], 1).requires_grad_()  # (T, 1)
    y = x
    for q, k in zip(query, key, strict=True):  # one layer after the other
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
        y = y + weights @ y
    (gradient,) = torch.autograd.grad(y[-1].sum(), x)
    far = gradient[: max(len(x) - 1 - distance, 0)]
    return (far.sum() / gradient.sum()).item()


def draw(s: Sampler, layers: int = 3, window: int = 4, positions: int = 9) -> tuple:
    """Queries and keys (L, T, d), a causal mask with a window, and a distance inside the reach, of
    which the last is 0."""
    n, d = positions + s.size, 3 + s.size
    query, key = s.floats(layers, n, d), s.floats(layers, n, d)
    return query, key, band(n, window), 0 if s.size == 4 else int(s.integers(1, 4))


def band(n: int, window: int) -> np.ndarray:
    """(T, T), True for a position's own key and the window - 1 before it."""
    places = np.arange(n)
    back = places[:, None] - places
    return (back >= 0) & (back < window)


AS_GIVEN = "Perhaps a causal mask is added to the one that is given: take that alone, as it is."
case = Cases(dtypes=("float64",), within=WITHIN, atol=1e-6)
case.example(
    (
        np.zeros((2, 3, 1), np.float32),
        np.zeros((2, 3, 1), np.float32),
        np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1]], bool),
        1,
    ),
    dtype="float32",
)
case("one layer", lambda s: draw(s, layers=1))
case("three layers, a window of 4", draw)
case("no window: all that came before", lambda s: draw(s, window=99))
case.hidden("six layers, a window of 3", lambda s: draw(s, 6, 3))


@case.hidden("a short text, and a mask that lets each position look one ahead", perhaps=AS_GIVEN)
def ahead(s):
    query, key, mask, distance = draw(s, 3, 3, 4)
    return query, key, mask | np.eye(len(mask), k=1, dtype=bool), distance


@case.hidden("further than the layers reach")
def out_of_reach(s):
    """Two layers with a window of 3 reach 4 positions back, and 4 are not more than 4."""
    query, key, mask, _ = draw(s, 2, 3)
    return query, key, mask, 4


@case.hidden("further than the text is long")
def before_the_text(s):
    """A distance of T: nothing lies so far back, and `[: T - 1 - distance]` would end at -1."""
    query, key, mask, _ = draw(s)
    return query, key, mask, len(mask)


WITHOUT = {
    "mask: all False": "Every position may attend to itself.",
    "mask: all True": "Positions are counted back from the last, which sees no further.",
    "mask: one column": "The mask is (T, T) and is not stretched.",
}

HINTS = (
    "Make an input of T numbers that has a gradient, send it through the layers, and ask the last "
    "output where it came from. The numbers themselves do not matter.",
    "`x = torch.zeros(T, 1, dtype=query.dtype, requires_grad=True)`; in each layer `y = y + "
    "weights @ y`, with weights as in task 2; then `y[-1].sum().backward()`.",
    "`x.grad[:, 0]` has T numbers, and position t lies T − 1 − t back. Add up those with "
    "T − 1 − t > distance, and divide by the sum of all.",
)

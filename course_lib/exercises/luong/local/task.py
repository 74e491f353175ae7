"""The reference, the cases and the hints of `local_weights`."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import OF_ONE, OVERFLOW, TOO_HIGH, single


def local_weights(scores, position, window):
    """Two things limit the view. A window decides which words take part in the softmax, and a
    Gaussian around p then makes those count less that are far from the centre. The Gaussian is
    applied after the softmax and nothing is normalised again, so the weights sum to less than one,
    and a gradient reaches p through the Gaussian alone.

    Cost: O(B·S) as written; O(B·D) if only the window's scores were made."""
    places = torch.arange(scores.shape[1], device=scores.device)
    distance = places - position[:, None]  # (B, S)
    inside = distance.abs() <= window
    bell = torch.exp(-(distance**2) / (2 * (window / 2) ** 2))
    weights = torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)
    return weights * bell


def draw(s: Sampler, position, n_keys: int, window: int, grads: bool = False) -> Inputs:
    """`position` holds one place for each sentence, as a fraction of the last place S − 1."""
    places = ((n_keys - 1) * position).astype(s.dtype)
    upstream = (s.floats(len(places), n_keys),) if grads else None
    return Inputs((s.floats(len(places), n_keys), places, window), upstream=upstream)


def anywhere(s: Sampler, grads: bool = False) -> Inputs:
    window = 1 + s.size // 2
    return draw(s, s.rng.uniform(size=s.size + 1), 2 * window + 2 + s.size, window, grads)


case = Cases()
case.example(Inputs((single([[0] * 5]), single([1.5])), {"window": 1}), dtype="float32")
case("positions between words", anywhere)


@case("positions on a word: the window includes its ends")
def on_a_word(s):
    """Whole positions: the last places inside are exactly `window` away."""
    window = s.size
    n_keys = 2 * window + 4
    places = s.integers(window, n_keys - window, 2).astype(s.dtype)
    return s.floats(2, n_keys), places, window


case(
    "positions at the ends of the sentence",
    lambda s: draw(s, np.array([0.0, 1.0, 0.0]), s.size + 4, s.size),
)
case("gradients reach scores and position", lambda s: anywhere(s, grads=True))


@case("a score outside the window far above the others", perhaps=TOO_HIGH)
def high_outside(s):
    """Scores outside the window are thousands above those inside."""
    scores, position, window = anywhere(s).args
    far = abs(np.arange(scores.shape[1]) - position[:, None]) > window
    return scores + far.astype(s.dtype) * 9000, position, window


# The window holds the whole sentence.
case.hidden(
    "a window wider than the sentence",
    lambda s: draw(s, s.rng.uniform(size=2), s.size + 2, s.size + 3),
)
case.hidden(
    "a sentence of one word",
    lambda s: draw(s, s.rng.uniform(size=s.size), 1, s.size),
    perhaps=OF_ONE,
)


@case.hidden("scores around 1000", perhaps=OVERFLOW)
def high(s):
    inputs = anywhere(s)
    inputs.args[0][...] += 1000
    return inputs


@case.hidden("rows of very different height")
def uneven(s):
    scores, position, window = anywhere(s).args
    heights = np.linspace(-1000, 1000, len(scores), dtype=s.dtype)
    return scores + heights[:, None], position, window


@case.hidden(
    "scores inside the window far below those outside", dtypes=("float64",), perhaps=TOO_HIGH
)
def low_inside(s):
    """Scores inside are far below any constant that one thinks low."""
    scores, position, window = anywhere(s).args
    inside = abs(np.arange(scores.shape[1]) - position[:, None]) <= window
    return scores - inside * 1e6, position, window


EXACTLY = (
    "Perhaps the window has room for a little more, or less, than D: a place is inside where "
    "|j − p| ≤ D, however close it comes."
)


@case.hidden("places just inside the window, and just outside", perhaps=EXACTLY)
def at_the_edge(s):
    """By half a thousandth."""
    window, near = s.size, 5e-4
    n_keys = 2 * window + 4
    places = s.integers(window, n_keys - window, 2) + np.array([near, -near])
    return s.floats(2, n_keys), places.astype(s.dtype), window


WITHOUT = {
    "scores: -inf": "A window may hold a single place; with -inf there nothing is left to sum.",
}

HINTS = (
    "Start with a table of distances j − p, of shape (B, S). Window and Gaussian both come from "
    "it.",
    "`torch.arange(S) - position[:, None]` is that table. Outside the window the score becomes "
    "-inf, before the softmax.",
    "The softmax runs along the last axis of the filled scores. Multiply it by exp of minus the "
    "squared distance over 2σ², with σ = D/2; nothing is divided afterwards.",
)

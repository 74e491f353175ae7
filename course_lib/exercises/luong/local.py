"""Task `local_weights`: attend to a window around a position, most to its middle."""

import numpy as np
import torch

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def distances(scores, position):
    return torch.arange(scores.shape[1], device=scores.device) - position[:, None]  # (B, S)


def windowed(scores, inside):
    return torch.softmax(scores.masked_fill(~inside, -torch.inf), dim=-1)


def gauss(distance, sigma):
    return torch.exp(-(distance**2) / (2 * sigma**2))


def local_weights(scores, position, window):
    distance = distances(scores, position)
    return windowed(scores, distance.abs() <= window) * gauss(distance, window / 2)


def draw(s: Sampler, position, n_keys: int, window: int, grads: bool = False) -> Inputs:
    """`position` holds one place for each sentence, as a fraction of the last place S − 1."""
    places = ((n_keys - 1) * position).astype(s.dtype)
    upstream = (s.floats(len(places), n_keys),) if grads else None
    return Inputs((s.floats(len(places), n_keys), places, window), upstream=upstream)


def anywhere(s: Sampler, grads: bool = False) -> Inputs:
    window = 1 + s.size // 2
    return draw(s, s.rng.uniform(size=s.size + 1), 2 * window + 2 + s.size, window, grads)


def on_a_word(s: Sampler) -> Inputs:
    """Whole positions: the last places inside are exactly `window` away."""
    window = s.size
    n_keys = 2 * window + 4
    places = s.integers(window, n_keys - window, 2).astype(s.dtype)
    return Inputs((s.floats(2, n_keys), places, window))


def at_the_ends(s: Sampler) -> Inputs:
    return draw(s, np.array([0.0, 1.0, 0.0]), s.size + 4, s.size)


def wide(s: Sampler) -> Inputs:
    """The window holds the whole sentence."""
    return draw(s, s.rng.uniform(size=2), s.size + 2, s.size + 3)


def one_word(s: Sampler) -> Inputs:
    return draw(s, s.rng.uniform(size=s.size), 1, s.size)


def high(s: Sampler) -> Inputs:
    inputs = anywhere(s)
    inputs.args[0][...] += 1000
    return inputs


def _with(inside=None, bell=None, after=lambda weights, bell: weights * bell):
    """Local weights with another window, another bell, or another way to join them."""

    def answer(scores, position, window):
        distance = distances(scores, position)
        within = distance.abs() <= window if inside is None else inside(distance, window)
        curve = gauss(distance, window / 2) if bell is None else bell(distance, window)
        return after(windowed(scores, within), curve)

    return answer


def _window_rounded(scores, position, window):
    inside = distances(scores, position.round()).abs() <= window
    return windowed(scores, inside) * gauss(distances(scores, position), window / 2)


def _window_after(scores, position, window):
    distance = distances(scores, position)
    return torch.softmax(scores, -1) * (distance.abs() <= window) * gauss(distance, window / 2)


def _bell_on_scores(scores, position, window):
    distance = distances(scores, position)
    return windowed(scores * gauss(distance, window / 2), distance.abs() <= window)


def _scores_zeroed(scores, position, window):
    distance = distances(scores, position)
    inside = distance.abs() <= window
    return torch.softmax(scores * inside, -1) * gauss(distance, window / 2)


def _no_maximum(scores, position, window):
    distance = distances(scores, position)
    exps = torch.exp(scores) * (distance.abs() <= window)
    return exps / exps.sum(-1, keepdim=True) * gauss(distance, window / 2)


LOCAL_WEIGHTS = Task(
    name="local_weights",
    points=5,
    reference=local_weights,
    idea=(
        "Two things limit the view. A window decides which words take part in the softmax, "
        "and a Gaussian around p then makes those count less that are far from the centre. "
        "The Gaussian is applied after the softmax and nothing is normalised again, so the "
        "weights sum to less than one, and a gradient reaches p through the Gaussian alone."
    ),
    cost="O(B·S) as written; O(B·D) if only the window's scores were made.",
    cases=(
        Case("positions between words", anywhere),
        Case("positions on a word: the window includes its ends", on_a_word),
        Case("positions at the ends of the sentence", at_the_ends),
        Case("gradients reach scores and position", lambda s: anywhere(s, grads=True)),
        Case("a window wider than the sentence", wide, hidden=True),
        Case("a sentence of one word", one_word, hidden=True),
        Case("scores around 1000", high, hidden=True),
    ),
    mistakes=(
        Mistake(
            "window-exclusive",
            "Your window leaves out the places exactly D away. It includes them: |s − p| ≤ D.",
            _with(inside=lambda distance, window: distance.abs() < window),
        ),
        Mistake(
            "position-rounded",
            "You round the position, and no gradient can pass through rounding. Use p as it is.",
            lambda scores, position, window: local_weights(scores, position.round(), window),
        ),
        Mistake(
            "window-rounded",
            "You round the position for the window. Use p as it is: |s − p| ≤ D.",
            _window_rounded,
        ),
        Mistake(
            "half-window",
            "Your window reaches D/2 to each side. It reaches D: |s − p| ≤ D.",
            _with(inside=lambda distance, window: distance.abs() <= window / 2),
        ),
        Mistake(
            "no-window",
            "You attend to the whole sentence. Places with |s − p| > D get a weight of exactly "
            "zero.",
            _with(inside=lambda distance, window: distance.abs() < torch.inf),
        ),
        Mistake(
            "window-after",
            "You take the softmax over the whole sentence and cut the window out afterwards. Take "
            "it over the window only.",
            _window_after,
        ),
        Mistake(
            "scores-zeroed",
            "You set scores outside the window to 0, but exp(0) is 1. Set them to -inf.",
            _scores_zeroed,
        ),
        Mistake(
            "no-bell",
            "The Gaussian is missing. Multiply by exp(−(s − p)²/(2σ²)), σ = D/2.",
            _with(after=lambda weights, bell: weights),
        ),
        Mistake(
            "bell-only",
            "The scores change nothing here. Multiply the Gaussian with their softmax.",
            _with(after=lambda weights, bell: bell * (weights > 0)),
        ),
        Mistake(
            "sigma-is-window",
            "Your Gaussian is too wide: σ is D/2, not D.",
            _with(bell=gauss),
        ),
        Mistake(
            "sigma-not-squared",
            "You divide by 2σ. The formula divides by 2σ².",
            _with(bell=lambda distance, window: torch.exp(-(distance**2) / window)),
        ),
        Mistake(
            "two-missing",
            "You divide by σ². The formula divides by 2σ².",
            _with(bell=lambda distance, window: torch.exp(-(distance**2) / (window / 2) ** 2)),
        ),
        Mistake(
            "not-squared",
            "Your distance is not squared. The Gaussian takes (s − p)².",
            _with(
                bell=lambda distance, window: torch.exp(-distance.abs() / (2 * (window / 2) ** 2))
            ),
        ),
        Mistake(
            "renormalised",
            "You divide by the sum again after the Gaussian. Luong leaves the weights as they are, "
            "so they sum to less than one.",
            _with(after=lambda weights, bell: weights * bell / (weights * bell).sum(-1, True)),
        ),
        Mistake(
            "bell-on-scores",
            "You multiply the scores by the Gaussian, before the softmax. Multiply the weights, "
            "after it.",
            _bell_on_scores,
        ),
        Mistake(
            "one-based",
            "You count places from 1. Place s of the scores is number s, from 0.",
            lambda scores, position, window: local_weights(scores, position - 1, window),
        ),
        Mistake(
            "first-position",
            "You use the first position for the whole batch. Position b goes with row b.",
            lambda scores, position, window: local_weights(
                scores, position[:1].expand_as(position), window
            ),
        ),
        Mistake(
            "no-maximum",
            "exp overflows for large scores. Use torch.softmax, or subtract the largest score "
            "first.",
            _no_maximum,
        ),
        Mistake(
            "position-detached",
            "No gradient reaches the position (through .item(), int() or detach?). It must, or the "
            "model cannot learn where to look.",
            lambda scores, position, window: local_weights(scores, position.detach(), window),
        ),
        Mistake(
            "detached",
            "No gradient flows back at all. Avoid detach, .data, no_grad and NumPy.",
            lambda scores, position, window: local_weights(scores, position, window).detach(),
        ),
        always_float64(local_weights),
        changes_input(local_weights, 0, "scores"),
        changes_input(local_weights, 1, "position"),
    ),
    hints=(
        "Start with a table of distances s − p, of shape (B, S). Window and Gaussian both come "
        "from it.",
        "`torch.arange(S) - position[:, None]` is that table. Outside the window the score becomes "
        "-inf, before the softmax.",
        "weights = torch.softmax(scores.masked_fill(distance.abs() > window, -torch.inf), -1), "
        "times torch.exp(-(distance**2) / (2 * (window / 2) ** 2)).",
    ),
)

"""Task `local_weights`: attend to a window around a position, most to its middle."""

import numpy as np
import torch

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


def distances(scores, position):
    return torch.arange(scores.shape[1], device=scores.device) - position[:, None]  # (B, S)


def windowed(scores, inside):
    return torch.softmax(scores.masked_fill(~inside, -torch.inf), dim=-1)


def gauss(distance, sigma):
    return torch.exp(-(distance**2) / (2 * sigma**2))


def local_weights(scores, position, window):
    """Two things limit the view. A window decides which words take part in the softmax, and a
    Gaussian around p then makes those count less that are far from the centre. The Gaussian is
    applied after the softmax and nothing is normalised again, so the weights sum to less than one,
    and a gradient reaches p through the Gaussian alone.

    Cost: O(B·S) as written; O(B·D) if only the window's scores were made."""
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


case = Cases()
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


@case("a score outside the window far above the others")
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
case.hidden("a sentence of one word", lambda s: draw(s, s.rng.uniform(size=s.size), 1, s.size))


@case.hidden("scores around 1000")
def high(s):
    inputs = anywhere(s)
    inputs.args[0][...] += 1000
    return inputs


def _local(
    scores,
    position,
    window,
    *,
    by=windowed,
    inside=lambda distance, window: distance.abs() <= window,
    bell=lambda distance, window: gauss(distance, window / 2),
    join=lambda weights, bell: weights * bell,
):
    """The reference with one step exchanged."""
    distance = distances(scores, position)
    return join(by(scores, inside(distance, window)), bell(distance, window))


def _by_hand(scores, inside, top):
    exps = torch.exp(scores - top) * inside
    return exps / exps.sum(-1, keepdim=True)


class Mistakes:
    def maximum_outside(*args):
        """You subtract the largest score of the whole sentence. If it is outside the window and far
        above, every exponential inside is 0. Subtract the largest score *inside*."""
        return _local(
            *args, by=lambda scores, inside: _by_hand(scores, inside, scores.amax(-1, keepdim=True))
        )

    def window_exclusive(*args):
        """Your window leaves out the places exactly D away. It includes them: |s − p| ≤ D."""
        return _local(*args, inside=lambda distance, window: distance.abs() < window)

    def position_rounded(scores, position, window):
        """You round the position, and no gradient can pass through rounding. Use p as it is."""
        return local_weights(scores, position.round(), window)

    def window_rounded(scores, position, window):
        """You round the position for the window. Use p as it is: |s − p| ≤ D."""
        inside = distances(scores, position.round()).abs() <= window
        return windowed(scores, inside) * gauss(distances(scores, position), window / 2)

    def half_window(*args):
        """Your window reaches D/2 to each side. It reaches D: |s − p| ≤ D."""
        return _local(*args, inside=lambda distance, window: distance.abs() <= window / 2)

    def no_window(*args):
        """You attend to the whole sentence. Places with |s − p| > D get a weight of exactly
        zero."""
        return _local(*args, inside=lambda distance, window: distance.abs() < torch.inf)

    def window_after(*args):
        """You take the softmax over the whole sentence and cut the window out afterwards. Take it
        over the window only."""
        return _local(*args, by=lambda scores, inside: torch.softmax(scores, -1) * inside)

    def scores_zeroed(*args):
        """You set scores outside the window to 0, but exp(0) is 1. Set them to -inf."""
        return _local(*args, by=lambda scores, inside: torch.softmax(scores * inside, -1))

    def no_bell(*args):
        """The Gaussian is missing. Multiply by exp(−(s − p)²/(2σ²)), σ = D/2."""
        return _local(*args, join=lambda weights, bell: weights)

    def bell_only(*args):
        """The scores change nothing here. Multiply the Gaussian with their softmax."""
        return _local(*args, join=lambda weights, bell: bell * (weights > 0))

    def sigma_is_window(*args):
        """Your Gaussian is too wide: σ is D/2, not D."""
        return _local(*args, bell=gauss)

    def sigma_not_squared(*args):
        """You divide by 2σ. The formula divides by 2σ²."""
        return _local(*args, bell=lambda d, w: torch.exp(-(d**2) / w))

    def two_missing(*args):
        """You divide by σ². The formula divides by 2σ²."""
        return _local(*args, bell=lambda d, w: torch.exp(-(d**2) / (w / 2) ** 2))

    def not_squared(*args):
        """Your distance is not squared. The Gaussian takes (s − p)²."""
        return _local(*args, bell=lambda d, w: torch.exp(-d.abs() / (2 * (w / 2) ** 2)))

    def renormalised(*args):
        """You divide by the sum again after the Gaussian. Luong leaves the weights as they are, so
        they sum to less than one."""
        return _local(
            *args, join=lambda weights, bell: weights * bell / (weights * bell).sum(-1, True)
        )

    def bell_on_scores(scores, position, window):
        """You multiply the scores by the Gaussian, before the softmax. Multiply the weights, after
        it."""
        distance = distances(scores, position)
        return windowed(scores * gauss(distance, window / 2), distance.abs() <= window)

    def one_based(scores, position, window):
        """You count places from 1. Place s of the scores is number s, from 0."""
        return local_weights(scores, position - 1, window)

    def first_position(scores, position, window):
        """You use the first position for the whole batch. Position b goes with row b."""
        return local_weights(scores, position[:1].expand_as(position), window)

    def no_maximum(*args):
        """exp overflows for large scores. Use torch.softmax, or subtract the largest score
        first."""
        return _local(*args, by=lambda scores, inside: _by_hand(scores, inside, 0))

    def position_detached(scores, position, window):
        """No gradient reaches the position (through .item(), int() or detach?). It must, or the
        model cannot learn where to look."""
        return local_weights(scores, position.detach(), window)

    def detached(scores, position, window):
        """No gradient flows back at all. Avoid detach, .data, no_grad and NumPy."""
        return local_weights(scores, position, window).detach()

    float64 = always_float64(local_weights)
    changes_scores = changes_input(local_weights, 0, "scores")
    changes_position = changes_input(local_weights, 1, "position")


HINTS = (
    "Start with a table of distances s − p, of shape (B, S). Window and Gaussian both come from "
    "it.",
    "`torch.arange(S) - position[:, None]` is that table. Outside the window the score becomes "
    "-inf, before the softmax.",
    "weights = torch.softmax(scores.masked_fill(distance.abs() > window, -torch.inf), -1), times "
    "torch.exp(-(distance**2) / (2 * (window / 2) ** 2)).",
)
LOCAL_WEIGHTS = task(local_weights, 5, case.all, Mistakes, HINTS)

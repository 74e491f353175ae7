"""What goes wrong in `local_weights`."""

import torch

from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.luong.local_steps import distances, gauss, local_weights, windowed
from course_lib.grading.tasks import Mistake


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


def _by_hand(top):
    """The softmax by hand; `top(scores)` is subtracted."""

    def answer(scores, position, window):
        distance = distances(scores, position)
        exps = torch.exp(scores - top(scores)) * (distance.abs() <= window)
        return exps / exps.sum(-1, keepdim=True) * gauss(distance, window / 2)

    return answer


MISTAKES = (
    Mistake(
        "maximum-outside",
        "You subtract the largest score of the whole sentence. If it is outside the window and far "
        "above, every exponential inside is 0. Subtract the largest score *inside*.",
        _by_hand(lambda scores: scores.amax(-1, keepdim=True)),
    ),
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
        "You attend to the whole sentence. Places with |s − p| > D get a weight of exactly zero.",
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
        _with(bell=lambda distance, window: torch.exp(-distance.abs() / (2 * (window / 2) ** 2))),
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
        "exp overflows for large scores. Use torch.softmax, or subtract the largest score first.",
        _by_hand(lambda scores: 0),
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
)

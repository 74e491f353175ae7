"""Task `local_weights`: attend to a window around a position, most to its middle."""

import numpy as np

from course_lib.exercises.luong.local_mistakes import MISTAKES
from course_lib.exercises.luong.local_steps import local_weights
from course_lib.grading.tasks import Case, Inputs, Sampler, Task


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


def high_outside(s: Sampler) -> Inputs:
    """Scores outside the window are thousands above those inside."""
    scores, position, window = anywhere(s).args
    far = abs(np.arange(scores.shape[1]) - position[:, None]) > window
    return Inputs((scores + far.astype(s.dtype) * 9000, position, window))


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
        Case("a score outside the window far above the others", high_outside),
        Case("a window wider than the sentence", wide, hidden=True),
        Case("a sentence of one word", one_word, hidden=True),
        Case("scores around 1000", high, hidden=True),
    ),
    mistakes=MISTAKES,
    hints=(
        "Start with a table of distances s − p, of shape (B, S). Window and Gaussian both come "
        "from it.",
        "`torch.arange(S) - position[:, None]` is that table. Outside the window the score becomes "
        "-inf, before the softmax.",
        "weights = torch.softmax(scores.masked_fill(distance.abs() > window, -torch.inf), -1), "
        "times torch.exp(-(distance**2) / (2 * (window / 2) ** 2)).",
    ),
)

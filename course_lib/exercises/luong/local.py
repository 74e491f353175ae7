"""Task `local_weights`: attend to a window around a position, most to its middle."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import OF_ONE, OVERFLOW, TOO_HIGH, always_float64, changes_input
from course_lib.exercises.luong.window_mistakes import further_mistakes


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


def _by_hand(scores, inside, top):
    exps = torch.exp(scores - top) * inside
    return exps / exps.sum(-1, keepdim=True)


MISTAKES = Mistakes(local_weights)
MISTAKES.change("bell-added-to-weights", "weights * bell", "weights + bell").says("""
    You add the Gaussian to the weights, and words outside the window get weight. Multiply by it.
""")
MISTAKES.change(
    "maximum-outside",
    "torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)",
    "_by_hand(scores, inside, scores.amax(-1, keepdim=True))",
).says("""
    You subtract the largest score of the whole sentence. If it is outside the window and far above,
    every exponential inside is 0. Subtract the largest score *inside*.
""")
sentence = """
    You subtract the largest score of the whole array. In a row far below it every exponential is 0,
    and 0/0 is nan. Take the largest of each row.
"""
for name, after in (("maximum-of-all", ""), ("maximum-of-all-then-zeros", ".nan_to_num()")):
    MISTAKES.change(
        name,
        "torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)",
        "_by_hand(filled := scores.masked_fill(~inside, -torch.inf), inside, filled.max())" + after,
    ).says(sentence)
sentence = """
    You fill the scores outside with a negative number, but a score inside may be lower still: then
    the places outside take all the weight. Fill with -inf.
"""
for depth in (1000, 10000):
    MISTAKES.change(f"minus-{depth}", "-torch.inf), -1)", f"-{depth}.0), -1)").says(sentence)
    MISTAKES.change(
        f"minus-{depth}-then-zeros", "-torch.inf), -1)", f"-{depth}.0), -1) * inside"
    ).says(sentence)
MISTAKES.change("window-exclusive", "<= window", "< window").says("""
    Your window leaves out the places exactly D away. It includes them: |j − p| ≤ D.
""")
MISTAKES.change("position-rounded", "position[:, None]", "position.round()[:, None]").says("""
    You round the position, and no gradient can pass through rounding. Use p as it is.
""")
MISTAKES.change(
    "window-rounded", "inside = distance", "inside = (places - position.round()[:, None])"
).says("""
    You round the position for the window. Use p as it is: |j − p| ≤ D.
""")
MISTAKES.change("half-window", "<= window", "<= window / 2").says("""
    Your window reaches D/2 to each side. It reaches D: |j − p| ≤ D.
""")
MISTAKES.change("no-window", "<= window", "< torch.inf").says("""
    You attend to the whole sentence. Places with |j − p| > D get a weight of exactly zero.
""")
MISTAKES.change(
    "window-after",
    "torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)",
    "torch.softmax(scores, -1) * inside",
).says("""
    You take the softmax over the whole sentence and cut the window out afterwards. Take it over the
    window only.
""")
MISTAKES.change(
    "scores-zeroed",
    "torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)",
    "torch.softmax(scores * inside, -1)",
).says("""
    You set scores outside the window to 0, but exp(0) is 1. Set them to -inf.
""")
MISTAKES.change("no-bell", "weights * bell", "weights").says("""
    The Gaussian is missing. Multiply by exp(−(j − p)²/(2σ²)), σ = D/2.
""")
MISTAKES.change("bell-only", "weights * bell", "bell * (weights > 0)").says("""
    The scores change nothing here. Multiply the Gaussian with their softmax.
""")
MISTAKES.change("sigma-is-window", "(window / 2)", "window").says(
    "Your Gaussian is too wide: σ is D/2, not D."
)
MISTAKES.change(
    "bell-rounded", "-(distance**2)", "-((places - position[:, None].round()) ** 2)"
).says("""
    The window is right, and the Gaussian stands around the rounded p: no gradient reaches p.
""")
MISTAKES.change("two-squared", "(2 * (window / 2) ** 2)", "(2 * (window / 2)) ** 2").says("""
    You square the 2 as well: (2σ)² is 4σ². The formula divides by 2σ².
""")
MISTAKES.change("sigma-not-squared", "(2 * (window / 2) ** 2)", "window").says(
    "You divide by 2σ. The formula divides by 2σ²."
)
MISTAKES.change("two-missing", "(2 * (window / 2) ** 2)", "(window / 2) ** 2").says(
    "You divide by σ². The formula divides by 2σ²."
)
MISTAKES.change("not-squared", "(distance**2)", "distance.abs()").says(
    "Your distance is not squared. The Gaussian takes (j − p)²."
)
MISTAKES.change(
    "renormalised",
    "return weights * bell",
    "return weights * bell / (weights * bell).sum(-1, True)",
).says("""
    Your weights sum to one again. Multiply by the Gaussian after the softmax, and do not divide:
    Luong's weights sum to less than one.
""")
MISTAKES.change(
    "bell-on-scores", "scores.masked", "(scores * bell).masked", "weights * bell", "weights"
).says("""
    You multiply the scores by the Gaussian, before the softmax. Multiply the weights, after it.
""")
MISTAKES.change("one-based", "position[:, None]", "(position[:, None] - 1)").says("""
    You count places from 1. Place j of the scores is number j, from 0.
""")
MISTAKES.change("first-position", "position[:, None]", "position[:1, None]").says("""
    You use the first position for the whole batch. Position b goes with row b.
""")
MISTAKES.change(
    "no-maximum",
    "torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)",
    "_by_hand(scores, inside, 0)",
).says("""
    exp overflows for large scores. Use torch.softmax, or subtract the largest score first.
""")
MISTAKES.change("position-detached", "position[:, None]", "position.detach()[:, None]").says("""
    No gradient reaches the position (through .item(), int() or detach?). It must, or the model
    cannot learn where to look.
""")
MISTAKES.change("detached", "return weights * bell", "return (weights * bell).detach()").says("""
    No gradient flows back at all. Avoid .item(), detach, .data, no_grad and NumPy.
""")
further_mistakes(MISTAKES)
always_float64(MISTAKES)
changes_input(MISTAKES, "scores", "position")


HINTS = (
    "Start with a table of distances j − p, of shape (B, S). Window and Gaussian both come from "
    "it.",
    "`torch.arange(S) - position[:, None]` is that table. Outside the window the score becomes "
    "-inf, before the softmax.",
    "The softmax runs along the last axis of the filled scores. Multiply it by exp of minus the "
    "squared distance over 2σ², with σ = D/2; nothing is divided afterwards.",
)
LOCAL_WEIGHTS = task(MISTAKES, 4, case.all, HINTS)

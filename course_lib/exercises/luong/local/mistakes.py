"""What goes wrong in `local_weights`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input, family
from course_lib.exercises.luong.local.task import local_weights

P = "position[:, None]"
SOFTMAX = "torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)"
DEVIATION = "(window / 2)"
BELL = "-(distance**2) / (2 * (window / 2) ** 2)"


def _rounded(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """You round the position (`floor`, `ceil`, `int()` and `.long()` round, too), and no
        gradient passes through rounding. Use p as it is.""",
        position_floored=(P, "position.floor()[:, None]"),
        position_raised=(P, "position.ceil()[:, None]"),
    )
    family(
        mistakes,
        """Your window lies as if the position were rounded for it (`floor`, `ceil`, `int()` and
        `.long()` round, too). Use p as it is: |j − p| ≤ D.""",
        window_floored=("inside = distance", "inside = (places - position.floor()[:, None])"),
        window_raised=("inside = distance", "inside = (places - position.ceil()[:, None])"),
    )
    family(
        mistakes,
        """The window is right, and the Gaussian stands around a rounded p: no gradient reaches
        p.""",
        bell_floored=("-(distance**2)", "-((places - position.floor()[:, None]) ** 2)"),
        bell_raised=("-(distance**2)", "-((places - position.ceil()[:, None]) ** 2)"),
    )
    family(
        mistakes,
        """A slice `[a:b]` leaves out b, and `int(p)` rounds. The places inside are those with
        |j − p| ≤ D: compare all places with p.""",
        sliced=(
            "distance.abs() <= window",
            "((f := places - position.floor()[:, None]) < window) & (f >= -window)",
        ),
        sliced_from_the_nearest=(
            "distance.abs() <= window",
            "((f := places - position.round()[:, None]) < window) & (f >= -window)",
        ),
    )


def _bounds(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """Your window has one end. It reaches D to both sides: |j − p| ≤ D, with the amount
        (`.abs()`) of the distance.""",
        one_sided=("distance.abs() <= window", "distance <= window"),
        one_sided_exclusive=("distance.abs() <= window", "distance < window"),
        before_alone=("distance.abs() <= window", "(distance <= 0) & (distance >= -window)"),
        behind_alone=("distance.abs() <= window", "(distance >= 0) & (distance <= window)"),
        other_side=("distance.abs() <= window", "distance >= -window"),
    )
    family(
        mistakes,
        """Your window leaves out the place that is exactly D away on one side. Both ends belong to
        it: |j − p| ≤ D.""",
        open_at_its_end=("distance.abs() <= window", "(distance >= -window) & (distance < window)"),
        open_at_its_beginning=(
            "distance.abs() <= window",
            "(distance > -window) & (distance <= window)",
        ),
    )
    family(
        mistakes,
        """Your σ is `D // 2`, which cuts half a place off where D is odd. It is D/2: divide with
        `/`.""",
        half_cut_off=("(window / 2)", "max(window // 2, 0.5)"),
    )
    family(
        mistakes,
        """You forbid the places inside the window and allow those outside. It is the places
        with |j − p| > D whose score becomes -inf.""",
        inverted=("~inside", "inside"),
        inverted_without_nan=(
            SOFTMAX,
            "torch.softmax(scores.masked_fill(inside, -torch.inf), -1).nan_to_num()",
        ),
    )
    mistakes.change("twice-as-wide", "<= window", "<= 2 * window").says("""
        Your window reaches 2D to each side. It reaches D: |j − p| ≤ D.
    """)


def _bell(mistakes: Mistakes) -> None:
    mistakes.change("sigma-floored", DEVIATION, "(window // 2)").says("""
        `//` cuts the half off: σ = D / 2 is a half for D = 1, and `1 // 2` is 0. Divide with `/`.
    """)
    family(
        mistakes,
        """Your Gaussian grows with the distance. It falls: exp of *minus* (j − p)²/(2σ²).""",
        no_minus=("-(distance**2)", "(distance**2)"),
    )
    family(
        mistakes,
        """`/ 2 * σ ** 2` divides by 2 and then multiplies by σ². Put the divisor in brackets:
        `/ (2 * σ ** 2)`.""",
        no_brackets=(BELL, "-(distance**2) / 2 * (window / 2) ** 2"),
        no_brackets_wide=(BELL, "-(distance**2) / 2 * window**2"),
    )
    mistakes.change(
        "density", "weights * bell", "weights * bell / (window / 2 * (2 * torch.pi) ** 0.5)"
    ).says("""
        You divide by σ√(2π), as a density of probability does. Here the Gaussian is a factor that
        is 1 at p: exp(−(j − p)²/(2σ²)) alone.
    """)
    mistakes.change("sigma-twice-the-window", DEVIATION, "(2 * window)").says("""
        Your Gaussian is too wide: σ is D/2, not 2D.
    """)
    mistakes.change("no-exp", f"torch.exp({BELL})", BELL).says("""
        The exp is missing: the factor is exp(−(j − p)²/(2σ²)).
    """)
    mistakes.change("bell-added", "weights * bell", "(weights + bell) * inside").says("""
        You add the Gaussian to the weights. Multiply them by it.
    """)


def _softmax(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """Your softmax runs over the sentences of the batch. It runs over the places of one
        sentence, along the last axis: `dim=-1`.""",
        over_batch=("-torch.inf), -1)", "-torch.inf), 0)"),
        over_batch_without_nan=(
            SOFTMAX,
            "torch.softmax(scores.masked_fill(~inside, -torch.inf), 0).nan_to_num()",
        ),
    )
    mistakes.change(
        "zeroed-and-cut", SOFTMAX, "torch.softmax(scores * inside, -1) * inside"
    ).says("""
        You set scores outside the window to 0, but exp(0) is 1, so they take a share that you then
        cut off. Set them to -inf before the softmax.
    """)
    mistakes.change("no-softmax", SOFTMAX, "scores * inside").says("""
        The softmax is missing: you multiply the scores themselves by the Gaussian.
    """)


def _by_hand(scores, inside, top):
    exps = torch.exp(scores - top) * inside
    return exps / exps.sum(-1, keepdim=True)


MISTAKES = Mistakes(local_weights, globals())
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
    Your window takes in places up to D + ½ away, as it does if the position is rounded for it. Use
    p as it is: |j − p| ≤ D.
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
_rounded(MISTAKES)
_bounds(MISTAKES)
_bell(MISTAKES)
_softmax(MISTAKES)
always_float64(MISTAKES)
changes_input(MISTAKES, "scores", "position")
family(
    MISTAKES,
    """You halve the window with `//`, which cuts off the half of an odd one. σ is D/2: `window /
    2`.""",
    halved_without_the_rest=("(window / 2)", "max(window // 2, 1)"),
)
